"""LNP: weights against brute force and SLSQP, propagation against its formulas, and on digits."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

import datasets
from experiments import split
from methods.propagation.lnp import LNP
from methods.propagation.simplex import reconstruction_weights, simplex_least_squares

Array = NDArray[Any]


def blobs(n: int = 90, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = rng.standard_normal((3, 5))[truth] * 1.5 + rng.standard_normal((n, 5))
    return X, np.where(np.arange(n) < 15, truth, -1)


def brute_force(G: Array) -> Array:
    """The best of the minimisers over all supports that come out non-negative."""
    k, best, value = len(G), np.zeros(len(G)), np.inf
    for size in range(1, k + 1):
        for support in combinations(range(k), size):
            w = np.linalg.solve(G[np.ix_(support, support)], np.ones(size))
            w /= w.sum()
            full = np.zeros(k)
            full[list(support)] = w
            if (w >= 0).all() and full @ G @ full < value:
                best, value = full, full @ G @ full
    return best


def grams(n: int, k: int, m: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    apart = rng.standard_normal((n, k, m)) + rng.standard_normal((n, 1, m))
    return np.asarray(apart @ apart.swapaxes(1, 2))


@pytest.mark.parametrize(("k", "m"), [(1, 3), (2, 5), (5, 8), (6, 2), (8, 3)])
def test_weights_equal_brute_force(k: int, m: int) -> None:
    G, ridge = grams(40, k, m, k), 1e-4
    found = simplex_least_squares(G, ridge)
    for gram, w in zip(G, found, strict=True):
        ridged = gram + ridge * np.trace(gram) / k * np.eye(k)
        np.testing.assert_allclose(w, brute_force(ridged), rtol=0, atol=1e-9)


def test_weights_equal_slsqp() -> None:
    X, _ = blobs(30)
    near = np.array(
        [[j for j in np.argsort(np.linalg.norm(X - x, axis=1)) if j != i][:6] for i, x in enumerate(X)]
    )
    found = reconstruction_weights(X, X, near, 1e-9)
    for x, rows, w in zip(X, near, found, strict=True):
        solved = minimize(
            lambda v, x=x, rows=rows: np.sum((x - v @ X[rows]) ** 2),
            np.full(6, 1 / 6),
            jac=lambda v, x=x, rows=rows: -2 * X[rows] @ (x - v @ X[rows]),
            bounds=[(0, None)] * 6,
            constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert np.sum((x - w @ X[rows]) ** 2) <= solved.fun * (1 + 1e-7) + 1e-12
        np.testing.assert_allclose(x - w @ X[rows], x - solved.x @ X[rows], atol=1e-5)


@pytest.mark.parametrize("ridge", [1e-9, 1e-6, 1e-2])
@pytest.mark.parametrize(("k", "m"), [(20, 3), (20, 40), (50, 64)])
def test_weights_satisfy_the_conditions_of_a_minimum(k: int, m: int, ridge: float) -> None:
    G = grams(300, k, m, 1)
    w = simplex_least_squares(G, ridge)
    assert (w >= 0).all()
    np.testing.assert_allclose(w.sum(axis=1), 1)
    G = G / (np.einsum("nkk->n", G) / k)[:, None, None] + ridge * np.eye(k)
    gradient = np.einsum("nij,nj->ni", G, w)
    level = np.einsum("ni,ni->n", gradient, w)[:, None]
    assert (gradient - level >= -1e-12).all()
    assert (np.abs((gradient - level) * w) <= 1e-12).all()


def test_duplicates_share_the_weight_evenly() -> None:
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    near = np.array([[1, 2], [3, 4]])
    np.testing.assert_allclose(reconstruction_weights(X, X[[0, 0]], near, 1e-6), 0.5)


def nearest(X: Array, i: int, k: int) -> list[int]:
    order = np.argsort(np.linalg.norm(X - X[i], axis=1))
    return [int(j) for j in order if j != i][:k]


def fitted_weights(X: Array, k: int, ridge: float = 1e-6) -> Array:
    M = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        rows = nearest(X, i, k)
        gram = (X[rows] - x) @ (X[rows] - x).T
        M[i, rows] = brute_force(gram + ridge * np.trace(gram) / k * np.eye(k))
    return M


@pytest.mark.parametrize("rule", ["symmetric", "printed"])
def test_formula_energy_and_rounds(rule: str) -> None:
    X, y = blobs(60)
    alpha, Y, eye = 0.9, np.eye(4)[y][:, :3], np.eye(60)
    est = LNP(5, alpha, rule=rule).fit(X, y)
    M = fitted_weights(X, 5)
    S = (M + M.T) / 2
    D = np.diag(S.sum(axis=1))
    A, N = (alpha * D + (1 - alpha) * eye, S) if rule == "symmetric" else (eye, M)
    F = np.linalg.solve(A - alpha * N, (1 - alpha) * Y)
    np.testing.assert_allclose(est.label_scores_, F, rtol=1e-6, atol=1e-12)

    def energy(F: Array) -> float:
        apart = sum(M[i, j] * np.sum((F[i] - F[j]) ** 2) for i in range(60) for j in range(60))
        return float(0.5 * apart + (1 / alpha - 1) * np.sum((F - Y) ** 2))

    assert np.isclose(est.objective_curve_[-1], energy(F), rtol=1e-8)
    walk = LNP(5, alpha, rule=rule, solver="iterative", max_iter=500, tol=0)
    F = Y
    for step in walk.iterate(X, y):
        if step.iteration in (0, 1, 10, 100):
            np.testing.assert_allclose(step.state["label_scores"], F, rtol=1e-6, atol=1e-12)
        F = np.linalg.solve(A, alpha * N @ F + (1 - alpha) * Y)
    np.testing.assert_allclose(walk.label_scores_, est.label_scores_, atol=1e-10)
    if rule == "symmetric":
        assert (np.diff(walk.objective_curve_) <= 1e-12 * walk.objective_curve_[0]).all()
        moved = np.random.default_rng(0).standard_normal(F.shape) * 1e-3
        assert energy(est.label_scores_) < min(energy(est.label_scores_ + moved), energy(F + moved))


def test_the_printed_formula_misses_the_minimum() -> None:
    X, y = blobs()
    printed, best = (LNP(rule=rule).fit(X, y).objective_curve_[-1] for rule in ("printed", "symmetric"))
    assert best < printed


def test_many_samples_go_through_sparse_elimination() -> None:
    X, y = blobs(900)
    est = LNP().fit(X, y)
    rounds = LNP(solver="iterative", max_iter=6000, tol=0).fit(X, y)
    np.testing.assert_allclose(est.label_distributions_, rounds.label_distributions_, atol=1e-8)


def test_a_training_row_is_rebuilt_from_itself() -> None:
    X, y = blobs()
    est = LNP().fit(X, y)
    np.testing.assert_allclose(est.predict_proba(X), est.label_distributions_, atol=1e-4)
    np.testing.assert_array_equal(est.predict(X), est.transduction_)


def test_order_of_samples_does_not_matter() -> None:
    X, y = blobs()
    order = np.random.default_rng(1).permutation(len(y))
    moved, est = LNP().fit(X[order], y[order]), LNP().fit(X, y)
    np.testing.assert_allclose(moved.label_distributions_, est.label_distributions_[order], rtol=1e-6)


def test_rows_out_of_reach_are_zero_and_named() -> None:
    X, y = blobs(60)
    X[[20, 31, 32]] += 1000
    with pytest.warns(UserWarning, match=r"no label reached 3 of 60 rows \(20, 31, 32\)"):
        est = LNP(2).fit(X, y)
    np.testing.assert_array_equal(est.label_distributions_[[20, 31, 32]], 0)


def test_impossible_requests_are_refused() -> None:
    X, y = blobs()
    with pytest.raises(ValueError, match="n_neighbors=90"):
        LNP(90).fit(X, y)
    with pytest.raises(ValueError, match="alpha"):
        LNP(alpha=1.0).fit(X, y)
    with pytest.raises(ValueError, match="only 1 class"):
        LNP().fit(X, np.where(y == 0, 0, -1))


def test_recognises_digits() -> None:
    ds = datasets.load("digits")
    rows = split(ds, labelled_per_class=5, seed=0)
    est = LNP().fit(ds.X, rows.y_partial)
    assert np.mean(est.transduction_[rows.unlabelled] == ds.y[rows.unlabelled]) >= 0.93
