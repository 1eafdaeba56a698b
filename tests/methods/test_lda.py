"""LDA against a plain implementation of its formula, and on faces."""

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


def scatters(rows, y):
    """S_b and S_w, sample by sample."""
    mean, m = rows.mean(axis=0), rows.shape[1]
    S_b, S_w = np.zeros((m, m)), np.zeros((m, m))
    for code in np.unique(y):
        members = rows[y == code]
        centre = members.mean(axis=0)
        for row in members:
            S_b += np.outer(centre - mean, centre - mean)
            S_w += np.outer(row - centre, row - centre)
    return S_b, S_w


def plain(X, y, ridge=RIDGE):
    """The handbook's LDA: principal axes, both scatters within them (ridge added), directions."""
    rows, known = X[y >= 0], y[y >= 0]
    axes = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=False)[2]
    axes = axes[: len(known) - len(np.unique(known))]
    S_b, S_w = scatters(rows @ axes.T, known)
    S_w += ridge * np.trace(S_w) / len(axes) * np.eye(len(axes))
    vectors = linalg.eigh(S_b, S_w)[1][:, ::-1][:, : len(np.unique(known)) - 1].T
    directions = vectors @ axes
    return axes, S_b, S_w, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def same_sign(found, expected):
    """Turn the expected rows to the side of those found."""
    return expected * np.sign((found * expected).sum(axis=1, keepdims=True))


def best_accuracy(features, y, y_partial):
    """Euclidean 1-NN on the unlabelled rows, at the best dimension."""
    known = y_partial >= 0
    return max(
        np.mean(nearest_neighbour(features[known][:, :k], y[known], features[~known][:, :k]) == y[~known])
        for k in range(1, features.shape[1] + 1)
    )


@pytest.mark.parametrize("shape", [(60, 9), (24, 80)], ids=["more samples", "more features"])
def test_equals_the_plain_formula(shape):
    X, y = problem(*shape)
    lda = methods.create("lda", ridge=RIDGE).fit(X, y)
    expected = plain(X, y)[3]
    np.testing.assert_allclose(lda.components_, same_sign(lda.components_, expected), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(lda.components_, axis=1), 1, atol=1e-12)
    mean = X[y >= 0].mean(axis=0)
    np.testing.assert_allclose(lda.transform(X), (X - mean) @ lda.components_.T, atol=1e-12)
    np.testing.assert_allclose(lda.embedding_, lda.transform(X), atol=1e-12)


def test_objective_is_what_the_directions_leave_out():
    X, y = problem()
    axes, S_b, S_w, _ = plain(X, y)
    largest = np.trace(np.linalg.solve(S_w, S_b))
    lda = methods.create("lda", ridge=RIDGE)
    for step in lda.iterate(X, y):
        W = step.state["components"][: step.iteration] @ axes.T
        reached = np.trace(np.linalg.solve(W @ S_w @ W.T, W @ S_b @ W.T)) if step.iteration else 0.0
        assert step.objective == sum(step.terms.values())
        np.testing.assert_allclose(step.objective, largest - reached, atol=1e-9 * largest)
    assert lda.n_iter_ == 3
    assert lda.status_ == "done"
    assert (np.diff(lda.objective_curve_) <= 0).all()


def test_learns_nothing_from_unlabelled_rows():
    X, y = problem()
    changed = X.copy()
    changed[y < 0] = 5 * X[y < 0] + 3
    first, second = (methods.create("lda").fit(rows, y) for rows in (X, changed))
    np.testing.assert_array_equal(first.components_, second.components_)
    np.testing.assert_array_equal(first.mean_, second.mean_)


def test_permuted_samples_give_permuted_results():
    X, y = problem()
    order = np.random.default_rng(1).permutation(len(X))
    first, second = methods.create("lda").fit(X, y), methods.create("lda").fit(X[order], y[order])
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)
    np.testing.assert_allclose(first.embedding_[order], second.embedding_, atol=1e-9)


def test_single_precision_is_close_to_double():
    X, y = problem(24, 80)
    double, single = methods.create("lda").fit(X, y), methods.create("lda").fit(X.astype(np.float32), y)
    assert single.components_.dtype == single.embedding_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, atol=1e-6)


@pytest.mark.parametrize("factor", [1e-160, 1e160])
def test_tiny_and_huge_data_give_the_same_directions(factor):
    X, y = problem()
    first, second = methods.create("lda").fit(X, y), methods.create("lda").fit(X * factor, y)
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-9)


def test_whitened_directions_turn_the_small_scatter_into_the_identity():
    X, y = problem()
    axes, _, S_w, _ = plain(X, y)
    W = methods.create("lda", ridge=RIDGE, scaling="whitened").fit(X, y).components_ @ axes.T
    np.testing.assert_allclose(W @ S_w @ W.T, np.eye(len(W)), atol=1e-9)


def test_pca_components_limits_the_space():
    X, y = problem()
    lda = methods.create("lda", pca_components=2).fit(X, y)
    axes = np.linalg.svd(X[y >= 0] - X[y >= 0].mean(axis=0))[2][:2]
    assert lda.components_.shape == (2, 9)
    np.testing.assert_allclose(lda.components_ @ axes.T @ axes, lda.components_, atol=1e-9)


def test_classes_without_any_scatter_are_told_apart():
    X = np.repeat(np.array([[0.1, 0.2, 0.3], [1.7, 0.2, 0.9], [0.4, 2.1, 0.3]]), 3, axis=0)
    Z = methods.create("lda").fit_transform(X, np.repeat([0, 1, 2], 3))
    assert np.ptp(Z[:3], axis=0).max() < 1e-9
    assert np.linalg.norm(Z[0] - Z[3]) > 1
    assert np.linalg.norm(Z[3] - Z[6]) > 1


def test_refusals_say_what_would_do():
    X, y = problem()
    with pytest.raises(ValueError, match=r"n_components=4 .* at most 3"):
        methods.create("lda", n_components=4).fit(X, y)
    with pytest.raises(ValueError, match="at least two rows of some class"):
        methods.create("lda").fit(X[:3], np.array([0, 1, -1]))
    flat = X.copy()
    flat[:, 0] = y
    with pytest.raises(ValueError, match=r"ridge=0 .* singular"):
        methods.create("lda", ridge=0.0).fit(flat, y)
    with pytest.raises(ValueError, match=r"labelled rows .* all the same"):
        methods.create("lda").fit(np.ones((6, 3)), np.arange(6) % 2)


@pytest.mark.slow
def test_recognises_faces_from_two_pictures_and_only_at_unit_length():
    orl = datasets.load("orl", size=64)
    unit, whitened = [], []
    for seed in range(2):
        y_partial = split(orl, labelled_per_class=2, seed=seed).y_partial
        lda = methods.create("lda").fit(orl.X, y_partial)
        unit.append(best_accuracy(lda.embedding_, orl.y, y_partial))
        lda = methods.create("lda", scaling="whitened").fit(orl.X, y_partial)
        whitened.append(best_accuracy(lda.embedding_, orl.y, y_partial))
    assert np.mean(unit) >= 0.73
    assert np.mean(whitened) < np.mean(unit) - 0.3
