"""Semi-NMF against a plain implementation; both solvers rest at the same points."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods

Array = NDArray[Any]
both = pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])


def problem(n: int = 14, m: int = 6, k: int = 3) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(5)
    return rng.standard_normal((n, m)) + 0.3, rng.standard_normal((k, m)), rng.random((n, k)) + 0.1


def published(X: Array, W: Array, iterations: int) -> tuple[Array, Array]:
    """U = XVᵀ(VVᵀ)⁻¹, then equation 5 entry by entry; C = Uᵀ, W = Vᵀ."""
    W = W.copy()
    n, k = W.shape
    for _ in range(iterations):
        C = np.linalg.solve(W.T @ W, W.T @ X)
        XC, CC = X @ C.T, C @ C.T
        new = np.empty_like(W)
        for i in range(n):
            for j in range(k):
                grow = (abs(XC[i, j]) + XC[i, j]) / 2
                shrink = (abs(XC[i, j]) - XC[i, j]) / 2
                for a in range(k):
                    grow += W[i, a] * (abs(CC[a, j]) - CC[a, j]) / 2
                    shrink += W[i, a] * (abs(CC[a, j]) + CC[a, j]) / 2
                new[i, j] = W[i, j] * sqrt(grow / shrink)
        W = new
    return C, W


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_equals_the_published_updates(iterations: int) -> None:
    X, C, W = problem()
    model = methods.create("semi_nmf", n_components=3, init=(C, W), max_iter=iterations, tol=0).fit(X)
    wanted_C, wanted_W = published(X, W, iterations)
    np.testing.assert_allclose(model.components_, wanted_C, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(model.embedding_, wanted_W, rtol=1e-9, atol=1e-11)


@both
@pytest.mark.parametrize("init", ["kmeans", "random"])
def test_objective_is_the_squared_error_and_never_rises(solver: str, init: str) -> None:
    X, _, _ = problem(40, 12)
    model = methods.create(
        "semi_nmf", n_components=4, solver=solver, init=init, max_iter=80, tol=0, random_state=0
    ).fit(X)
    error = ((X - model.embedding_ @ model.components_) ** 2).sum()
    assert model.objective_curve_[-1] == pytest.approx(error, rel=1e-10)
    assert (np.diff(model.objective_curve_) <= 1e-12 * model.objective_curve_[0]).all()
    assert (model.embedding_ >= 0).all()
    assert (model.components_ < 0).any()


def test_the_accelerated_solver_is_ahead_and_rests_where_the_published_one_rests() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random((40, 3)) * (rng.random((40, 3)) < 0.5)
    X = truth @ rng.standard_normal((3, 8)) + 0.05 * rng.standard_normal((40, 8))
    settings: dict[str, Any] = {
        "n_components": 3,
        "tol": 0,
        "init": (np.zeros((3, 8)), rng.random((40, 3)) + 0.1),
    }
    slow = methods.create("semi_nmf", max_iter=50, **settings).fit(X)
    fast = methods.create("semi_nmf", solver="accelerated", max_iter=50, **settings).fit(X)
    assert fast.objective_curve_[-1] < slow.objective_curve_[-1]
    at_rest = methods.create("semi_nmf", solver="accelerated", max_iter=3000, **settings).fit(X)
    C, W = at_rest.components_, at_rest.embedding_
    slope = 2 * (W @ (C @ C.T) - X @ C.T)
    # Where an entry is positive the slope is zero; where it is zero the slope is not negative.
    np.testing.assert_allclose(np.minimum(W, slope), 0, atol=1e-4)
    # C was solved for before W took its last step.
    np.testing.assert_allclose(W.T @ (W @ C - X), 0, atol=1e-2)
    on = methods.create("semi_nmf", n_components=3, tol=0, max_iter=50).fit(X, warm_start=at_rest)
    np.testing.assert_allclose(on.objective_curve_, at_rest.objective_curve_[-1], rtol=1e-4)


def test_coordinate_steps_are_exact_minimisers() -> None:
    X, C, W = problem()
    model = methods.create(
        "semi_nmf", n_components=3, solver="accelerated", init=(C, W), max_iter=1, tol=0
    ).fit(X)
    parts = np.linalg.solve(W.T @ W, W.T @ X)
    for _ in range(4):
        for i in range(len(X)):
            for j in range(3):
                rest = X[i] - sum(W[i, a] * parts[a] for a in range(3) if a != j)
                W[i, j] = max(0.0, float(rest @ parts[j]) / float(parts[j] @ parts[j]))
    np.testing.assert_allclose(model.embedding_, W, rtol=1e-9, atol=1e-12)


@both
def test_equal_parts_and_unused_parts_do_no_harm(solver: str) -> None:
    X, C, W = problem()
    X[3] = 0
    W[:, 1] = W[:, 0]
    W[:, 2] = 0
    model = methods.create("semi_nmf", n_components=3, solver=solver, init=(C, W), max_iter=30, tol=0).fit(X)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.embedding_).all()
    # From iteration 1 on: the start's own C may be better than chance, but its W has two equal columns.
    assert (np.diff(model.objective_curve_[1:]) <= 1e-10).all()


@both
def test_sparse_and_implicit_data_run_through_the_same_code(solver: str) -> None:
    X, C, W = problem()
    settings: dict[str, Any] = {"n_components": 3, "solver": solver, "max_iter": 20, "tol": 0}
    dense = methods.create("semi_nmf", init=(C, W), **settings).fit(X)
    for form in (sparse.csr_array, aslinearoperator):
        made = methods.create("semi_nmf", init=(C, W), **settings).fit(form(X))
        np.testing.assert_allclose(made.components_, dense.components_, rtol=1e-8, atol=1e-10)
    drawn = methods.create("semi_nmf", init="random", random_state=0, **settings).fit(aslinearoperator(X))
    same = methods.create("semi_nmf", init="random", random_state=0, **settings).fit(X)
    np.testing.assert_allclose(drawn.embedding_, same.embedding_, rtol=1e-8, atol=1e-10)


@both
def test_permuting_samples_permutes_the_embedding_and_single_precision_is_close(solver: str) -> None:
    X, C, W = problem()
    order = np.random.default_rng(0).permutation(len(X))
    settings: dict[str, Any] = {"n_components": 3, "solver": solver, "max_iter": 20, "tol": 0}
    one = methods.create("semi_nmf", init=(C, W), **settings).fit(X)
    other = methods.create("semi_nmf", init=(C, W[order]), **settings).fit(X[order])
    np.testing.assert_allclose(other.embedding_, one.embedding_[order], rtol=1e-7, atol=1e-10)
    single = methods.create("semi_nmf", init=(C, W), **settings).fit(X.astype(np.float32))
    assert single.embedding_.dtype == single.components_.dtype == np.float32
    np.testing.assert_allclose(single.objective_curve_, one.objective_curve_, rtol=1e-4)


def test_kmeans_start_is_the_blurred_membership() -> None:
    X = np.repeat([[5.0, 0.0], [0.0, 5.0]], 6, axis=0) + np.random.default_rng(0).normal(0, 0.1, (12, 2))
    first = next(methods.create("semi_nmf", n_components=2, random_state=0).iterate(X)).copy()
    W = first.state["embedding"]
    assert set(np.unique(W).round(12)) == {0.2, 1.2}
    assert len(np.unique(W[:6], axis=0)) == len(np.unique(W[6:], axis=0)) == 1
    # Fewer different samples than clusters: no warning, no NaN.
    same = methods.create("semi_nmf", n_components=3, max_iter=5, tol=0, random_state=0).fit(np.ones((6, 2)))
    assert same.objective_curve_[-1] == pytest.approx(0, abs=1e-10)


def test_impossible_starts_are_refused() -> None:
    X, C, W = problem()
    with pytest.raises(ValueError, match="needs the rows"):
        methods.create("semi_nmf", n_components=2).fit(aslinearoperator(X))
    with pytest.raises(ValueError, match="n_components=15 clusters of 14 samples"):
        methods.create("semi_nmf", n_components=15).fit(X)
    with pytest.raises(ValueError, match="pair"):
        methods.create("semi_nmf", n_components=3, init=(C,)).fit(X)
    with pytest.raises(ValueError, match="embedding must hold finite numbers that are zero or more"):
        methods.create("semi_nmf", n_components=3, init=(C, -W)).fit(X)
