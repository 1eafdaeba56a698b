"""CONS against scikit-learn's LabelSpreading, its own formula, and on faces."""

from __future__ import annotations

import decimal
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.semi_supervised import LabelSpreading

import datasets
from experiments import split
from methods.propagation.cons import CONS

Array = NDArray[Any]


def blobs(n: int = 80, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = rng.standard_normal((3, 5))[truth] * 1.5 + rng.standard_normal((n, 5))
    return X, np.where(np.arange(n) < 15, truth, -1)


def plain_weights(X: Array, width: float) -> Array:
    W = np.array([[np.exp(-np.sum((a - b) ** 2) / (2 * width**2)) for b in X] for a in X])
    np.fill_diagonal(W, 0)
    return W


@pytest.mark.parametrize("alpha", [0.2, 0.9])
@pytest.mark.parametrize("sigma", [0.2, 1.0])
def test_equals_label_spreading_at_its_convergence(alpha: float, sigma: float) -> None:
    X, y = blobs()
    est = CONS(alpha, sigma).fit(X, y)
    sk = LabelSpreading(gamma=0.5 / est.width_**2, alpha=alpha, max_iter=10000, tol=1e-13).fit(X, y)
    np.testing.assert_allclose(est.label_distributions_, sk.label_distributions_, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(est.transduction_, sk.transduction_)
    new = X[:20] + 0.1
    np.testing.assert_allclose(est.predict_proba(new), sk.predict_proba(new), rtol=0, atol=1e-8)
    np.testing.assert_array_equal(est.predict(new), sk.predict(new))


@pytest.mark.parametrize("graph", ["full", "knn"])
def test_formula_energy_and_rounds(graph: str) -> None:
    X, y = blobs()
    alpha, est = 0.8, CONS(0.8, 0.5, graph=graph).fit(X, y)
    W = plain_weights(X, est.width_)
    if graph == "knn":
        order = np.argsort(np.where(np.eye(len(X)) > 0, np.inf, -W), axis=1)[:, :7]
        near = np.zeros_like(W, dtype=bool)
        near[np.arange(len(X))[:, None], order] = True
        W *= near | near.T
    d, Y = W.sum(axis=1), np.eye(4)[y][:, :3]
    S = W / np.sqrt(np.outer(d, d))
    F = (1 - alpha) * np.linalg.solve(np.eye(len(X)) - alpha * S, Y)
    np.testing.assert_allclose(est.label_scores_, F, rtol=1e-9)
    G = est.label_scores_ / np.sqrt(d)[:, None]
    smooth = 0.5 * sum(W[i, j] * np.sum((G[i] - G[j]) ** 2) for i in range(len(X)) for j in range(len(X)))
    energy = smooth + (1 / alpha - 1) * np.sum((est.label_scores_ - Y) ** 2)
    assert np.isclose(est.objective_curve_[-1], energy, rtol=1e-9)
    F = Y
    walk = CONS(alpha, 0.5, graph=graph, solver="iterative", max_iter=300, tol=0)
    for step in walk.iterate(X, y):
        if step.iteration in (0, 1, 10, 100):
            np.testing.assert_allclose(step.state["label_scores"], F, rtol=1e-9)
        F = alpha * S @ F + (1 - alpha) * Y
    np.testing.assert_allclose(walk.label_scores_, est.label_scores_, rtol=1e-9)
    assert (np.diff(walk.objective_curve_) <= 1e-12 * walk.objective_curve_[0]).all()


def test_faintest_scores_are_accurate() -> None:
    # Scores of the far cluster would be lost in rounding beside the largest; 800 digits say who wins.
    X = np.array([[0.0], [0.125], [1.0], [1.25], [2.5], [2.625]])
    y = np.array([0, -1, 1, -1, -1, -1])
    est = CONS(0.9, 0.08).fit(X, y)
    with decimal.localcontext(prec=800):
        n, scale, alpha = len(X), 2 * Decimal(est.width_) ** 2, Decimal.from_float(0.9)
        x = [Decimal(float(v)) for v in X[:, 0]]
        W = [[Decimal(i != j) * (-((x[i] - x[j]) ** 2) / scale).exp() for j in range(n)] for i in range(n)]
        d = [sum(row) for row in W]
        rows = [
            [Decimal(i == j) - alpha * W[i][j] / (d[i] * d[j]).sqrt() for j in range(n)]
            + [(1 - alpha) * (y[i] == c) for c in (0, 1)]
            for i in range(n)
        ]
        for k in range(n):
            rows[k] = [v / rows[k][k] for v in rows[k]]
            for i in range(n):
                if i != k:
                    rows[i] = [a - rows[i][k] * b for a, b in zip(rows[i], rows[k], strict=True)]
        F = np.array([[float(v) for v in row[n:]] for row in rows])
    assert 0 < F[4].max() < 1e-17
    np.testing.assert_allclose(est.label_scores_, F, rtol=1e-10)


def test_order_of_samples_does_not_matter() -> None:
    X, y = blobs()
    order = np.random.default_rng(1).permutation(len(y))
    moved, est = CONS().fit(X[order], y[order]), CONS().fit(X, y)
    np.testing.assert_allclose(moved.label_distributions_, est.label_distributions_[order], rtol=1e-8)


def test_rows_out_of_reach_are_zero_and_named() -> None:
    X, y = blobs(60)
    X[[20, 31, 32]] += 1000
    with pytest.warns(UserWarning, match=r"no label reached 3 of 60 rows \(20, 31, 32\)"):
        est = CONS(graph="knn", n_neighbors=2, sigma=1.0).fit(X, y)
    np.testing.assert_array_equal(est.label_distributions_[[20, 31, 32]], 0)
    assert np.isfinite(est.predict_proba(X)).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0, 1.5])
def test_alpha_outside_its_range_is_refused(alpha: float) -> None:
    X, y = blobs()
    with pytest.raises(ValueError, match="alpha"):
        CONS(alpha).fit(X, y)


def test_one_class_is_refused() -> None:
    X, y = blobs()
    with pytest.raises(ValueError, match="only 1 class"):
        CONS().fit(X, np.where(y == 0, 0, -1))


def test_recognises_faces() -> None:
    ds = datasets.load("orl", size=64)
    rates = []
    for seed in range(5):
        rows = split(ds, labelled_per_class=2, seed=seed)
        est = CONS(0.99, 0.1).fit(ds.X, rows.y_partial)
        rates.append(np.mean(est.transduction_[rows.unlabelled] == ds.y[rows.unlabelled]))
    assert np.mean(rates) >= 0.86
