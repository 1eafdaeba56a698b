"""Views made from images: compared with plain loops from the definitions, and with what they must not see."""

from math import atan2, floor, hypot, pi, sqrt

import numpy as np
import numpy.typing as npt
import pytest

import datasets
from datasets.image_views import ORIENTATIONS, cell_counts, hog, image_views, lbp

Image = npt.NDArray[np.float32]


def picture(height: int, width: int, seed: int = 0) -> Image:
    return np.random.default_rng(seed).random((height, width)).astype(np.float32)


def at(image: Image, row: int, column: int) -> float:
    """The brightness there; beyond the edge, that of the edge."""
    return float(image[min(max(row, 0), image.shape[0] - 1), min(max(column, 0), image.shape[1] - 1)])


def cell_of(image: Image, row: int, column: int) -> tuple[int, int]:
    down, across = cell_counts(image.shape)
    return row * down // image.shape[0], column * across // image.shape[1]


def plain_lbp(image: Image) -> npt.NDArray[np.float64]:
    """Local binary patterns, pixel by pixel."""
    around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    uniform = []
    for code in range(256):
        bits = [code >> i & 1 for i in range(8)]
        if sum(bits[i] != bits[i - 1] for i in range(8)) <= 2:
            uniform.append(code)
    assert len(uniform) == 58
    counts = np.zeros((*cell_counts(image.shape), 59))
    for row in range(image.shape[0]):
        for column in range(image.shape[1]):
            code = sum(
                (at(image, row + down, column + across) >= image[row, column]) << i
                for i, (down, across) in enumerate(around)
            )
            counts[(*cell_of(image, row, column), uniform.index(code) if code in uniform else 58)] += 1
    return (counts / counts.sum(axis=-1, keepdims=True)).ravel()


def plain_hog(image: Image) -> npt.NDArray[np.float64]:
    """Oriented gradients, pixel by pixel and block by block."""
    cells = np.zeros((*cell_counts(image.shape), ORIENTATIONS))
    for row in range(image.shape[0]):
        for column in range(image.shape[1]):
            down = (at(image, row + 1, column) - at(image, row - 1, column)) / 2
            across = (at(image, row, column + 1) - at(image, row, column - 1)) / 2
            place = atan2(down, across) % pi / (pi / ORIENTATIONS) - 0.5
            share = place - floor(place)
            cell = cell_of(image, row, column)
            cells[(*cell, floor(place) % ORIENTATIONS)] += hypot(down, across) * (1 - share)
            cells[(*cell, (floor(place) + 1) % ORIENTATIONS)] += hypot(down, across) * share
    blocks = []
    for row in range(cells.shape[0] - 1):
        for column in range(cells.shape[1] - 1):
            block = cells[row : row + 2, column : column + 2].ravel()
            block = np.minimum(block / sqrt(block @ block + 1e-6), 0.2)
            blocks.append(block / sqrt(block @ block + 1e-6))
    return np.concatenate(blocks)


@pytest.mark.parametrize("shape", [(16, 16), (8, 8), (25, 25), (28, 20), (33, 17)])
@pytest.mark.parametrize(("fast", "plain"), [(lbp, plain_lbp), (hog, plain_hog)])
def test_it_is_the_definition(fast: object, plain: object, shape: tuple[int, int]) -> None:
    images = np.stack([picture(*shape, seed) for seed in range(3)])
    images[2] = np.round(images[2] * 3) / 3  # With ties.
    found = fast(images.reshape(3, -1), shape)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [plain(image) for image in images], atol=2e-5)


def test_patterns_do_not_see_lighting() -> None:
    image = picture(16, 16).reshape(1, -1)
    # A power of two changes no digit of a float, so not even rounding can break a tie.
    np.testing.assert_array_equal(lbp(image, (16, 16)), lbp(image * np.float32(0.25), (16, 16)))


def test_gradients_do_not_see_brightness_and_hardly_contrast() -> None:
    image = picture(32, 32).reshape(1, -1)
    np.testing.assert_allclose(hog(image + np.float32(0.5), (32, 32)), hog(image, (32, 32)), atol=1e-4)
    np.testing.assert_allclose(hog(image * np.float32(0.3), (32, 32)), hog(image, (32, 32)), atol=1e-4)


def test_an_edge_is_counted_under_its_direction() -> None:
    image = np.zeros((16, 16), dtype=np.float32)
    image[:, 9:] = 1  # Bright to the right: the gradient points across.
    across = hog(image.reshape(1, -1), (16, 16)).reshape(4, ORIENTATIONS)
    down = hog(image.T.reshape(1, -1).copy(), (16, 16)).reshape(4, ORIENTATIONS)
    assert set(np.flatnonzero(across.sum(axis=0) > 0.1)) == {0, ORIENTATIONS - 1}
    assert set(np.flatnonzero(down.sum(axis=0) > 0.1)) == {ORIENTATIONS // 2}


def test_an_empty_picture_is_no_error() -> None:
    empty = np.zeros((2, 256), dtype=np.float32)
    assert np.all(hog(empty, (16, 16)) == 0)
    assert np.allclose(lbp(empty, (16, 16)).reshape(2, 4, 59).sum(axis=2), 1)


@pytest.mark.parametrize("id", ["orl", "digits", "swimmer", "planted_parts"])
def test_image_sets_offer_them(id: str) -> None:
    options = {"size": 32} if id == "orl" else {}
    plain, several = datasets.load(id, **options), datasets.load(id, views="pixels+textures+edges", **options)
    assert list(plain.views) == ["pixels"]
    assert list(several.views) == ["pixels", "textures", "edges"]
    assert np.array_equal(plain.X, several.X)
    assert several.image_shape is not None
    assert np.array_equal(several.views["textures"], lbp(np.asarray(plain.X), several.image_shape))
    for view in several.views.values():
        assert view.dtype == np.float32
        assert view.min() >= 0


def test_only_the_views_asked_for_are_made() -> None:
    image = picture(16, 16).reshape(1, -1)
    assert image_views(image, (16, 16), "pixels")["pixels"] is image
