"""MFA against a plain implementation of its formula, and on faces."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import datasets
import methods
from experiments.measures.recognition import nearest_neighbour
from experiments.requests.splits import split

RIDGE = 1e-3


def problem(n=60, m=9, classes=4, seed=0):
    """Rows on a grid that float32 holds exactly, a third of them unlabelled."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, m)) + 2 * rng.normal(size=(classes, m))[y]
    y[rng.permutation(n)[: n // 3]] = -1
    return np.round(X * 256) / 256, y


def graph_edges(X, y, neighbours, pairs):
    """Edges of both graphs as sets of (i, j), i < j, found by looking at every pair."""
    n = len(X)
    far = np.array([[np.linalg.norm(X[i] - X[j]) for j in range(n)] for i in range(n)])
    near, apart = set(), set()
    for i in range(n):
        mates = sorted((j for j in range(n) if j != i and y[j] == y[i]), key=lambda j: far[i, j])
        near |= {(min(i, j), max(i, j)) for j in mates[:neighbours]}
    for code in np.unique(y):
        between = [(i, j) for i in range(n) for j in range(n) if y[i] == code != y[j]]
        shortest = sorted(between, key=lambda pair: far[pair])[:pairs]
        apart |= {(min(pair), max(pair)) for pair in shortest}
    return near, apart


def scatter(Z, edges):
    """Sum of (z_i − z_j)(z_i − z_j)ᵀ over edges."""
    total = np.zeros((Z.shape[1], Z.shape[1]))
    for i, j in edges:
        total += np.outer(Z[i] - Z[j], Z[i] - Z[j])
    return total


def plain(X, y, neighbours=None, pairs=20):
    """The handbook's MFA: principal axes, both scatters within them (ridge added), directions."""
    rows, known = X[y >= 0], y[y >= 0]
    axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2]
    axes = axes[: len(known) - len(np.unique(known))]
    near, apart = graph_edges(rows, known, neighbours, pairs)
    A, B = scatter(rows @ axes.T, near), scatter(rows @ axes.T, apart)
    A += RIDGE * np.trace(A) / len(axes) * np.eye(len(axes))
    directions = linalg.eigh(B, A)[1][:, ::-1].T @ axes
    return axes, B, A, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def same_sign(found, expected):
    """Turn the expected rows to the side of those found."""
    return expected * np.sign((found * expected).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("shape", [(60, 9), (24, 80)], ids=["more samples", "more features"])
@pytest.mark.parametrize("graph", [(None, 20), (2, 5)], ids=["all of a class", "near ones"])
def test_equals_the_plain_formula(shape, graph):
    X, y = problem(*shape)
    neighbours, pairs = graph
    mfa = methods.create(
        "mfa", n_components=5, intrinsic_neighbors=neighbours, penalty_pairs=pairs, ridge=RIDGE
    ).fit(X, y)
    expected = plain(X, y, neighbours, pairs)[3][:5]
    np.testing.assert_allclose(mfa.components_, same_sign(mfa.components_, expected), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(mfa.components_, axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(mfa.transform(X), (X - mfa.mean_) @ mfa.components_.T, atol=1e-12)


def test_objective_is_what_the_directions_leave_out():
    X, y = problem()
    axes, B, A, _ = plain(X, y)
    largest = np.trace(np.linalg.solve(A, B))
    mfa = methods.create("mfa", n_components=9, ridge=RIDGE)
    for step in mfa.iterate(X, y):
        W = step.state["components"][: step.iteration] @ axes.T
        reached = np.trace(np.linalg.solve(W @ A @ W.T, W @ B @ W.T)) if step.iteration else 0.0
        np.testing.assert_allclose(step.objective, largest - reached, atol=1e-9 * largest)
    assert mfa.objective_curve_[-1] == 0
    assert (np.diff(mfa.objective_curve_) <= 0).all()


def test_learns_nothing_from_unlabelled_rows():
    X, y = problem()
    changed = X.copy()
    changed[y < 0] = 5 * X[y < 0] + 3
    first, second = (methods.create("mfa").fit(rows, y) for rows in (X, changed))
    np.testing.assert_array_equal(first.components_, second.components_)


def test_permuted_samples_give_permuted_results():
    X, y = problem()
    order = np.random.default_rng(1).permutation(len(X))
    first, second = methods.create("mfa").fit(X, y), methods.create("mfa").fit(X[order], y[order])
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)
    np.testing.assert_allclose(first.embedding_[order], second.embedding_, atol=1e-9)


def test_single_precision_is_close_to_double():
    X, y = problem(24, 80)
    double, single = methods.create("mfa").fit(X, y), methods.create("mfa").fit(X.astype(np.float32), y)
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, atol=1e-6)


def test_directions_beyond_the_pairs_are_there_but_part_nothing():
    X, y = problem()
    rows = np.flatnonzero(y >= 0)[:8]
    keep = np.full(len(y), -1)
    keep[rows] = np.arange(8) % 2
    mfa = methods.create("mfa", n_components=6, penalty_pairs=1).fit(X, keep)
    np.testing.assert_allclose(mfa.objective_curve_[1:], 0, atol=1e-9 * mfa.objective_curve_[0])
    np.testing.assert_allclose(np.linalg.norm(mfa.components_, axis=1), 1, atol=1e-12)


def test_refusals_say_what_would_do():
    X, y = problem()
    with pytest.raises(ValueError, match=r"n_components=10 .* at most 9"):
        methods.create("mfa", n_components=10).fit(X, y)
    with pytest.raises(ValueError, match="at least two rows of some class"):
        methods.create("mfa").fit(X[:3], np.array([0, 1, -1]))


@pytest.mark.slow
def test_recognises_faces_from_two_pictures():
    orl = datasets.load("orl", size=64)
    scores = []
    for seed in range(2):
        y_partial = split(orl, labelled_per_class=2, seed=seed).y_partial
        Z, known = methods.create("mfa").fit(orl.X, y_partial).embedding_, y_partial >= 0
        scores.append(
            max(
                np.mean(nearest_neighbour(Z[known][:, :k], orl.y[known], Z[~known][:, :k]) == orl.y[~known])
                for k in range(1, Z.shape[1] + 1)
            )
        )
    assert np.mean(scores) >= 0.74
