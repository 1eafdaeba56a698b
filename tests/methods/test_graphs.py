"""Graphs against their definitions, checked pair by pair."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from methods import graphs

Array = NDArray[Any]
problems = st.tuples(st.integers(0, 2**31), st.integers(4, 25))


def made(seed: int, n: int) -> tuple[Array, Array, Array]:
    """Rows with no two distances equal, codes with unlabelled ones and classes of any size, all distances."""
    rng = np.random.default_rng(seed)
    X, codes = rng.random((n, 4)), rng.integers(-1, 4, n)
    apart = np.array([[np.linalg.norm(a - b) for b in X] for a in X])
    return X, codes, apart


def rank(apart: Array, i: int, j: int, among: Array) -> int:
    """How many of `among`, other than i, are nearer to i than j is."""
    return int(sum(apart[i, other] < apart[i, j] for other in among if other not in (i, j)))


@given(problems, st.one_of(st.none(), st.integers(1, 6)))
def test_intrinsic_joins_nearest_of_a_class(problem: tuple[int, int], k: int | None) -> None:
    X, codes, apart = made(*problem)
    S = graphs.intrinsic(X, codes, k).toarray()
    for i, j in np.ndindex(S.shape):
        mates = np.flatnonzero(codes == codes[i])
        together = i != j and codes[i] == codes[j] != -1
        near = k is None or rank(apart, i, j, mates) < k or rank(apart, j, i, mates) < k
        assert S[i, j] == float(together and near), (i, j)


@given(problems, st.integers(0, 12))
def test_penalty_joins_the_closest_pairs_across_classes(problem: tuple[int, int], pairs: int) -> None:
    X, codes, apart = made(*problem)
    S = graphs.penalty(X, codes, pairs).toarray()
    expected = np.zeros_like(S)
    labelled = [i for i in range(len(codes)) if codes[i] >= 0]
    for code in {codes[i] for i in labelled}:
        across = [(i, j) for i in labelled for j in labelled if codes[i] == code != codes[j]]
        for i, j in sorted(across, key=lambda pair: apart[pair])[:pairs]:
            expected[i, j] = expected[j, i] = 1
    np.testing.assert_array_equal(S, expected)


@given(problems, st.integers(0, 8))
def test_neighbours_are_the_nearest_of_one_or_the_other(problem: tuple[int, int], p: int) -> None:
    X, _, apart = made(*problem)
    n = len(X)
    p = min(p, n - 1)
    S = graphs.neighbours(X, p).toarray()
    everyone = np.arange(n)
    for i, j in np.ndindex(S.shape):
        near = rank(apart, i, j, everyone) < p or rank(apart, j, i, everyone) < p
        assert S[i, j] == float(i != j and near), (i, j)


@given(problems)
def test_laplacian_measures_differences(problem: tuple[int, int]) -> None:
    X, codes, _ = made(*problem)
    S = graphs.intrinsic(X, codes)
    v = np.random.default_rng(problem[0]).standard_normal(len(X))
    dense = S.toarray()
    energy = sum(dense[i, j] * (v[i] - v[j]) ** 2 for i, j in np.ndindex(dense.shape)) / 2
    assert np.isclose(v @ (graphs.laplacian(S) @ v), energy, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(graphs.degrees(S), dense.sum(axis=1))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_graphs_are_sparse_symmetric_and_of_the_data_dtype(dtype: Any) -> None:
    X, codes, _ = made(3, 20)
    X = X.astype(dtype)
    for S in (
        graphs.intrinsic(X, codes, 2),
        graphs.penalty(X, codes, 5),
        graphs.neighbours(X, 3),
        graphs.neighbours(X, 0),
        graphs.intrinsic(X, np.full(20, -1)),
        graphs.penalty(X, np.full(20, -1)),
    ):
        assert sparse.issparse(S)
        assert S.shape == (20, 20)
        assert S.dtype == graphs.degrees(S).dtype == graphs.laplacian(S).dtype == dtype
        assert (S != S.T).nnz == 0
        assert S.diagonal().sum() == 0
        assert set(S.data) <= {1}


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
def test_sparse_rows_give_the_same_graphs(form: Any) -> None:
    X, codes, _ = made(4, 20)
    X[X < 0.4] = 0
    for build in (
        lambda X: graphs.intrinsic(X, codes, 2),
        lambda X: graphs.penalty(X, codes, 5),
        lambda X: graphs.neighbours(X, 3),
    ):
        np.testing.assert_array_equal(build(form(X)).toarray(), build(X).toarray())


def test_equal_rows_are_neighbours_of_each_other_and_never_of_themselves() -> None:
    X = np.repeat(np.eye(3), 4, axis=0)
    S = graphs.neighbours(X, 3).toarray()
    np.testing.assert_array_equal(S, np.kron(np.eye(3), np.ones((4, 4))) - np.eye(12))


def test_pairs_are_looked_for_once_among_the_same_rows_and_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    X, codes, _ = made(11, 24)
    first = graphs.penalty(X, codes, 4).toarray()
    compared: list[int] = []
    plain = graphs._between
    monkeypatch.setattr(graphs, "_between", lambda rows: (compared.append(1), plain(rows))[1])
    np.testing.assert_array_equal(graphs.penalty(X.copy(), codes, 4).toarray(), first)
    assert not compared
    moved, swapped = X.copy(), codes.copy()
    moved[np.flatnonzero(codes >= 0)[0]] += 1
    swapped[np.flatnonzero(codes >= 0)[0]] = codes.max() + 1
    for rows, told, pairs in ((moved, codes, 4), (X, swapped, 4), (X, codes, 5)):
        graphs.penalty(rows, told, pairs)
    assert len(compared) == 3


def test_one_class_has_nobody_to_be_told_apart_from() -> None:
    assert graphs.penalty(np.random.default_rng(0).random((5, 2)), np.zeros(5, dtype=int)).nnz == 0


@pytest.mark.parametrize("p", [5, 9])
def test_more_neighbours_than_samples_are_refused_by_name(p: int) -> None:
    X = made(0, 5)[0]
    with pytest.raises(ValueError, match=rf"^near={p} .* 5 samples.* at most 4"):
        graphs.neighbours(X, p, "near")


@pytest.mark.parametrize("n", [7, 300, 600])
def test_neighbours_by_products_are_the_neighbours(n: int) -> None:
    X = np.random.default_rng(n).random((n, 5))
    by_products = graphs.neighbours(aslinearoperator(X), 3)
    assert (by_products != graphs.neighbours(X, 3)).nnz == 0


def test_neighbours_of_many_sparse_rows_take_little_memory() -> None:
    n = 6000
    X = sparse.random_array((n, 300), density=0.02, format="csr", rng=np.random.default_rng(0))
    tracemalloc.start()
    graph = graphs.neighbours(X, 3)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.nnz >= 3 * n
    assert peak < 0.8 * n * n * 8, "all distances at once"


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_neighbours_of_the_same_rows_are_searched_once(form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Counting(graphs.NearestNeighbors):
        def fit(self, X: Any) -> Any:
            asked.append(X.shape)
            return super().fit(X)

    monkeypatch.setattr(graphs, "NearestNeighbors", Counting)
    rows = np.random.default_rng(0).random((2100, 3)) * (np.random.default_rng(1).random((2100, 3)) < 0.7)
    first, again = graphs.neighbours(form(rows), 2), graphs.neighbours(form(rows.copy()), 2)
    assert (first != again).nnz == 0
    assert len(asked) == (2 if form is sparse.csc_array else 1)
    before = len(asked)
    graphs.neighbours(form(rows), 3)
    changed = rows.copy()
    changed[1000] = 5
    other = graphs.neighbours(form(changed), 2)
    assert len(asked) == before + 2
    assert (other != first).nnz > 0
