"""Starts: scaled, non-negative, private, and refused by name where they do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.decomposition._nmf import _initialize_nmf

import methods
from methods.data_matrix import DataMatrix
from methods.starts import best_scale, nndsvda, scaled_random, start

Array = NDArray[Any]
FORMS = [np.asarray, np.asfortranarray, sparse.csr_array, sparse.csc_array, aslinearoperator]


def made(n: int = 12, m: int = 9, seed: int = 0, dtype: Any = np.float64) -> Array:
    X = np.random.default_rng(seed).random((n, m))
    X[X < 0.2] = 0
    return X.astype(dtype)


@given(st.integers(0, 2**31), st.integers(1, 12), st.integers(1, 9), st.integers(1, 6))
def test_random_start_is_scaled_to_the_data(seed: int, n: int, m: int, k: int) -> None:
    X = made(n, m, seed)
    H, W = scaled_random(DataMatrix(X), k, 0)
    assert H.shape == (k, m)
    assert W.shape == (n, k)
    assert (H >= 0).all()
    assert (W >= 0).all()
    if X.any():
        assert np.isclose((X * (W @ H)).sum(), ((W @ H) ** 2).sum(), rtol=1e-10)


def test_the_scale_is_the_best_one() -> None:
    X = made()
    H, W = scaled_random(DataMatrix(X), 4, 0)
    errors = [((X - s * W @ H) ** 2).sum() for s in (0.99, 1.0, 1.01)]
    assert errors[1] == min(errors)
    # An unscaled start is worse than no model at all; this one is better.
    assert errors[1] < (X**2).sum() < ((X - 1e3 * W @ H) ** 2).sum()
    assert best_scale(DataMatrix(X), np.zeros_like(H), W) == 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("k", [1, 3, 9])
def test_nndsvda_is_that_of_scikit_learn(form: Any, dtype: Any, k: int) -> None:
    X = made(dtype=dtype)
    H, W = nndsvda(DataMatrix(form(X)), k, 0)
    W_theirs, H_theirs = _initialize_nmf(X.astype(np.float64), k, init="nndsvda", random_state=0)
    tolerance = 1e-9 if dtype == np.float64 else 1e-3
    assert H.dtype == W.dtype == dtype
    np.testing.assert_allclose(H, H_theirs, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(W, W_theirs, rtol=tolerance, atol=tolerance)


def test_nndsvda_of_a_larger_matrix_needs_no_more_than_products() -> None:
    # 10 extra directions and a few powers: the leading triplets are right to several digits.
    rng = np.random.default_rng(1)
    X = rng.random((80, 5)) @ rng.random((5, 60)) + 0.05 * rng.random((80, 60))
    H, W = nndsvda(DataMatrix(aslinearoperator(X)), 4, 0)
    left, values, right = np.linalg.svd(X)
    np.testing.assert_allclose(np.outer(W[:, 0], H[0]), values[0] * np.outer(left[:, 0], right[0]), rtol=1e-6)
    H_again, _ = nndsvda(DataMatrix(X), 4, 7)
    np.testing.assert_allclose(H, H_again, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("k", [10, 15])
def test_nndsvda_beyond_the_rank_is_filled_with_the_mean(k: int) -> None:
    X = made()
    H, W = nndsvda(DataMatrix(X), k, 0)
    assert (H > 0).all()
    assert (W > 0).all()
    assert (H[9:] == X.mean()).all()
    assert (W[:, 9:] == X.mean()).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("make", [scaled_random, nndsvda])
def test_nothing_to_see_gives_a_finite_start(make: Any, dtype: Any) -> None:
    for H_or_W in make(DataMatrix(np.zeros((6, 5), dtype)), 3, 0):
        assert H_or_W.dtype == dtype
        assert np.isfinite(H_or_W).all()


def test_an_explicit_start_is_taken_as_it_is_and_copied() -> None:
    X = made(dtype=np.float32)
    H, W = np.random.default_rng(0).random((3, 9)), np.random.default_rng(1).random((12, 3))
    for given_start in ((H, W), [H, W], (H.tolist(), np.asfortranarray(W))):
        H_used, W_used = start(given_start, DataMatrix(X), 3, None)
        np.testing.assert_array_equal(H_used, H.astype(np.float32))
        np.testing.assert_array_equal(W_used, W.astype(np.float32))
        assert H_used.flags.c_contiguous
        assert W_used.flags.c_contiguous
    H_used, W_used = start((H, W), DataMatrix(X.astype(np.float64)), 3, None)
    assert not np.shares_memory(H_used, H)
    assert not np.shares_memory(W_used, W)


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ((np.ones((3, 8)), np.ones((12, 3))), r"init: components has shape \(3, 8\).* needs \(3, 9\)"),
        ((np.ones((3, 9)), np.ones((3, 12))), r"init: embedding has shape \(3, 12\).* needs \(12, 3\)"),
        ((np.ones((12, 3)), np.ones((3, 9))), "init: components"),
        ((np.ones((3, 9)), np.ones(12)), r"init: embedding has shape \(12,\)"),
        ((np.ones((3, 9)), -np.ones((12, 3))), "init: embedding must hold"),
        ((np.full((3, 9), np.nan), np.ones((12, 3))), "init: components must hold"),
        ((np.ones((3, 9)), np.full((12, 3), np.inf)), "init: embedding must hold"),
        ((np.ones((3, 9)),), "pair"),
        ((np.ones((3, 9)), np.ones((12, 3)), 1), "pair"),
        (np.ones((3, 9)), "init="),
        (None, "init=None"),
        (3, "init=3"),
        ("random2", "init='random2'"),
    ],
)
def test_a_start_that_does_not_fit_is_refused_by_name(init: Any, message: str) -> None:
    for name, X, y in (("nmf", made(), None), ("n2s2l", made(), np.arange(12) % 3)):
        with pytest.raises(ValueError, match=message):
            methods.spec(name).estimator(n_components=3, init=init, max_iter=1, tol=0).fit(X, y)


def test_the_seed_decides() -> None:
    data = DataMatrix(made())
    np.testing.assert_array_equal(scaled_random(data, 3, 1)[0], scaled_random(data, 3, 1)[0])
    assert not np.array_equal(scaled_random(data, 3, 1)[0], scaled_random(data, 3, 2)[0])
