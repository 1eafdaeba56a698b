"""DPCA against its definition pair by pair, its reductions, and on faces."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import datasets
import methods
from experiments.measures.recognition import nearest_neighbour
from experiments.requests.splits import split

MUST = [(0, 5), (5, 0), (7, 3), (11, 2), (2, 11)]
CANNOT = [(1, 9), (4, 6), (9, 1), (12, 0)]


def problem(n=40, m=9, classes=3, seed=0):
    """Rows on a grid that float32 holds exactly, about half of them labelled."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    X = rng.normal(size=(n, m)) * np.linspace(1, 3, m) + rng.normal(size=(classes, m))[y]
    y[rng.permutation(n)[: n // 2]] = -1
    return np.round(X * 256) / 256, y


def pair_by_pair(X, y, must=(), cannot=()):
    """S_B, S_W and S_T, looking at every pair of rows."""
    together = {frozenset(pair) for pair in must}
    apart = {frozenset(pair) for pair in cannot}
    for i, j in combinations(range(len(X)), 2):
        if y[i] >= 0 and y[j] >= 0:
            (together if y[i] == y[j] else apart).add(frozenset((i, j)))
    mean = X.mean(axis=0)
    S_T = sum(np.outer(row - mean, row - mean) for row in X) / len(X)
    return average(X, apart), average(X, together), S_T


def average(X, pairs):
    """The mean of (x_i − x_j)(x_i − x_j)ᵀ; zero without pairs."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for i, j in map(tuple, pairs):
        total += np.outer(X[i] - X[j], X[i] - X[j])
    return total / max(1, len(pairs))


def plain(X, y, must=(), cannot=(), eta=10.0, lam=1.0):
    """Eigenvalues, largest first, and eigenvectors of M in the span of the centred rows."""
    S_B, S_W, S_T = pair_by_pair(X, y, must, cannot)
    _, values, axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    axes = axes[values > 1e-10 * values[0]]
    values, vectors = np.linalg.eigh(axes @ (S_B - eta * S_W + lam * S_T) @ axes.T)
    return values[::-1], vectors[:, ::-1].T @ axes


def same_sign(found, expected):
    """Turn the expected rows to the side of those found."""
    return expected * np.sign((found * expected).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("shape", [(40, 9), (24, 70)], ids=["more samples", "more features"])
@pytest.mark.parametrize("weights", [(10.0, 1.0), (0.5, 3.0)])
@pytest.mark.parametrize("given", ["labels", "pairs", "both"])
def test_equals_the_definition_pair_by_pair(shape, weights, given):
    X, y = problem(*shape)
    y = np.full(len(X), -1) if given == "pairs" else y
    pairs = {} if given == "labels" else {"must": MUST, "cannot": CANNOT}
    eta, lam = weights
    values, vectors = plain(X, y, **pairs, eta=eta, lam=lam)
    dpca = methods.create("dpca", n_components=len(values), eta=eta, lam=lam)
    dpca.fit(X, y, **{f"{name}_link": some for name, some in pairs.items()})
    np.testing.assert_allclose(dpca.components_, same_sign(dpca.components_, vectors), atol=1e-10)
    np.testing.assert_allclose(-np.diff(dpca.objective_curve_), values, atol=1e-10 * np.abs(values).max())


@pytest.mark.parametrize("shape", [(40, 9), (24, 70)], ids=["more samples", "more features"])
def test_objective_is_the_trace_the_directions_leave_out(shape):
    X, y = problem(*shape)
    S_B, S_W, S_T = pair_by_pair(X, y, MUST, CANNOT)
    dpca = methods.create("dpca", n_components=7)
    for step in dpca.iterate(X, y, must_link=MUST, cannot_link=CANNOT):
        W = step.state["components"]
        assert set(step.terms) == {"between", "within", "total"}
        for name, S, weight in (("between", S_B, 1), ("within", S_W, -10), ("total", S_T, 1)):
            left = weight * (np.trace(S) - np.trace(W @ S @ W.T))
            np.testing.assert_allclose(step.terms[name], left, atol=1e-9 * np.trace(S))
        np.testing.assert_allclose(step.objective, sum(step.terms.values()))


def test_the_curve_rises_where_directions_do_harm():
    X, y = problem()
    curve = methods.create("dpca", n_components=9, eta=10.0).fit(X, y).objective_curve_
    values = plain(X, y)[0]
    assert values[0] > 0 > values[-1]
    assert curve.argmin() == (values > 0).sum()


@pytest.mark.parametrize("shape", [(40, 9), (24, 70)], ids=["more samples", "more features"])
@pytest.mark.parametrize("y", [None, -1], ids=["no y", "all unlabelled"])
def test_without_labels_it_is_pca(shape, y):
    X, _ = problem(*shape)
    dpca = methods.create("dpca", n_components=8).fit(X, y if y is None else np.full(len(X), y))
    pca = methods.create("pca", n_components=8).fit(X)
    np.testing.assert_allclose(dpca.components_, pca.components_, atol=1e-10)
    np.testing.assert_allclose(dpca.embedding_, pca.embedding_, atol=1e-9)
    np.testing.assert_allclose(dpca.objective_curve_, pca.objective_curve_ / len(X), rtol=1e-9)
    np.testing.assert_allclose(dpca.inverse_transform(dpca.embedding_), pca.inverse_transform(pca.embedding_))


def test_pairs_that_labels_imply_change_nothing():
    X, y = problem()
    known = np.flatnonzero(y >= 0)
    same = [(i, j) for i in known for j in known if i != j and y[i] == y[j]]
    other = [(i, j) for i in known for j in known if y[i] != y[j]]
    first = methods.create("dpca").fit(X, y)
    second = methods.create("dpca").fit(X, y, must_link=same, cannot_link=np.array(other))
    np.testing.assert_array_equal(first.components_, second.components_)
    np.testing.assert_array_equal(first.objective_curve_, second.objective_curve_)


def test_all_pairs_of_labelled_rows_equal_the_labels():
    X, y = problem()
    known = np.flatnonzero(y >= 0)
    same = [pair for pair in combinations(known, 2) if y[pair[0]] == y[pair[1]]]
    other = [pair for pair in combinations(known, 2) if y[pair[0]] != y[pair[1]]]
    by_labels = methods.create("dpca").fit(X, y)
    by_pairs = methods.create("dpca").fit(X, must_link=same, cannot_link=other)
    np.testing.assert_allclose(by_labels.components_, by_pairs.components_, atol=1e-10)


def test_a_pair_against_the_labels_counts_too():
    X, y = problem()
    i, j = next(pair for pair in combinations(range(len(X)), 2) if y[pair[0]] > y[pair[1]] >= 0)
    dpca = methods.create("dpca", n_components=9).fit(X, y, must_link=[(i, j)])
    expected = plain(X, y, must=[(i, j)])[1]
    np.testing.assert_allclose(dpca.components_, same_sign(dpca.components_, expected), atol=1e-10)


def test_directions_in_which_nothing_varies_come_last():
    X, y = problem()
    X[:, [2, 6]] = 5.0
    dpca = methods.create("dpca", n_components=9).fit(X, y)
    np.testing.assert_allclose(dpca.components_ @ dpca.components_.T, np.eye(9), atol=1e-12)
    np.testing.assert_allclose(dpca.embedding_[:, 7:], 0, atol=1e-12)
    assert (dpca.embedding_[:, :7].std(axis=0) > 0.1).all()
    assert plain(X, y)[0][6] < 0


def test_transform_and_embedding_agree_and_samples_may_be_permuted():
    X, y = problem()
    order = np.random.default_rng(1).permutation(len(X))
    place = np.argsort(order)
    first = methods.create("dpca").fit(X, y, must_link=MUST)
    second = methods.create("dpca").fit(X[order], y[order], must_link=[(place[i], place[j]) for i, j in MUST])
    np.testing.assert_allclose(first.transform(X), (X - X.mean(axis=0)) @ first.components_.T, atol=1e-12)
    np.testing.assert_allclose(first.embedding_, first.transform(X), atol=1e-12)
    np.testing.assert_allclose(first.components_, second.components_, atol=1e-10)
    np.testing.assert_allclose(first.embedding_[order], second.embedding_, atol=1e-9)


def test_single_precision_is_close_to_double():
    X, y = problem(24, 70)
    double, single = methods.create("dpca").fit(X, y), methods.create("dpca").fit(X.astype(np.float32), y)
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, atol=1e-6)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 40)], r"must_link holds the pair \(0, 40\), but rows are numbered 0 to 39"),
        ([(-1, 3)], r"must_link holds the pair \(-1, 3\)"),
        ([(3, 3)], "must_link pairs row 3 with itself"),
        ([(1, 2, 3)], r"must_link must be a list of pairs .* shape \(1, 3\)"),
        ([(0.5, 1.0)], "must_link must be a list of pairs .* float64"),
    ],
)
def test_bad_pairs_are_refused_by_name(pairs, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        methods.create("dpca").fit(X, y, must_link=pairs)


def test_refusals_say_what_would_do():
    X, y = problem()
    with pytest.raises(ValueError, match=r"n_components=10 .* at most 9"):
        methods.create("dpca", n_components=10).fit(X, y)
    with pytest.raises(ValueError, match="lam=0 leaves nothing"):
        methods.create("dpca", lam=0.0).fit(X)


@pytest.mark.slow
def test_recognises_faces_better_than_pca_lda_and_sda():
    orl = datasets.load("orl", size=32)
    scores = {name: [] for name in ("dpca", "pca", "lda", "sda")}
    for seed in range(3):
        y_partial = split(orl, labelled_per_class=4, seed=seed).y_partial
        known = y_partial >= 0
        for name, accuracies in scores.items():
            Z = methods.create(name).fit(orl.X, y_partial).embedding_
            accuracies.append(
                max(
                    np.mean(
                        nearest_neighbour(Z[known][:, :k], orl.y[known], Z[~known][:, :k]) == orl.y[~known]
                    )
                    for k in range(1, Z.shape[1] + 1)
                )
            )
    ranked = {name: np.mean(accuracies) for name, accuracies in scores.items()}
    assert ranked["dpca"] > 0.01 + max(ranked["pca"], ranked["lda"], ranked["sda"])
