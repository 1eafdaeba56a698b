"""SDA against a plain implementation of its formula."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import methods


def problem(n=60, m=9, classes=4, seed=0):
    """Rows on a grid that float32 holds exactly, a third of them unlabelled."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, m)) + 2 * rng.normal(size=(classes, m))[y]
    y[rng.permutation(n)[: n // 3]] = -1
    return np.round(X * 256) / 256, y


def neighbour_scatter(X, Z, p):
    """ZᵀLZ of the nearest-neighbour graph, edge by edge."""
    n = len(X)
    edges = set()
    for i in range(n):
        others = sorted(set(range(n)) - {i}, key=lambda j: np.linalg.norm(X[i] - X[j]))
        edges |= {(min(i, j), max(i, j)) for j in others[:p]}
    total = np.zeros((Z.shape[1], Z.shape[1]))
    for i, j in edges:
        total += np.outer(Z[i] - Z[j], Z[i] - Z[j])
    return total


def plain(X, y, alpha=0.1, p=3, ridge=1e-2):
    """The handbook's SDA in the span of the centred rows: both scatters (ridge added) and directions."""
    _, values, axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    axes = axes[values > 1e-10 * values[0]]
    Z = X @ axes.T
    known, mean = y >= 0, Z[y >= 0].mean(axis=0)
    S_t, S_b = np.zeros((len(axes), len(axes))), np.zeros((len(axes), len(axes)))
    for row, code in zip(Z[known], y[known], strict=True):
        S_t += np.outer(row - mean, row - mean)
        centre = Z[y == code].mean(axis=0)
        S_b += np.outer(centre - mean, centre - mean)
    A = S_t + alpha * neighbour_scatter(X, Z, p)
    A += ridge * np.trace(A) / len(axes) * np.eye(len(axes))
    directions = linalg.eigh(S_b, A)[1][:, ::-1][:, : len(np.unique(y[known])) - 1].T @ axes
    return axes, S_b, A, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def same_sign(found, expected):
    """Turn the expected rows to the side of those found."""
    return expected * np.sign((found * expected).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("shape", [(60, 9), (24, 80)], ids=["more samples", "more features"])
@pytest.mark.parametrize(("alpha", "p", "ridge"), [(0.1, 3, 1e-2), (2.0, 5, 0.3)])
def test_equals_the_plain_formula(shape, alpha, p, ridge):
    X, y = problem(*shape)
    sda = methods.create("sda", alpha=alpha, smooth_neighbors=p, ridge=ridge).fit(X, y)
    expected = plain(X, y, alpha, p, ridge)[3]
    np.testing.assert_allclose(sda.components_, same_sign(sda.components_, expected), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(sda.components_, axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(sda.transform(X), (X - X.mean(axis=0)) @ sda.components_.T, atol=1e-12)


def test_directions_are_those_of_the_full_space():
    X, y = problem(24, 80)
    sda = methods.create("sda").fit(X, y)
    axes, S_b, A, _ = plain(X, y)
    # Outside the span A is the ridge alone and S_b nothing.
    rest = np.eye(80) - axes.T @ axes
    full_A = axes.T @ A @ axes + 0.37 * rest
    full = linalg.eigh(axes.T @ S_b @ axes, full_A)[1][:, ::-1][:, :3].T
    full /= np.linalg.norm(full, axis=1, keepdims=True)
    np.testing.assert_allclose(sda.components_, same_sign(sda.components_, full), atol=1e-9)


def test_objective_is_what_the_directions_leave_out():
    X, y = problem()
    axes, S_b, A, _ = plain(X, y)
    largest = np.trace(np.linalg.solve(A, S_b))
    sda = methods.create("sda")
    for step in sda.iterate(X, y):
        W = step.state["components"][: step.iteration] @ axes.T
        reached = np.trace(np.linalg.solve(W @ A @ W.T, W @ S_b @ W.T)) if step.iteration else 0.0
        np.testing.assert_allclose(step.objective, largest - reached, atol=1e-9 * largest)
    assert sda.n_iter_ == 3
    assert (np.diff(sda.objective_curve_) <= 0).all()


def test_without_neighbours_and_ridge_it_is_lda():
    X, y = problem()
    sda = methods.create("sda", alpha=0.0, ridge=0.0).fit(X, y)
    lda = methods.create("lda", ridge=0.0).fit(X, y)
    np.testing.assert_allclose(sda.components_, lda.components_, atol=1e-9)


def test_learns_from_unlabelled_rows_but_not_from_their_order():
    X, y = problem()
    changed = X.copy()
    changed[y < 0] = X[y < 0][:, ::-1]
    order = np.random.default_rng(1).permutation(len(X))
    first = methods.create("sda").fit(X, y)
    second = methods.create("sda").fit(X[order], y[order])
    other = methods.create("sda").fit(changed, y)
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)
    np.testing.assert_allclose(first.embedding_[order], second.embedding_, atol=1e-9)
    assert np.abs(first.components_ - other.components_).max() > 1e-3


def test_the_ridge_is_relative_to_the_data():
    X, y = problem()
    first, second = methods.create("sda").fit(X, y), methods.create("sda").fit(255 * X, y)
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)


def test_single_precision_is_close_to_double():
    X, y = problem(24, 80)
    double, single = methods.create("sda").fit(X, y), methods.create("sda").fit(X.astype(np.float32), y)
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, atol=1e-6)


def test_refusals_say_what_would_do():
    X, y = problem()
    with pytest.raises(ValueError, match=r"n_components=4 .* at most 3"):
        methods.create("sda", n_components=4).fit(X, y)
    with pytest.raises(ValueError, match=r"smooth_neighbors=60 .* at most 59"):
        methods.create("sda", smooth_neighbors=60).fit(X, y)
