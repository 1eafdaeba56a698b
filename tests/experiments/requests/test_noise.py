"""Noise: of the strength asked for, repeatable, and comparable between levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import RunRequest, occlude
from experiments.requests.corruption import is_noise, largest_amount, settings, spoil
from experiments.requests.noise import NOISES, Noise, add_noise
from experiments.requests.prepare import prepare

SHAPE = (30, 40)
IMAGES = np.full((6, 1200), 0.5, dtype=np.float32)


def noisy(level: float, kind: Noise, seed: int = 0) -> npt.NDArray[np.floating[Any]]:
    return add_noise(IMAGES, level, kind, seed)


@pytest.mark.parametrize("level", [0.05, 0.3, 1.0])
def test_salt_and_pepper_turn_their_share_of_pixels_white_or_black(level: float) -> None:
    out = noisy(level, "salt and pepper")
    assert set(np.unique(out)) <= {0.0, 0.5, 1.0}
    assert np.mean(out != 0.5) == pytest.approx(level, abs=0.02)
    assert np.mean(out == 1) == pytest.approx(level / 2, abs=0.02)


def test_gaussian_noise_has_its_deviation_and_uniform_its_reach() -> None:
    assert np.std(noisy(0.1, "gaussian") - IMAGES) == pytest.approx(0.1, rel=0.03)
    change = noisy(0.3, "uniform") - IMAGES
    assert np.abs(change).max() <= 0.3
    assert change.std() == pytest.approx(0.3 / 3**0.5, rel=0.03)


@given(kind=st.sampled_from(NOISES), level=st.floats(0, 1), seed=st.integers(0, 2**32))
def test_it_is_repeatable_stays_in_range_and_earlier_rows_do_not_depend_on_later(
    kind: Noise, level: float, seed: int
) -> None:
    out = noisy(level, kind, seed)
    assert out.dtype == np.float32
    assert out.min() >= 0
    assert out.max() <= 1
    assert np.array_equal(noisy(level, kind, seed), out)
    assert np.array_equal(add_noise(IMAGES[:2], level, kind, seed), out[:2])
    assert np.array_equal(add_noise(IMAGES[0], level, kind, seed), out[0])


@pytest.mark.parametrize("kind", NOISES)
def test_more_noise_is_more_of_the_same(kind: Noise) -> None:
    little, much = noisy(0.1, kind) - IMAGES, noisy(0.3, kind) - IMAGES
    assert np.all(np.abs(much) >= np.abs(little) - 1e-6)
    assert np.all(np.sign(much) * np.sign(little) >= 0)
    assert np.array_equal(noisy(0, kind), IMAGES)
    assert not np.array_equal(noisy(0.3, kind, seed=1), noisy(0.3, kind))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"level": 1.5}, "level must be from 0 to 1"),
        ({"kind": "grey"}, "kind must be one of salt and pepper, gaussian, uniform"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"images": np.zeros((2, 3), int)}, "images must be a float array"),
    ],
)
def test_the_impossible_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        add_noise(**({"images": IMAGES} | changes))


def test_spoiling_is_either_of_both() -> None:
    images = np.random.default_rng(1).random((4, 1200))
    patched = spoil(images, SHAPE, seed=3, **settings("can", 11))
    assert np.array_equal(patched, occlude(images, SHAPE, 11, "can", 3))
    placed = spoil(images, SHAPE, seed=3, position=(2, 5), **settings("grey", 4))
    assert np.array_equal(placed, occlude(images, SHAPE, 4, "grey", 3, position=(2, 5)))
    noise = spoil(images, SHAPE, seed=3, **settings("uniform", 25))
    assert np.array_equal(noise, add_noise(images, 0.25, "uniform", 3))
    assert [largest_amount(kind, SHAPE) for kind in ("grey", "gaussian")] == [30, 100]
    assert [is_noise(kind) for kind in ("noise", "gaussian")] == [False, True]


def test_a_request_can_ask_for_noise() -> None:
    request = RunRequest("orl", "pca", dataset_options={"size": 16}, corruption=settings("gaussian", 30))
    assert request.corruption_settings() == {"kind": "gaussian", "level": 0.3}
    again = RunRequest.from_json(request.canonical())
    assert again.key == request.key != RunRequest("orl", "pca", dataset_options={"size": 16}).key
    now = prepare(request)
    labelled = np.isin(now.rows.train, now.rows.labelled)
    original = now.ds.X[now.rows.train]
    assert np.array_equal(now.X[labelled], original[labelled])
    assert np.std((now.X - original)[~labelled]) > 0.2


def test_a_request_without_any_noise_is_one_without_corruption() -> None:
    plain = RunRequest("orl", "pca")
    assert RunRequest("orl", "pca", corruption={"kind": "uniform", "level": 0}).key == plain.key


@pytest.mark.parametrize("corruption", [{"kind": "uniform", "level": 2}, {"kind": "uniform", "size": 3}])
def test_a_request_for_impossible_noise_is_refused(corruption: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"level must be from 0 to 1|no setting 'size'"):
        RunRequest("orl", "pca", corruption=corruption).canonical()
