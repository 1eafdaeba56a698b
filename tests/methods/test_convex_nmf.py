"""Convex NMF against the published rule written out, and what it promises about its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import methods
from methods.nonnegative.convex_nmf import ConvexNMF
from methods.typing import Array

N, M, K = 20, 12, 3


def problem(seed: int = 0, *, signed: bool = False) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((N, M)) if signed else rng.random((N, M))
    G = rng.random((K, N)) + 0.1
    return X, G / G.sum(axis=1, keepdims=True), rng.random((N, K)) + 0.1


def fitted(X: Any, **params: Any) -> ConvexNMF:
    settings = {"n_components": K, "max_iter": 30, "tol": 0, "random_state": 0} | params
    est: ConvexNMF = methods.create("convex_nmf", **settings).fit(X)
    return est


def published(X: Array, G: Array, V: Array, steps: int) -> tuple[Array, Array, list[float]]:
    """The rule as printed: X ≈ X G Vᵀ with samples in columns, G and V samples × parts."""
    X, G = X.T, G.T.copy()
    Y = X.T @ X
    plus, minus = (np.abs(Y) + Y) / 2, (np.abs(Y) - Y) / 2
    curve = [np.square(X - X @ G @ V.T).sum()]
    for _ in range(steps):
        VV = V.T @ V
        G = G * np.sqrt((plus @ V + minus @ G @ VV) / (minus @ V + plus @ G @ VV))
        sums = G.sum(axis=0)
        G, V = G / sums, V * sums
        V = V * np.sqrt((plus @ G + V @ (G.T @ minus @ G)) / (minus @ G + V @ (G.T @ plus @ G)))
        curve.append(np.square(X - X @ G @ V.T).sum())
    return G.T, V, curve


@pytest.mark.parametrize("signed", [True, False])
def test_steps_are_the_published_ones(signed: bool) -> None:
    X, G, W = problem(1, signed=signed)
    est = fitted(X, init=(G.copy(), W.copy()), max_iter=5)
    mixing, embedding, curve = published(X, G, W, 5)
    np.testing.assert_allclose(est.mixing_, mixing, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, embedding, rtol=1e-9)
    np.testing.assert_allclose(est.objective_curve_, curve, rtol=1e-9)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.parametrize("signed", [True, False])
def test_parts_are_means_of_samples(signed: bool, solver: str) -> None:
    X, *_ = problem(2, signed=signed)
    est = fitted(X, solver=solver)
    np.testing.assert_allclose(est.mixing_.sum(axis=1), 1)
    assert est.mixing_.min() >= 0
    assert est.embedding_.min() >= 0
    np.testing.assert_allclose(est.components_, est.mixing_ @ X)
    left = np.square(X - est.embedding_ @ est.components_).sum()
    assert est.objective_curve_[-1] == pytest.approx(left)


@pytest.mark.parametrize("signed", [True, False])
def test_the_accelerated_solver_is_ahead(signed: bool) -> None:
    X, *_ = problem(3, signed=signed)
    ours, theirs = (fitted(X, solver=solver, max_iter=60) for solver in ("accelerated", "multiplicative"))
    assert ours.objective_curve_[0] == theirs.objective_curve_[0]
    assert ours.objective_curve_[-1] < theirs.objective_curve_[-1]


def test_it_ends_where_its_slope_allows_no_better() -> None:
    X, *_ = problem(4)
    est = fitted(X, solver="accelerated", max_iter=3000)
    G, W = est.mixing_, est.embedding_
    missed = W @ G @ X - X
    # Zero where an entry is positive, never downhill where it is zero.
    for slope, factor in ((W.T @ missed @ X.T, G), (missed @ X.T @ G.T, W)):
        scale = np.abs(X @ X.T).max() * np.abs(W).max()
        assert np.abs(slope * factor).max() < 1e-4 * scale
        assert slope.min() > -1e-3 * scale


def test_sparse_rows_are_as_good_and_starts_are_checked() -> None:
    X, G, W = problem(5)
    X[X < 0.6] = 0
    for solver in ("multiplicative", "accelerated"):
        dense, found = (fitted(form(X), solver=solver) for form in (np.asarray, sparse.csr_array))
        np.testing.assert_allclose(found.components_, dense.components_, rtol=1e-8, atol=1e-12)
    with pytest.raises(ValueError, match="pair"):
        fitted(X, init=(G,))
    with pytest.raises(ValueError, match="mixing must hold finite numbers that are zero or more"):
        fitted(X, init=(-G, W))
    assert np.isfinite(fitted(X, init="random").objective_curve_).all()
