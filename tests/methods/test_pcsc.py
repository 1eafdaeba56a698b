"""PCSC against plain alternating eigenproblems; that it agrees more the more it is told to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods
from experiments.measures.clustering import clustering_accuracy
from methods.multiview import pcsc

Array = NDArray[Any]


def problem(n: int = 24, views: int = 3, noise: float = 0.35) -> tuple[list[Array], Array]:
    rng = np.random.default_rng(0)
    truth = rng.permutation(np.arange(n) % 3)
    made = [np.abs(rng.random((3, m))[truth] + noise * rng.standard_normal((n, m))) for m in (6, 8, 5)]
    return made[:views], truth


def create(**params: Any) -> Any:
    settings = {"n_clusters": 3, "lam": 0.3, "tol": 0, "unit_samples": False, "random_state": 0}
    return methods.create("pcsc", **(settings | params))


def affinity(X: Array) -> Array:
    n = len(X)
    distance = np.array([[np.sqrt(((X[i] - X[j]) ** 2).sum()) for j in range(n)] for i in range(n)])
    sigma = np.median([distance[i, j] for i in range(n) for j in range(i)])
    K = np.exp(-(distance**2) / (2 * sigma**2))
    D = np.diag(K.sum(axis=1) ** -0.5)
    return D @ K @ D


def top(L: Array, k: int) -> Array:
    return np.linalg.eigh(L)[1][:, ::-1][:, :k]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("iterations", [0, 1, 10])
def test_equals_plain_alternation(iterations: int, count: int) -> None:
    views, _ = problem(views=count)
    graphs = [affinity(X) for X in views]
    U = [top(L, 3) for L in graphs]
    for _ in range(iterations):
        for v, L in enumerate(graphs):
            pulls = [0.3 * U[w] @ U[w].T for w in range(count) if w != v]
            U[v] = top(L + sum(pulls), 3)
    model = create(max_iter=iterations).fit(views)
    for ours, theirs in zip(model.bases_, U, strict=True):
        # Eigenvectors are settled up to their sign; what matters is the space.
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-8)
    objective = sum(3 - np.trace(A.T @ L @ A) for A, L in zip(U, graphs, strict=True))
    for v in range(count):
        for w in range(v):
            objective += 0.3 * (3 - np.trace(U[v] @ U[v].T @ U[w] @ U[w].T))
    assert model.objective_curve_[-1] == pytest.approx(objective, rel=1e-8)
    np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=1), 1, rtol=1e-12)


def test_objective_never_rises_and_views_come_closer() -> None:
    views, _ = problem()
    apart = []
    for lam in (0.0, 0.1, 10.0):
        model = create(lam=lam, max_iter=30).fit(views)
        assert (np.diff(model.objective_curve_) <= 1e-9).all()
        apart.append(
            sum(3 - ((A.T @ B) ** 2).sum() for A, B in zip(model.bases_, model.bases_[1:], strict=False))
        )
    assert apart[0] > 1.05 * apart[1] > 1.1 * apart[2]


def test_products_alone_find_the_same_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    views, _ = problem()
    whole = create(max_iter=5).fit(views)
    monkeypatch.setattr(pcsc, "_WHOLE", 5)
    leading = create(max_iter=5).fit(views)
    np.testing.assert_allclose(leading.objective_curve_, whole.objective_curve_, rtol=1e-9)


def test_clusters_are_found_and_labels_play_no_part() -> None:
    views, truth = problem(60, noise=0.15)
    model = create(max_iter=10)
    found = model.fit_predict(views)
    assert clustering_accuracy(truth, found) > 0.9
    again = create(max_iter=10).fit(views, np.arange(60) % 7)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)


def test_order_of_samples_and_kind_of_matrix_do_not_matter() -> None:
    views, _ = problem()
    views = [np.where(X > 0.4, X, 0) for X in views]
    order = np.random.default_rng(2).permutation(24)
    for kernel in ("gaussian", "cosine"):
        one = create(max_iter=8, kernel=kernel).fit(views)
        moved = create(max_iter=8, kernel=kernel).fit([X[order] for X in views])
        thin = create(max_iter=8, kernel=kernel).fit([sparse.csr_matrix(X) for X in views])
        np.testing.assert_allclose(moved.objective_curve_, one.objective_curve_, rtol=1e-8)
        np.testing.assert_allclose(thin.objective_curve_, one.objective_curve_, rtol=1e-6)
        alike = one.embedding_ @ one.embedding_.T
        np.testing.assert_allclose(
            moved.embedding_ @ moved.embedding_.T, alike[np.ix_(order, order)], atol=1e-7
        )


def test_cosine_kernel() -> None:
    views, _ = problem(views=1)
    rows = views[0] / np.linalg.norm(views[0], axis=1, keepdims=True)
    K = rows @ rows.T
    D = np.diag(K.sum(axis=1) ** -0.5)
    np.testing.assert_allclose(pcsc.normalised_kernel(views[0], "cosine", 1.0), D @ K @ D, rtol=1e-10)


def test_warm_start_goes_on() -> None:
    views, _ = problem()
    first, straight = create(max_iter=3).fit(views), create(max_iter=5).fit(views)
    on = create(max_iter=2).fit(views, warm_start=first)
    np.testing.assert_allclose(on.objective_curve_, straight.objective_curve_[3:], rtol=1e-9)
    with pytest.raises(ValueError, match="warm_start"):
        create(n_clusters=2).fit(views, warm_start=first)
    with pytest.raises(ValueError, match="warm_start"):
        create().fit(views[:2], warm_start=first)


def test_what_cannot_be_done_is_refused() -> None:
    views, _ = problem()
    with pytest.raises(ValueError, match="n_clusters=25"):
        create(n_clusters=25).fit(views)
    with pytest.raises(ValueError, match="distances"):
        create().fit([aslinearoperator(X) for X in views])
