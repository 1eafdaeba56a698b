"""The ℓ1 graph against one linear program a sample, and the memory that keeps it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

import datasets
from methods import l1_admm, l1_cache
from methods import l1_graph as module
from methods.l1_cache import ContentCache, content_key
from methods.l1_graph import l1_graph, l1_solution


def unit(X: Any) -> Any:
    X = np.asarray(X, dtype=np.float64)
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def digits(n: int) -> Any:
    return unit(datasets.load("digits").X[:n])


def optimum(X: Any, i: int) -> float:
    """min ‖a‖₁ + ‖e‖₁ with x_i = Σ_{j≠i} a_j x_j + e, as a linear program in halves of a and e."""
    others = np.array([X[j] for j in range(len(X)) if j != i]).reshape(-1, X.shape[1]).T
    eye = np.eye(X.shape[1])
    columns = np.hstack([others, -others, eye, -eye])
    result = linprog(np.ones(columns.shape[1]), A_eq=columns, b_eq=X[i], method="highs")
    assert result.status == 0
    return float(result.fun)


def objective(X: Any, weights: Any, i: int) -> float:
    total = 0.0
    residual = X[i].copy()
    for j in range(len(X)):
        assert j != i or weights[j] == 0
        total += abs(weights[j])
        residual = residual - weights[j] * X[j]
    return total + float(np.abs(residual).sum())


SHAPES: dict[str, Callable[[], Any]] = {
    "more samples than features": lambda: digits(150),
    "more features than samples": lambda: unit(np.random.default_rng(0).random((60, 200))),
    "signed": lambda: unit(np.random.default_rng(1).normal(size=(60, 20))),
    "longer rows": lambda: 5 * np.random.default_rng(2).random((50, 30)),
    "shorter rows": lambda: 0.1 * np.random.default_rng(3).random((50, 30)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_objective_is_within_the_gap_of_the_linear_program(shape: str) -> None:
    X = SHAPES[shape]()
    found = l1_solution(X)
    weights = found.codes.toarray()
    assert found.gap.max() <= 1e-2
    for i in np.random.default_rng(4).permutation(len(X))[:50]:
        best = optimum(X, i)
        assert found.bound[i] <= best * (1 + 1e-9)
        assert best * (1 - 1e-9) <= objective(X, weights[i], i) <= best * 1.01
        assert objective(X, weights[i], i) == pytest.approx(found.objective[i], abs=1e-10)


@pytest.mark.parametrize("shape", SHAPES)
def test_exact_mode_agrees_with_the_linear_program(shape: str) -> None:
    X = SHAPES[shape]()
    weights = l1_graph(X, exact=True).toarray()
    for i in np.random.default_rng(5).permutation(len(X))[:20]:
        assert objective(X, weights[i], i) == pytest.approx(optimum(X, i), abs=1e-8)
    assert l1_graph(X, 0) is l1_graph(X, exact=True)


def test_smaller_gaps_are_kept() -> None:
    X = digits(80)
    for gap in (3e-3, 1e-4):
        found = l1_solution(X, gap)
        assert found.gap.max() <= gap
        assert all(found.objective[i] <= optimum(X, i) * (1 + gap) for i in range(0, 80, 10))


def test_graph_is_sparse_with_an_empty_diagonal_and_read_only() -> None:
    X = digits(200)
    A = l1_graph(X)
    assert sparse.issparse(A)
    assert A.shape == (200, 200)
    assert not A.diagonal().any()
    assert A.nnz < 0.2 * A.shape[0] ** 2
    with pytest.raises(ValueError, match="read-only"):
        A.data[0] = 1


def test_samples_that_run_out_of_iterations_are_finished_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ITER", 5)
    X = digits(40) + 1e-9  # another content than any graph remembered
    assert l1_solution(X).gap.max() <= 1e-2


def test_permuting_samples_permutes_the_graph() -> None:
    X = unit(np.random.default_rng(6).random((40, 30)))
    order = np.random.default_rng(7).permutation(40)
    first, second = l1_graph(X, exact=True).toarray(), l1_graph(X[order], exact=True).toarray()
    np.testing.assert_allclose(second, first[np.ix_(order, order)], atol=1e-8)


def test_single_and_double_precision_are_alike() -> None:
    X = digits(120).astype(np.float32)
    single, double = l1_graph(X), l1_graph(X.astype(np.float64))
    assert (single.dtype, double.dtype) == (np.float32, np.float64)
    np.testing.assert_allclose(single.toarray(), double.toarray(), atol=1e-4)


def test_twins_explain_each_other_and_zero_rows_nothing() -> None:
    X = np.vstack([np.zeros((2, 6)), unit(np.random.default_rng(8).random((5, 6)))])
    X = np.vstack([X, X[2:3]])
    A = l1_graph(X, exact=True).toarray()
    assert not A[:2].any()
    assert not A[:, :2].any()
    np.testing.assert_allclose(A[2], np.eye(8)[7], atol=1e-9)
    assert l1_solution(X).objective[0] == 0
    assert l1_graph(np.ones((1, 3))).nnz == 0


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (np.ones((3, 2)), {"gap": -0.1}, "gap=-0.1"),
        (np.ones((3, 2)), {"gap": 1.0}, "below 1"),
        (np.array([[1.0, np.nan]]), {}, "NaN"),
        (np.ones(3), {}, "matrix"),
        (np.ones((0, 3)), {}, "at least one row"),
    ],
)
def test_bad_input_is_refused(X: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        l1_graph(X, **options)


def test_graph_is_remembered_by_content() -> None:
    X = digits(60)
    first = l1_graph(X)
    assert l1_graph(X.copy()) is first
    assert l1_graph(np.asfortranarray(X)) is first
    assert l1_graph(X, 5e-3) is not first
    changed = X.copy()
    changed[-1, -1] += 1e-12
    assert l1_graph(changed) is not first
    module.forget()
    again = l1_graph(X)
    assert again is not first
    assert again.data.tobytes() == first.data.tobytes()


def test_keys_tell_shape_type_and_settings_apart() -> None:
    X = np.zeros((2, 3))
    keys = [content_key(X), content_key(X.T), content_key(X, 1), content_key(X.astype(np.float32))]
    assert len(set(keys)) == 4


def test_what_nobody_writes_to_is_hashed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[int] = []
    plain = l1_cache._hash
    monkeypatch.setattr(l1_cache, "_hash", lambda array: (hashed.append(1), plain(array))[1])
    X = np.arange(6.0)
    key = content_key(X, 1)
    assert content_key(X, 1) == key
    assert len(hashed) == 2, "somebody may have written to it"
    l1_cache.hash_once(X)
    assert {content_key(X, 1), content_key(X, 1)} == {key}
    assert content_key(X, 2) != key
    assert len(hashed) == 3
    place, noted = id(X), len(l1_cache._unchanging)
    del X
    assert place not in l1_cache._unchanging
    assert len(l1_cache._unchanging) == noted - 1, "another array may come to lie there"


def test_threads_that_want_the_same_compute_it_once() -> None:
    cache: ContentCache[int] = ContentCache(1000, size=lambda value: 1)
    calls, results = [], []
    entered, go = threading.Event(), threading.Event()

    def compute() -> int:
        calls.append(1)
        entered.set()
        assert go.wait(10)
        return 7

    threads = [threading.Thread(target=lambda: results.append(cache.get("k", compute))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert entered.wait(10)
    go.set()
    for thread in threads:
        thread.join(10)
    assert results == [7] * 4
    assert len(calls) == 1


def test_cache_is_bounded_and_forgets_the_least_used() -> None:
    cache: ContentCache[int] = ContentCache(2, size=lambda value: 1)
    calls: list[str] = []

    def get(key: str) -> None:
        cache.get(key, lambda: calls.append(key) or 0)

    for key in ("a", "b", "a", "c", "a", "b"):
        get(key)
    assert calls == ["a", "b", "c", "b"]


def test_failures_are_not_remembered() -> None:
    cache: ContentCache[int] = ContentCache(2, size=lambda value: 1)

    def fail() -> int:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        cache.get("k", fail)
    assert cache.get("k", lambda: 3) == 3


def test_what_single_precision_cannot_certify_goes_on_in_double(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below about 3e-3 rounding keeps gaps of faces from shrinking: no row may run to the limit for that."""
    X = unit(datasets.load("orl", size=32).X[:160])
    refined: list[int] = []
    refine = l1_admm._Block.refine

    def noted(block: Any, projection: Any) -> None:
        refined.append(block.rows.size)
        refine(block, projection)

    monkeypatch.setattr(l1_admm._Block, "refine", noted)
    problem = module.GraphProblem(X)
    double = l1_admm.solve(problem, 1e-3, module.MAX_ITER, np.float64)
    found = l1_admm.solve(problem, 1e-3, module.MAX_ITER, np.float32)
    assert refined
    assert found.gap.max() <= 1e-3
    assert found.n_iter.max() <= 1.5 * double.n_iter.max()
    assert (found.objective <= double.objective * (1 + 1e-3)).all()
