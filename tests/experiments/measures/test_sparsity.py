"""Sparsity measures: exact values, bounds, and what must not change them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from experiments.measures.sparsity import energy, hoyer, spatial_concentration, zero_fraction

Values = npt.NDArray[np.float64]
SHAPE = (3, 4)
MEASURES: list[Callable[[Values], Values]] = [
    hoyer,
    zero_fraction,
    lambda components: spatial_concentration(components, SHAPE),
]
components = arrays(np.float64, (3, 12), elements=st.floats(-1e6, 1e6))


@pytest.mark.parametrize("measure", MEASURES)
@given(components=components, scale=st.sampled_from([-1.0, 2.0**-300, 2.0**300]))
def test_shares_lie_in_0_1_and_ignore_scale_and_sign(
    measure: Callable[[Values], Values], components: Values, scale: float
) -> None:
    # Powers of two, and entries that stay normal numbers under them: so scaling is exact.
    components[np.abs(components) < 1e-6] = 0
    values = measure(components)
    assert values.shape == (3,)
    assert np.all((values >= 0) & (values <= 1))
    assert np.array_equal(measure(components * scale), values)


@given(st.integers(1, 12))
def test_hoyer_of_equal_entries_follows_its_formula(n_nonzero: int) -> None:
    row = np.zeros((1, 12))
    row[0, :n_nonzero] = -3.0
    root = np.sqrt(12)
    assert hoyer(row)[0] == pytest.approx((root - np.sqrt(n_nonzero)) / (root - 1))


def test_dead_components() -> None:
    dead = np.zeros((1, 12))
    assert hoyer(dead) == [0]
    assert zero_fraction(dead) == [1]
    assert spatial_concentration(dead, SHAPE) == [0]


def test_single_entries_and_pixels() -> None:
    assert hoyer([[5.0]]) == [0]
    assert spatial_concentration([[5.0]], (1, 1)) == [0]


def test_zero_fraction_counts_up_to_the_threshold() -> None:
    row = [[-2.0, 0.2, 0.02, 0.0]]
    assert zero_fraction(row) == [0.25]
    assert zero_fraction(row, relative_threshold=0.01) == [0.5]
    assert zero_fraction(row, relative_threshold=0) == [0.25]


def test_concentration_ignores_place_and_resolution() -> None:
    image = np.zeros((40, 40))
    image[2:12, 3:13] = 1
    moved = np.roll(image, (20, 7), axis=(0, 1))
    finer = np.kron(image, np.ones((4, 4)))
    value = spatial_concentration(image.reshape(1, -1), (40, 40))[0]
    # A square of a quarter of the side has a quarter of the radius.
    assert value == pytest.approx(0.75, abs=0.005)
    assert spatial_concentration(moved.reshape(1, -1), (40, 40))[0] == pytest.approx(value)
    assert spatial_concentration(finer.reshape(1, -1), (160, 160))[0] == pytest.approx(value, abs=0.005)


def test_concentration_tells_height_from_width() -> None:
    image = np.zeros((2, 8))
    image[:, 3] = 1  # one column: a spread of 1/4 of the 5.5 of the whole image
    flat = image.reshape(1, -1)
    assert spatial_concentration(flat, (2, 8))[0] == pytest.approx(1 - np.sqrt(0.25 / 5.5))
    assert spatial_concentration(flat, (8, 2))[0] < 0.6


def test_concentration_is_lower_when_spots_lie_apart() -> None:
    near, far = np.zeros((2, 10, 10))
    near[5, 5] = near[5, 6] = 1
    far[5, 2] = far[5, 8] = 1
    near_value, far_value = spatial_concentration([near.ravel(), far.ravel()], (10, 10))
    assert far_value < near_value < 1


def test_energy_is_that_of_the_rank_one_pieces() -> None:
    rng = np.random.default_rng(0)
    rows, columns = rng.normal(size=(3, 5)), rng.normal(size=(4, 3))
    expected = [np.linalg.norm(np.outer(columns[:, k], rows[k])) ** 2 for k in range(3)]
    assert energy(rows, columns) == pytest.approx(expected)
    scales = np.array([10.0, 0.1, -3.0])
    assert energy(rows * scales[:, np.newaxis], columns / scales) == pytest.approx(expected)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="components must have rows and columns"):
        hoyer([1.0, 2.0])
    with pytest.raises(ValueError, match="components holds NaN"):
        zero_fraction([[np.nan]])
    with pytest.raises(ValueError, match="relative_threshold must be at least 0 and below 1, not 1"):
        zero_fraction([[1.0]], relative_threshold=1)
    with pytest.raises(ValueError, match="2x2 means 4 pixels; rows have 3"):
        spatial_concentration([[1.0, 2.0, 3.0]], (2, 2))
    with pytest.raises(ValueError, match="embedding has 3 columns for 2 components"):
        energy(np.ones((2, 4)), np.ones((5, 3)))
