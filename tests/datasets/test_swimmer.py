"""Swimmer: every figure is exactly the sum of its true parts, and the parts are what they are called."""

import numpy as np
import numpy.typing as npt
import pytest

import datasets

LIMBS = ["left arm", "right arm", "left leg", "right leg"]


def arrays(limb: str = "left arm") -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    ds = datasets.load("swimmer", limb=limb)
    assert isinstance(ds.X, np.ndarray)
    assert ds.parts is not None
    return ds.X, ds.parts


def test_every_figure_is_a_torso_and_one_position_of_each_limb() -> None:
    X, parts = arrays()
    assert X.shape == (256, 32 * 32)
    assert parts.shape == (17, 32 * 32)
    assert X.dtype == parts.dtype == np.float32
    # The parts are disjoint, so a figure holds a part wholly or not at all.
    assert np.array_equal(np.unique(parts.sum(axis=0)), [0, 1])
    held = X @ parts.T / parts.sum(axis=1)
    assert set(np.unique(held)) == {0, 1}
    assert np.array_equal(held @ parts, X)
    assert np.all(held[:, 0] == 1)
    assert np.all(held[:, 1:].reshape(256, 4, 4).sum(axis=2) == 1)
    assert len(np.unique(X, axis=0)) == 256


@pytest.mark.parametrize("limb", LIMBS)
def test_the_class_is_the_position_of_the_chosen_limb(limb: str) -> None:
    ds = datasets.load("swimmer", limb=limb)
    X, parts = arrays(limb)
    start = 1 + 4 * LIMBS.index(limb)
    position = (X @ parts[start : start + 4].T).argmax(axis=1)
    assert np.array_equal(ds.y, position)
    assert ds.n_classes == 4
    assert np.array_equal(np.bincount(position), [64] * 4)


@pytest.mark.parametrize("limb", LIMBS)
def test_limbs_lie_where_their_names_say(limb: str) -> None:
    ds = datasets.load("swimmer", limb=limb)
    start = 1 + 4 * LIMBS.index(limb)
    for name, part in zip(ds.target_names, arrays(limb)[1][start : start + 4], strict=True):
        rows, columns = np.nonzero(part.reshape(32, 32))
        assert len(rows) == 6
        assert np.all(columns < 16) if limb.startswith("left") else np.all(columns >= 16)
        assert np.all(rows < 16) if limb.endswith("arm") else np.all(rows >= 16)
        assert (len(set(rows)) == 1) == (name == "out")
        assert (len(set(columns)) == 1) == (name in {"up", "down"})


def test_the_left_half_mirrors_the_right() -> None:
    parts = arrays()[1].reshape(17, 32, 32)
    assert np.array_equal(parts[0], parts[0][:, ::-1])
    assert np.array_equal(parts[1:5], parts[5:9][:, :, ::-1])
    assert np.array_equal(parts[9:13], parts[13:17][:, :, ::-1])
