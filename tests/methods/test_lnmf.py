"""LNMF against a plain implementation, and what its objective does and does not do."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import datasets
import methods
from experiments import split
from experiments.measures.sparsity import hoyer

Array = NDArray[Any]


def problem(n: int = 9, m: int = 7, k: int = 3) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(3)
    return rng.random((n, m)), rng.random((k, m)), rng.random((n, k))


def quotient(X: Array, W: Array, H: Array) -> list[list[float]]:
    k = len(H)
    return [
        [X[i][j] / sum(W[i][a] * H[a][j] for a in range(k)) for j in range(len(X[0]))] for i in range(len(X))
    ]


def published(X: Array, C: Array, V: Array, iterations: int) -> tuple[Array, Array]:
    """H ← √(H ∘ Wᵀ(X/WH)); W ← W ∘ ((X/WH)Hᵀ)/(row sums of H); columns of W sum to 1. H = Vᵀ, W = Cᵀ."""
    X, C, V = X.tolist(), C.tolist(), V.tolist()
    n, m, k = len(X), len(X[0]), len(C)
    for _ in range(iterations):
        R = quotient(X, V, C)
        V = [[sqrt(V[i][a] * sum(R[i][j] * C[a][j] for j in range(m))) for a in range(k)] for i in range(n)]
        R = quotient(X, V, C)
        for a in range(k):
            total = sum(V[i][a] for i in range(n))
            C[a] = [C[a][j] * sum(V[i][a] * R[i][j] for i in range(n)) / total for j in range(m)]
        for a in range(k):
            total = sum(C[a])
            C[a] = [value / total for value in C[a]]
    return np.array(C), np.array(V)


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_equals_the_published_updates(iterations: int) -> None:
    X, C, V = problem()
    model = methods.create("lnmf", n_components=3, init=(C, V), max_iter=iterations).fit(X)
    wanted_C, wanted_V = published(X, C, V, iterations)
    np.testing.assert_allclose(model.components_, wanted_C, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.embedding_, wanted_V, rtol=1e-9, atol=1e-12)


def test_objective_is_the_divergence_of_the_fitted_arrays() -> None:
    X, _, _ = problem()
    X[2, 3] = 0
    model = methods.create("lnmf", n_components=3, max_iter=8, random_state=0).fit(X)
    model_of_X = model.embedding_ @ model.components_
    wanted = sum(
        (x * log(x / fit) if x > 0 else 0) - x + fit
        for x, fit in zip(X.ravel(), model_of_X.ravel(), strict=True)
    )
    assert model.objective_curve_[-1] == pytest.approx(wanted, rel=1e-10)


def test_the_objective_is_not_monotone_and_all_iterations_are_made() -> None:
    X, _, _ = problem(30, 20)
    model = methods.create("lnmf", n_components=3, max_iter=60, random_state=0).fit(10 * X)
    assert not methods.spec("lnmf").monotone
    assert (np.diff(model.objective_curve_) > 0).any()
    assert model.n_iter_ == 60


def test_parts_sum_to_one_from_the_start() -> None:
    X, _, _ = problem()
    for step in methods.create("lnmf", n_components=3, max_iter=3, random_state=0).iterate(X):
        np.testing.assert_allclose(step.state["components"].sum(axis=1), 1, rtol=1e-12)


def test_sparse_data_give_the_same_and_empty_rows_and_columns_stay_finite() -> None:
    X, C, V = problem(12, 9)
    X[X < 0.5] = 0
    X[4], X[:, 2] = 0, 0
    dense = methods.create("lnmf", n_components=3, init=(C, V), max_iter=20).fit(X)
    assert np.isfinite(dense.components_).all()
    assert np.isfinite(dense.objective_curve_).all()
    assert not dense.embedding_[4].any()
    for form in (sparse.csr_array, sparse.csc_matrix):
        made = methods.create("lnmf", n_components=3, init=(C, V), max_iter=20).fit(form(X))
        np.testing.assert_allclose(made.components_, dense.components_, rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(made.objective_curve_, dense.objective_curve_, rtol=1e-10)


def test_permuting_samples_permutes_the_embedding() -> None:
    X, C, V = problem()
    order = np.random.default_rng(0).permutation(len(X))
    one = methods.create("lnmf", n_components=3, init=(C, V), max_iter=50).fit(X)
    other = methods.create("lnmf", n_components=3, init=(C, V[order]), max_iter=50).fit(X[order])
    np.testing.assert_allclose(other.embedding_, one.embedding_[order], rtol=1e-9)
    np.testing.assert_allclose(other.components_, one.components_, rtol=1e-9)


def test_single_precision_is_close() -> None:
    X, C, V = problem()
    double = methods.create("lnmf", n_components=3, init=(C, V), max_iter=30).fit(X)
    single = methods.create("lnmf", n_components=3, init=(C, V), max_iter=30).fit(X.astype(np.float32))
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, double.components_, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(single.objective_curve_, double.objective_curve_, rtol=1e-3, atol=1e-4)


def test_data_known_by_products_alone_are_refused() -> None:
    with pytest.raises(ValueError, match="entry by entry"):
        methods.create("lnmf", n_components=2).fit(aslinearoperator(problem()[0]))


def test_parts_of_faces_become_far_more_local_than_those_of_nmf_but_not_at_once() -> None:
    # The paper's setting: two pictures of each of 40 people, from which its rule makes 78 parts.
    orl = datasets.load("orl", size=64)
    faces = orl.X[split(orl, 2, seed=0).labelled]
    sparsity = {
        step.iteration: hoyer(step.state["components"]).mean()
        for step in methods.create("lnmf", n_components=78, random_state=0).iterate(faces)
        if step.iteration in (15, 500)
    }
    nmf = methods.create("nmf", n_components=78, tol=0, random_state=0).fit(faces)
    assert sparsity[500] > hoyer(nmf.components_).mean() + 0.12
    # Where the published stopping rule ends the run, no part has formed yet.
    assert sparsity[15] < 0.2
