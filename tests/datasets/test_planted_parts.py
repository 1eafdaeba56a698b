"""Planted parts: rank, overlap and noise are those asked for, and NMF finds the parts."""

import numpy as np
import pytest

import datasets
import methods


def cosines(found: np.ndarray, true: np.ndarray) -> np.ndarray:
    """The cosine of each true part with the found part nearest to it."""
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (true, found)]
    return np.asarray((unit[0] @ unit[1].T).max(axis=1))


@pytest.mark.parametrize("overlap", [0.0, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("parts", [2, 5, 9, 16, 36])
def test_the_rank_is_the_number_of_parts(parts: int, overlap: float) -> None:
    ds = datasets.load("planted_parts", parts=parts, overlap=overlap)
    assert np.linalg.matrix_rank(ds.parts) == parts
    assert np.linalg.matrix_rank(ds.X, tol=1e-3) == parts


def test_without_noise_samples_are_sums_of_parts() -> None:
    ds = datasets.load("planted_parts")
    weights, residual, *_ = np.linalg.lstsq(ds.parts.T, np.asarray(ds.X).T, rcond=None)
    assert residual.max() < 1e-6
    assert weights.min() > -1e-5
    assert np.array_equal(weights.argmax(axis=0), ds.y)


def test_parts_are_disjoint_exactly_without_overlap() -> None:
    shared = [
        (datasets.load("planted_parts", overlap=overlap).parts.sum(axis=0) > 1).mean()
        for overlap in (0.0, 0.3, 0.6, 1.0)
    ]
    assert shared[0] == 0
    assert shared == sorted(shared)
    assert shared[-1] > 0.5


def test_noise_has_the_size_asked_for() -> None:
    clean, noisy = (np.asarray(datasets.load("planted_parts", noise=noise).X) for noise in (0.0, 0.5))
    scale = (clean * noisy).sum() / (clean**2).sum()
    # Where the picture is bright nothing is cut off at zero, so the errors are seen whole.
    bright = clean > 0.6
    errors = (noisy / scale - clean)[bright].std()
    assert errors == pytest.approx(0.5 * clean.std(), rel=0.15)


def test_nmf_finds_the_parts() -> None:
    ds = datasets.load("planted_parts", overlap=0.0)
    nmf = methods.create("nmf", n_components=9, init="nndsvda", solver="accelerated", max_iter=500, tol=1e-9)
    for _ in nmf.iterate(ds.X):
        pass
    assert cosines(nmf.components_, np.asarray(ds.parts)).min() > 0.98
