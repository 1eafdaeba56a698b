"""sMFA against a plain implementation of its formula, and on faces."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import datasets
import methods
from experiments.measures.recognition import nearest_neighbour
from experiments.requests.splits import split


def problem(n=60, m=9, classes=4, seed=0):
    """Rows on a grid that float32 holds exactly, a third of them unlabelled."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, m)) + 2 * rng.normal(size=(classes, m))[y]
    y[rng.permutation(n)[: n // 3]] = -1
    return np.round(X * 256) / 256, y


def laplacians(X, y, pairs, p):
    """L, Lᵖ and Lˢ over all rows, dense, edge by edge."""
    n = len(X)
    far = np.array([[np.linalg.norm(X[i] - X[j]) for j in range(n)] for i in range(n)])
    S, S_p, S_s = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            S[i, j] = i != j and y[i] == y[j] >= 0
        for j in sorted(set(range(n)) - {i}, key=lambda j: far[i, j])[:p]:
            S_s[i, j] = S_s[j, i] = 1
    for code in np.unique(y[y >= 0]):
        between = [(i, j) for i in range(n) for j in range(n) if y[i] == code and y[j] not in (code, -1)]
        for i, j in sorted(between, key=lambda pair: far[pair])[:pairs]:
            S_p[i, j] = S_p[j, i] = 1
    return [np.diag(affinity.sum(axis=1)) - affinity for affinity in (S, S_p, S_s)]


def plain(X, y, beta, p, ridge, pairs=20):
    """The handbook's sMFA: principal axes, both scatters within them (ridge added), directions."""
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][: len(X) - len(np.unique(y[y >= 0]))]
    Z = X @ axes.T
    L, L_p, L_s = laplacians(X, y, pairs, p)
    A, B = Z.T @ L @ Z + beta * Z.T @ L_s @ Z, Z.T @ L_p @ Z
    A += ridge * np.trace(A) / len(axes) * np.eye(len(axes))
    directions = linalg.eigh(B, A)[1][:, ::-1].T @ axes
    return axes, B, A, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def same_sign(found, expected):
    """Turn the expected rows to the side of those found."""
    return expected * np.sign((found * expected).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("shape", [(60, 9), (24, 80)], ids=["more samples", "more features"])
@pytest.mark.parametrize(("beta", "p", "ridge"), [(0.1, 3, 1e-2), (10.0, 1, 0.1)])
def test_equals_the_plain_formula(shape, beta, p, ridge):
    X, y = problem(*shape)
    smfa = methods.create("smfa", n_components=5, beta=beta, smooth_neighbors=p, ridge=ridge).fit(X, y)
    expected = plain(X, y, beta, p, ridge)[3][:5]
    np.testing.assert_allclose(smfa.components_, same_sign(smfa.components_, expected), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(smfa.components_, axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(smfa.transform(X), (X - X.mean(axis=0)) @ smfa.components_.T, atol=1e-12)


def test_objective_is_what_the_directions_leave_out():
    X, y = problem()
    axes, B, A, _ = plain(X, y, 0.1, 3, 1e-2)
    largest = np.trace(np.linalg.solve(A, B))
    smfa = methods.create("smfa", n_components=9)
    for step in smfa.iterate(X, y):
        W = step.state["components"][: step.iteration] @ axes.T
        reached = np.trace(np.linalg.solve(W @ A @ W.T, W @ B @ W.T)) if step.iteration else 0.0
        np.testing.assert_allclose(step.objective, largest - reached, atol=1e-9 * largest)
    assert (np.diff(smfa.objective_curve_) <= 0).all()


def test_without_smoothness_it_is_mfa_at_equal_pca():
    X, y = problem()
    same = {"n_components": 5, "pca_components": 9, "ridge": 1e-3}
    smfa = methods.create("smfa", beta=0.0, **same).fit(X, y)
    mfa = methods.create("mfa", **same).fit(X, y)
    np.testing.assert_allclose(smfa.components_, mfa.components_, atol=1e-9)


def test_learns_from_unlabelled_rows_but_not_from_their_order():
    X, y = problem()
    changed = X.copy()
    changed[y < 0] = X[y < 0][:, ::-1]
    order = np.random.default_rng(1).permutation(len(X))
    first = methods.create("smfa").fit(X, y)
    second = methods.create("smfa").fit(X[order], y[order])
    other = methods.create("smfa").fit(changed, y)
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)
    np.testing.assert_allclose(first.embedding_[order], second.embedding_, atol=1e-9)
    assert np.abs(first.components_ - other.components_).max() > 1e-3


def test_single_precision_is_close_to_double():
    X, y = problem(24, 80)
    double, single = methods.create("smfa").fit(X, y), methods.create("smfa").fit(X.astype(np.float32), y)
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, atol=1e-6)


def test_one_label_a_class_is_enough_only_with_neighbours():
    X, _ = problem()
    y = np.full(len(X), -1)
    y[:3] = [0, 1, 2]
    assert np.isfinite(methods.create("smfa").fit(X, y).components_).all()
    with pytest.raises(ValueError, match="at least two rows of some class"):
        methods.create("smfa", beta=0.0).fit(X, y)


def test_refusals_name_the_parameter():
    X, y = problem(24, 80)
    y[np.flatnonzero(y >= 0)[8:]] = -1
    with pytest.raises(ValueError, match=r"ridge=0 .* singular"):
        methods.create("smfa", ridge=0.0, smooth_neighbors=1).fit(X, y)
    with pytest.raises(ValueError, match=r"smooth_neighbors=24 .* at most 23"):
        methods.create("smfa", smooth_neighbors=24).fit(X, y)


@pytest.mark.slow
def test_recognises_faces_from_two_pictures():
    orl = datasets.load("orl", size=64)
    scores = []
    for seed in range(2):
        y_partial = split(orl, labelled_per_class=2, seed=seed).y_partial
        Z, known = methods.create("smfa").fit(orl.X, y_partial).embedding_, y_partial >= 0
        scores.append(
            max(
                np.mean(nearest_neighbour(Z[known][:, :k], orl.y[known], Z[~known][:, :k]) == orl.y[~known])
                for k in range(1, Z.shape[1] + 1)
            )
        )
    assert np.mean(scores) >= 0.80
