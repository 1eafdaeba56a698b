"""Occlusion: exactly one square patch, repeatable, and comparable between sizes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.requests.corruption import KINDS as ALL_KINDS
from experiments.requests.corruption import Patch, occlude, patch
from experiments.requests.objects import painted

# No pixel of these images has the value of a patch, so the patch is where the image changed.
SHAPE = (6, 9)
IMAGES = np.linspace(0.6, 0.9, 5 * 54, dtype=np.float32).reshape(5, 54)
KINDS: list[Patch] = ["grey", "black", "white", "noise", "texture"]
THINGS: list[Patch] = ["piggy bank", "strawberry", "can"]


def covered(size: int, kind: Patch = "grey", seed: int = 0, **options: Any) -> npt.NDArray[np.bool_]:
    return (occlude(IMAGES, SHAPE, size, kind, seed, **options) != IMAGES).reshape(-1, *SHAPE)


@given(size=st.integers(1, 6), kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32))
def test_each_image_loses_one_square(size: int, kind: Patch, seed: int) -> None:
    for mask in covered(size, kind, seed):
        rows, columns = np.nonzero(mask)
        assert mask.sum() == size**2
        assert np.ptp(rows) == np.ptp(columns) == size - 1


@given(small=st.integers(1, 6), large=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_a_larger_patch_covers_the_smaller(small: int, large: int, seed: int) -> None:
    small, large = sorted((small, large))
    assert np.all(covered(small, seed=seed) <= covered(large, seed=seed))


@pytest.mark.parametrize(("kind", "shade"), [("grey", 0.5), ("black", 0.0), ("white", 1.0)])
def test_patches_have_their_shade(kind: Patch, shade: float) -> None:
    out = occlude(IMAGES, SHAPE, 3, kind)
    assert np.all(out[out != IMAGES] == np.float32(shade))


def test_noise_differs_from_pixel_to_pixel_and_stays_in_range() -> None:
    noise = occlude(IMAGES, SHAPE, 6, "noise")[covered(6, "noise").reshape(5, -1)]
    assert len(np.unique(noise)) == noise.size
    assert noise.min() >= 0
    assert noise.max() <= 1
    assert noise.std() > 0.2


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides_and_earlier_rows_do_not_depend_on_later(kind: Patch) -> None:
    out = occlude(IMAGES, SHAPE, 3, kind, seed=4)
    assert np.array_equal(occlude(IMAGES, SHAPE, 3, kind, seed=4), out)
    assert np.array_equal(occlude(IMAGES[:2], SHAPE, 3, kind, seed=4), out[:2])
    assert not np.array_equal(occlude(IMAGES, SHAPE, 3, kind, seed=5), out)


@pytest.mark.parametrize("kind", ["noise", "texture"])
def test_the_seed_decides_the_noise_in_a_given_place_too(kind: Patch) -> None:
    one, two = (occlude(IMAGES, SHAPE, 3, kind, seed, position=(0, 0)) for seed in (0, 1))
    assert np.any((one != two).reshape(5, *SHAPE)[:, :3, :3], axis=(1, 2)).all()


@pytest.mark.parametrize("kind", ["noise", "texture"])
def test_a_larger_patch_shows_more_of_the_same_noise(kind: Patch) -> None:
    small, large = (
        occlude(IMAGES, SHAPE, size, kind, position=(1, 2)).reshape(-1, *SHAPE)[:, 1 : 1 + size, 2 : 2 + size]
        for size in (3, 5)
    )
    assert np.array_equal(large[:, :3, :3], small)


def test_a_texture_is_smoother_than_noise_and_has_as_much_contrast() -> None:
    images = np.zeros((3, 64 * 64))
    noise, texture = (occlude(images, (64, 64), 64, kind).reshape(3, 64, 64) for kind in ("noise", "texture"))
    assert np.abs(np.diff(texture)).mean() < 0.3 * np.abs(np.diff(noise)).mean()
    assert 0.2 < texture.std() < 0.35
    assert texture.min() >= 0
    assert texture.max() <= 1


@pytest.mark.parametrize("kind", THINGS)
def test_an_object_hides_its_square_but_not_the_corners_around_it(kind: Patch) -> None:
    images = np.stack([np.zeros(30 * 40), np.ones(30 * 40)])
    black, white = occlude(images, (30, 40), 20, kind, position=(4, 15)).reshape(2, 30, 40)
    hidden = 1 - (white - black)
    assert np.allclose(hidden[:4], 0)
    assert np.allclose(hidden[24:], 0)
    assert np.allclose(hidden[:, :15], 0)
    assert np.allclose(hidden[:, 35:], 0)
    inside = hidden[4:24, 15:35]
    assert 0.4 < inside.mean() < 0.9
    assert np.isclose(inside[10, 10], 1)
    assert inside[0, 0] < 0.1
    assert np.ptp(black[4:24, 15:35][inside > 0.99]) > 0.4, "it is painted, not one shade"


def test_objects_differ_and_keep_their_shape_when_they_shrink() -> None:
    large = [painted(thing, 48)[1] for thing in ("piggy bank", "strawberry", "can")]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert np.abs(large[one] - large[other]).mean() > 0.1
    for thing, cover in zip(("piggy bank", "strawberry", "can"), large, strict=True):
        averaged = cover.reshape(12, 4, 12, 4).mean(axis=(1, 3))
        assert np.abs(painted(thing, 12)[1] - averaged).max() < 0.12


@pytest.mark.parametrize(
    ("thing", "size", "message"), [("spoon", 5, "thing must be one"), ("can", 0, "size")]
)
def test_what_cannot_be_painted_is_refused(thing: Any, size: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        painted(thing, size)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_patch_for_the_screen_is_the_one_that_is_laid_over_images(kind: Patch) -> None:
    shades, cover = patch(kind, SHAPE, seed=3)
    assert shades.shape == cover.shape == (6, 6)
    expected = IMAGES[:1].reshape(SHAPE).astype(np.float64)
    expected[:, 2:8] = expected[:, 2:8] * (1 - cover) + shades * cover
    found = occlude(IMAGES[:1].astype(np.float64), SHAPE, 6, kind, seed=3, position=(0, 2))
    assert np.allclose(found.reshape(SHAPE), expected)


def test_every_place_can_be_covered() -> None:
    many = np.full((2000, 54), 0.9)
    corners = np.zeros(SHAPE, dtype=int)
    for image in occlude(many, SHAPE, 3).reshape(-1, *SHAPE):
        corners[tuple(np.argwhere(image == 0.5)[0])] += 1
    # 4 x 7 places, 71 times each on average, with a standard deviation of 8.
    assert corners[:4, :7].sum() == 2000
    assert np.all(np.abs(corners[:4, :7] - 71) < 42)


def test_a_given_position_is_top_then_left() -> None:
    expected = np.zeros(SHAPE, dtype=bool)
    expected[1:3, 6:8] = True
    for mask in covered(2, position=(1, 6)):
        assert np.array_equal(mask, expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_result_is_a_copy_of_the_same_kind(dtype: type) -> None:
    images = IMAGES.astype(dtype)
    images.flags.writeable = False  # as in a data set
    one, many = occlude(images[0], SHAPE, 2), occlude(images, SHAPE, 2)
    assert (one.shape, one.dtype) == (images[0].shape, dtype)
    assert (many.shape, many.dtype) == (images.shape, dtype)
    assert np.array_equal(one, many[0])
    unchanged = occlude(images, SHAPE, 0)
    assert np.array_equal(unchanged, images)
    assert not np.shares_memory(unchanged, images)
    assert unchanged.flags.writeable


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": 7}, "size must be from 0 to 6 for 6x9 images, not 7"),
        ({"size": -1}, "size must be from 0 to 6"),
        ({"image_shape": (6, 8)}, r"images has shape \(5, 54\); image_shape 6x8 needs rows of 48 pixels"),
        ({"images": IMAGES.reshape(5, 6, 9)}, "images has shape"),
        ({"images": np.ones((5, 54), dtype=np.uint8)}, r"images must be a float array.* not uint8"),
        (
            {"kind": "pink"},
            "kind must be one of grey, black, white, noise, texture, piggy bank, .* not 'pink'",
        ),
        ({"seed": -1}, "seed must be at least 0"),
        (
            {"position": (4, 0), "size": 3},
            r"position \(4, 0\) puts the patch outside.* top may be 0 to 3, left",
        ),
        ({"position": (0, -1), "size": 3}, r"position \(0, -1\) puts the patch outside"),
    ],
)
def test_bad_requests_are_refused(changes: dict[str, Any], message: str) -> None:
    request: dict[str, Any] = {"images": IMAGES, "image_shape": SHAPE, "size": 2}
    with pytest.raises(ValueError, match=message):
        occlude(**(request | changes))
