"""NMF against a plain loop over entries, in the papers' notation: X is features × samples, X ≈ U Vᵀ."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods

Array = NDArray[Any]
M, N, K = 7, 11, 3


def made(seed: int = 0) -> tuple[Array, Array, Array]:
    """X (m × N), U (m × k) and V (N × k), every entry positive."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 1, (M, N)), rng.uniform(0.1, 1, (M, K)), rng.uniform(0.1, 1, (N, K))


def loop_step(X: Array, U: Array, V: Array) -> tuple[Array, Array]:
    """One iteration of Lee and Seung, entry by entry: U first, then V with the new U."""
    U_new = np.zeros_like(U)
    for i in range(M):
        for j in range(K):
            up = sum(X[i, n] * V[n, j] for n in range(N))
            down = sum(U[i, a] * V[n, a] * V[n, j] for a in range(K) for n in range(N))
            U_new[i, j] = U[i, j] * up / down
    V_new = np.zeros_like(V)
    for n in range(N):
        for j in range(K):
            up = sum(X[i, n] * U_new[i, j] for i in range(M))
            down = sum(V[n, a] * U_new[i, a] * U_new[i, j] for a in range(K) for i in range(M))
            V_new[n, j] = V[n, j] * up / down
    return U_new, V_new


def loop_objective(X: Array, U: Array, V: Array) -> float:
    return float(
        sum((X[i, n] - sum(U[i, a] * V[n, a] for a in range(K))) ** 2 for i in range(M) for n in range(N))
    )


@cache
def oracle(iterations: int) -> tuple[Array, Array]:
    X, U, V = made()
    for _ in range(iterations):
        U, V = loop_step(X, U, V)
    return U, V


def nmf(iterations: int, **params: Any) -> Any:
    return methods.create("nmf", n_components=K, max_iter=iterations, tol=0, **params)


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_equals_the_loops(iterations: int) -> None:
    X, U, V = made()
    est = nmf(iterations, init=(U.T, V)).fit(X.T)
    U_end, V_end = oracle(iterations)
    np.testing.assert_allclose(est.components_.T, U_end, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(est.embedding_, V_end, rtol=1e-9, atol=1e-12)
    curve = [loop_objective(X, *oracle(t)) for t in (0, iterations)]
    np.testing.assert_allclose(est.objective_curve_[[0, -1]], curve, rtol=1e-9)


def test_the_update_splits_the_gradient() -> None:
    # ∂F/∂U = 2(UVᵀV − XV): what the update divides by, less what it multiplies by.
    X, U, V = made(1)

    def objective(U: Array, V: Array) -> float:
        return float(nmf(0, init=(U.T, V)).fit(X.T).objective_curve_[0])

    def slope(factor: Array, i: int, j: int, at: Any) -> float:
        h = 1e-6
        nudge = np.zeros_like(factor)
        nudge[i, j] = h
        return (at(factor + nudge) - at(factor - nudge)) / (2 * h)

    for i, j in np.ndindex(U.shape):
        expected = 2 * (U @ (V.T @ V) - X @ V)[i, j]
        assert np.isclose(slope(U, i, j, lambda U: objective(U, V)), expected, rtol=1e-6, atol=1e-6)
    for i, j in np.ndindex(V.shape):
        expected = 2 * (V @ (U.T @ U) - X.T @ U)[i, j]
        assert np.isclose(slope(V, i, j, lambda V: objective(U, V)), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix, aslinearoperator])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("init", ["random", "nndsvda"])
def test_sparse_and_implicit_data_give_the_same(form: Any, dtype: Any, init: str) -> None:
    X = made(2)[0].T.astype(dtype)
    X[X < 0.4] = 0
    tolerance = 1e-9 if dtype == np.float64 else 1e-3
    dense = nmf(30, init=init, random_state=0).fit(X)
    other = nmf(30, init=init, random_state=0).fit(form(X))
    assert other.components_.dtype == other.embedding_.dtype == dtype
    np.testing.assert_allclose(other.components_, dense.components_, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(other.objective_curve_, dense.objective_curve_, rtol=tolerance)
    np.testing.assert_allclose(other.transform(form(X)), dense.transform(X), rtol=tolerance, atol=tolerance)


def test_features_of_unseen_rows_are_least_squares() -> None:
    X, U, V = made(3)
    est = nmf(40, init=(U.T, V), features="pinv").fit(X.T)
    unseen = np.random.default_rng(9).uniform(0, 1, (4, M))
    expected = np.linalg.lstsq(est.components_.T, unseen.T, rcond=None)[0].T
    np.testing.assert_allclose(est.transform(unseen), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_nearly_equal_parts_share_their_weight(dtype: Any) -> None:
    # Kept at NumPy's cut of 1e-15, a singular value that is only rounding would blow the features up.
    X, U, V = (array.astype(dtype) for array in made(4))
    U[:, 2] = U[:, 1] * (1 + 2 * np.finfo(dtype).eps)
    est = nmf(0, init=(U.T, V)).fit(X.T)
    features = est.transform(X.T)
    np.testing.assert_allclose(features[:, 1], features[:, 2], rtol=1e-3)
    assert np.abs(features).max() < 10


def test_an_exact_factorization_stays_where_it_is() -> None:
    _, U, V = made(5)
    est = nmf(50, init=(U.T, V)).fit((U @ V.T).T)
    np.testing.assert_allclose(est.components_.T, U, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, V, rtol=1e-9)
    assert (est.objective_curve_ >= 0).all()
    assert est.objective_curve_.max() < 1e-12


def test_data_too_large_for_the_precision_end_as_diverged() -> None:
    est = nmf(5, random_state=0).fit((made()[0].T * 1e25).astype(np.float32))
    assert est.status_ == "diverged"
    assert not np.isfinite(est.objective_curve_[-1])
