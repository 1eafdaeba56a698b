"""HGF against exact arithmetic at every width, against scikit-learn, and on faces and digits."""

from __future__ import annotations

import decimal
import warnings
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.semi_supervised import LabelPropagation

import datasets
from experiments import split
from methods.propagation import elimination, harmonic
from methods.propagation.hgf import HGF
from methods.propagation.weights import LogGraph

Array = NDArray[Any]
WIDTHS = [0.02, 0.05, 0.06, 0.2, 1.0, 10.0]


def small(seed: int = 0) -> tuple[Array, Array]:
    """Points on a grid, so that squared distances are exact, with a duplicate and a far pair of strangers."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-8, 9, (9, 3)).astype(float) / 8
    X[5] = X[4]
    X[7], X[8] = [4, 4, 4], [4, 4, 4.125]
    return X, np.array([0, 1, 2, 1, -1, -1, -1, -1, -1])


def blobs(n: int, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = rng.standard_normal((3, 5))[truth] * 1.5 + rng.standard_normal((n, 5))
    return X, np.where(np.arange(n) < 15, truth, -1)


def by_forests(X: Array, y: Array, width: float) -> Array:
    """The share of all forests that hang a sample on a label of each class (Markov chain tree theorem).

    A forest gives every unlabelled sample one way out, and counts as the product of their weights. Sums
    of products alone, with 40 digits and exponents without end: there is nothing that could go wrong.
    """
    free = [int(i) for i in np.flatnonzero(y < 0)]
    with decimal.localcontext(prec=40, Emin=-(10**9), Emax=10**9):
        scale = 2 * Decimal.from_float(width) ** 2
        weight = {
            (i, j): (-Decimal.from_float(float(np.sum((X[i] - X[j]) ** 2))) / scale).exp()
            for i in free
            for j in range(len(X))
        }
        total = Decimal(0)
        hung = {(i, c): Decimal(0) for i in free for c in range(int(y.max()) + 1)}
        for ways in product(range(len(X)), repeat=len(free)):
            roots = follow(dict(zip(free, ways, strict=True)))
            if roots is None:
                continue
            worth = Decimal(1)
            for i, j in zip(free, ways, strict=True):
                worth *= weight[i, j]
            total += worth
            for i, root in roots.items():
                hung[i, int(y[root])] += worth
        return np.array([[float(hung[i, c] / total) for c in range(int(y.max()) + 1)] for i in free])


def follow(ways: dict[int, int]) -> dict[int, int] | None:
    """Where each way ends, or None if one goes round in a circle."""
    ends = {}
    for start in ways:
        at = start
        for _ in ways:
            at = ways.get(at, at)
        if at in ways:
            return None
        ends[start] = at
    return ends


@pytest.mark.parametrize("sigma", WIDTHS)
def test_equals_exact_arithmetic_at_any_width(sigma: float) -> None:
    X, y = small()
    est = HGF(sigma).fit(X, y)
    found = est.label_scores_[y < 0]
    # To the accuracy of the exponents that go into the weights, however faint the share.
    np.testing.assert_allclose(found, by_forests(X, y, est.width_), rtol=1e-9, atol=1e-40)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-13)


def test_narrow_widths_that_doubles_cannot_hold_go_by_logarithms() -> None:
    X, y = small()
    paths = {}
    for sigma in (0.02, 1.0):
        est = HGF(sigma)
        field = harmonic.HarmonicField(est._graph(X), y, 3)
        paths[sigma] = field._beyond_doubles()
    assert paths == {0.02: True, 1.0: False}


@pytest.mark.parametrize("sigma", [0.02, 0.1, 0.5, 2.0, 10.0])
@pytest.mark.parametrize("graph", ["full", "knn"])
def test_rows_sum_to_one(sigma: float, graph: str) -> None:
    X, y = blobs(400)
    est = HGF(sigma, graph=graph, n_neighbors=8).fit(X, y)
    np.testing.assert_allclose(est.label_scores_.sum(axis=1), 1, rtol=0, atol=1e-11)
    assert (est.label_scores_ >= 0).all()
    np.testing.assert_array_equal(est.label_distributions_[y >= 0], np.eye(3)[y[y >= 0]])
    assert est.embedding_ is est.label_distributions_


@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_equals_a_direct_solution_where_that_is_accurate(sigma: float) -> None:
    X, y = blobs(330)
    est = HGF(sigma).fit(X, y)
    W = np.array([[np.exp(-np.sum((a - b) ** 2) / (2 * est.width_**2)) for b in X] for a in X])
    np.fill_diagonal(W, 0)
    L, u = np.diag(W.sum(axis=1)) - W, y < 0
    expected = np.linalg.solve(L[np.ix_(u, u)], W[np.ix_(u, ~u)] @ np.eye(3)[y[~u]])
    np.testing.assert_allclose(est.label_scores_[u], expected, rtol=1e-9)
    energy = sum(
        0.5 * W[i, j] * np.sum((est.label_scores_[i] - est.label_scores_[j]) ** 2)
        for i in range(len(X))
        for j in range(len(X))
    )
    assert np.isclose(est.objective_curve_[-1], energy / W.max(), rtol=1e-9)


def test_equals_label_propagation_at_its_convergence() -> None:
    X, y = blobs(80)
    est = HGF(0.5).fit(X, y)
    sk = LabelPropagation(kernel="rbf", gamma=0.5 / est.width_**2, max_iter=20000, tol=1e-14).fit(X, y)
    np.testing.assert_allclose(est.label_distributions_, sk.label_distributions_, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(est.transduction_, sk.transduction_)
    new = X[:20] + 0.1
    np.testing.assert_allclose(est.predict_proba(new), sk.predict_proba(new), rtol=0, atol=1e-8)


@pytest.mark.parametrize("sigma", [0.05, 0.5])
def test_the_three_eliminations_agree(sigma: float) -> None:
    X, y = blobs(700)
    graph = HGF(sigma, graph="knn", n_neighbors=6)._graph(X)
    fields = [harmonic.HarmonicField(graph, y, 3), harmonic.HarmonicField(LogGraph(graph.dense_logs()), y, 3)]
    sparse, dense = (field._by_weights() for field in fields)
    np.testing.assert_allclose(sparse, dense, rtol=1e-11)
    np.testing.assert_allclose(fields[0]._by_logs(), dense, rtol=1e-9)


def test_elimination_with_rates_of_leaving_and_one_way_edges() -> None:
    rng = np.random.default_rng(3)
    W = rng.uniform(size=(230, 230)) * (rng.uniform(size=(230, 230)) < 0.1)
    np.fill_diagonal(W, 0)
    leaving, B = rng.uniform(0.1, 1, 230), rng.uniform(size=(230, 4))
    expected = np.linalg.solve(np.diag(W.sum(axis=1) + leaving) - W, B)
    np.testing.assert_allclose(elimination.absorbed(W.copy(), leaving, B), expected, rtol=1e-11)


@pytest.mark.parametrize("graph", ["full", "knn"])
def test_rounds_approach_the_solution_and_never_raise_the_energy(graph: str) -> None:
    X, y = blobs(90)
    exact = HGF(0.5, graph=graph).fit(X, y)
    steps = [
        step.copy() for step in HGF(0.5, graph=graph, solver="iterative", max_iter=3000, tol=0).iterate(X, y)
    ]
    np.testing.assert_allclose(steps[-1].state["label_scores"], exact.label_scores_, rtol=0, atol=1e-9)
    energies = np.array([step.objective for step in steps])
    assert (np.diff(energies) <= 1e-12 * energies[0]).all()
    assert np.isclose(energies[-1], exact.objective_curve_[-1])
    assert steps[0].terms.keys() == {"smoothness", "fit"}
    # A round is the plain average over neighbours, labels held fast.
    np.testing.assert_array_equal(steps[0].state["label_scores"][y < 0], 0)
    near = steps[1].state["label_scores"]
    if graph == "full":
        W = np.exp(-np.square(X[:, None] - X[None]).sum(-1) / (2 * exact.width_**2))
        np.fill_diagonal(W, 0)
        expected = (W / W.sum(axis=1, keepdims=True)) @ steps[0].state["label_scores"]
        np.testing.assert_allclose(near[y < 0], expected[y < 0], rtol=1e-9)


def test_warm_start_goes_on_where_the_other_run_stopped() -> None:
    X, y = blobs(60)
    whole = HGF(0.4, solver="iterative", max_iter=20, tol=0).fit(X, y)
    half = HGF(0.4, solver="iterative", max_iter=10, tol=0).fit(X, y)
    resumed = HGF(0.4, solver="iterative", max_iter=10, tol=0).fit(X, y, warm_start=half)
    np.testing.assert_allclose(resumed.label_scores_, whole.label_scores_, rtol=1e-12)


@pytest.mark.parametrize("solver", ["exact", "iterative"])
def test_rows_out_of_reach_are_zero_and_named(solver: str) -> None:
    X, y = blobs(60)
    lost = np.array([20, 31, 32, 47])
    X[lost] += 1000
    est = HGF(graph="knn", n_neighbors=2, solver=solver, sigma=1.0, max_iter=5000)
    with pytest.warns(UserWarning, match=r"no label reached 4 of 60 rows \(20, 31, 32, 47\)"):
        est.fit(X, y)
    np.testing.assert_array_equal(est.unreached_, lost)
    np.testing.assert_array_equal(est.label_distributions_[lost], 0)
    assert set(est.transduction_[lost]) == {-1}
    np.testing.assert_allclose(np.delete(est.label_distributions_, lost, axis=0).sum(axis=1), 1)
    np.testing.assert_allclose(est.predict_proba(X).sum(axis=1), 1)


def test_far_from_all_data_the_nearest_still_counts() -> None:
    X, y = blobs(60)
    est = HGF(0.05).fit(X, y)
    far = X + 1e3
    proba = est.predict_proba(far)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    nearest = np.square(far[:, None] - X[None]).sum(-1).argmin(axis=1)
    np.testing.assert_array_equal(est.predict(far), est.transduction_[nearest])


def test_single_precision_is_close() -> None:
    X, y = blobs(100)
    one, two = HGF().fit(X, y), HGF().fit(X.astype(np.float32), y)
    assert two.label_distributions_.dtype == two.predict_proba(X.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(two.label_distributions_, one.label_distributions_, atol=1e-4)


def test_impossible_requests_are_refused() -> None:
    X, y = blobs(20)
    with pytest.raises(ValueError, match="only 1 class"):
        HGF().fit(X, np.where(y == 0, 0, -1))
    with pytest.raises(ValueError, match="n_neighbors=20"):
        HGF(graph="knn", n_neighbors=20).fit(X, y)
    with pytest.raises(ValueError, match="sigma"):
        HGF(sigma=0.0).fit(X, y)
    with pytest.raises(ValueError, match="warm_start"):
        HGF().fit(X, y, warm_start=HGF().fit(X[:10], y[:10]))


def test_two_thousand_samples_and_no_warning() -> None:
    X, y = blobs(2000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for graph in ("full", "knn"):
            est = HGF(0.1, graph=graph).fit(X, y)
            np.testing.assert_allclose(est.label_scores_.sum(axis=1), 1, atol=1e-10)


def test_recognises_faces() -> None:
    ds = datasets.load("orl", size=64)
    rates = []
    for seed in range(5):
        rows = split(ds, labelled_per_class=2, seed=seed)
        est = HGF(0.08).fit(ds.X, rows.y_partial)
        rates.append(np.mean(est.transduction_[rows.unlabelled] == ds.y[rows.unlabelled]))
    assert np.mean(rates) >= 0.84


def test_recognises_digits() -> None:
    ds = datasets.load("digits")
    rows = split(ds, labelled_per_class=5, seed=0)
    est = HGF(0.2, graph="knn").fit(ds.X, rows.y_partial)
    assert np.mean(est.transduction_[rows.unlabelled] == ds.y[rows.unlabelled]) >= 0.93
