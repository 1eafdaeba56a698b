"""The accelerated solver against plain loops, and against what it promises: F falls, and to the same rest."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods
from methods import accelerated
from methods import hals_kernels as compiled
from methods.accelerated import AcceleratedSolver, merge, sample
from methods.data_matrix import DataMatrix
from methods.incomplete import data_matrix
from methods.multiplicative import GraphTerm, MultiplicativeSolver
from methods.typing import Array
from tests.ready_python import ReadyPython

WIDTH = 64


def random_graph(rng: np.random.Generator, n: int, edges: int) -> sparse.csr_array:
    i, j = rng.integers(0, n, edges), rng.integers(0, n, edges)
    S = np.zeros((n, n))
    S[i, j] = rng.random(edges) + 0.5
    np.fill_diagonal(S, 0)
    return sparse.csr_array(S + S.T)


def laplacian(S: sparse.csr_array) -> Array:
    dense = S.toarray()
    return np.diag(dense.sum(axis=1)) - dense


def problem(n: int = 70, m: int = 33, k: int = 7, q: int = 4, dtype: Any = np.float64) -> dict[str, Any]:
    rng = np.random.default_rng(11)
    return {
        "X": rng.random((n, m)).astype(dtype),
        "H": rng.random((k, m)).astype(dtype),
        "W": 0.1 * rng.random((n, k)).astype(dtype),
        "graphs": [
            GraphTerm("separability", 3.0, random_graph(rng, n, 60).astype(dtype), slice(0, q)),
            GraphTerm("penalty", 3.0, random_graph(rng, n, 40).astype(dtype), slice(q, None)),
            GraphTerm("smoothness", 0.7, random_graph(rng, n, 120).astype(dtype), slice(0, q)),
        ],
    }


def curvatures(graphs: list[GraphTerm], k: int) -> list[Array]:
    """The weighted Laplacian that each part lives on."""
    n = graphs[0].affinity.shape[0] if graphs else 0
    return [
        sum((g.weight * laplacian(g.affinity) for g in graphs if j in range(k)[g.columns]), np.zeros((n, n)))
        for j in range(k)
    ]


def objective(X: Array, H: Array, W: Array, L: list[Array]) -> float:
    energy = sum((H[j] @ H[j]) * (W[:, j] @ L[j] @ W[:, j]) for j in range(len(H)))
    return float(((X - W @ H) ** 2).sum() + energy)


def descended_parts(H: Array, X: Array, W: Array, ridge: Array, sweeps: int) -> Array:
    H, B, G = H.copy(), W.T @ X, W.T @ W + np.diag(ridge)
    for _ in range(sweeps):
        for j in range(len(H)):
            H[j] = np.maximum(0, H[j] + (B[j] - G[j] @ H) / G[j, j])
    return H


def descended_embedding(W: Array, X: Array, H: Array, L: list[Array], rounds: int, sweeps: int) -> Array:
    """Each entry to its minimum, the others as they are: in each round every block sweeps on its own."""
    W, B, G = W.copy(), X @ H.T, H @ H.T
    for _ in range(rounds):
        for start in range(0, len(W), WIDTH):
            for turn in range(sweeps * len(H)):
                j = turn % len(H)
                for i in range(start, min(start + WIDTH, len(W))):
                    slope = W[i] @ G[:, j] - B[i, j] + G[j, j] * (L[j][i] @ W[:, j])
                    W[i, j] = max(0, W[i, j] - slope / (G[j, j] * (1 + L[j][i, i])))
    return W


def plain_run(X: Array, H: Array, W: Array, L: list[Array], steps: int, unit: bool) -> tuple[Array, Array]:
    before, onset, reach, ceiling, momentum = H, W, 0.5, 1.0, False
    F = objective(X, H, W, L)
    for _ in range(steps):
        ridge = np.array([onset[:, j] @ L[j] @ onset[:, j] for j in range(len(H))])
        parts = descended_parts(H, X, onset, ridge, 3)
        beyond = np.maximum(0, parts + (reach if momentum else 0) * (parts - before))
        new = descended_embedding(onset, X, beyond, L, 2, 3)
        now = objective(X, beyond, new, L)
        if now > F:
            before, onset, momentum, ceiling, reach = H, W, False, reach, reach / 1.5
            continue
        onset, F = np.maximum(0, new + reach * (new - W)), now
        H, W, before = beyond, new, parts
        if unit:
            norms = np.linalg.norm(H, axis=1)
            H, before, W, onset = H / norms[:, None], before / norms[:, None], W * norms, onset * norms
        if momentum:
            reach, ceiling = min(ceiling, 1.05 * reach), min(1, 1.01 * ceiling)
        momentum = True
    return H, W


@pytest.mark.parametrize("shape", [(1, 1), (2, 5), (5, 64), (7, 65), (8, 200), (13, 63), (4, 256), (6, 577)])
def test_descend_equals_plain_loops(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    k, m = shape
    X, W, H = rng.random((20, m)), rng.random((20, k)), rng.random((k, m))
    ridge = rng.random(k)
    found = H.copy()
    compiled.descend(found, W.T @ X, W.T @ W + np.diag(ridge), 3)
    assert np.abs(found - descended_parts(H, X, W, ridge, 3)).max() < 1e-9


def test_descend_leaves_parts_that_nobody_uses() -> None:
    rng = np.random.default_rng(0)
    W, H, X = rng.random((20, 5)), rng.random((5, 30)), rng.random((20, 30))
    W[:, [1, 4]] = 0
    found = H.copy()
    compiled.descend(found, W.T @ X, W.T @ W, 2)
    used = [0, 2, 3]
    assert (found[[1, 4]] == H[[1, 4]]).all()
    assert np.abs(found[used] - descended_parts(H[used], X, W[:, used], np.zeros(3), 2)).max() < 1e-9


def test_descend_on_graphs_equals_plain_loops() -> None:
    given = problem(n=150)
    X, H, W, graphs = given["X"], given["H"], given["W"], given["graphs"][:2]
    graphs.append(GraphTerm("more", 2.0, given["graphs"][2].affinity, slice(1, 3)))
    found, merged = W.T.copy(), merge(graphs, len(H), W.dtype)
    assert merged is not None
    numbers = (merged.of_part, merged.starts, merged.neighbours, merged.weights, merged.degrees)
    compiled.descend_on_graphs(found, H @ X.T, H @ H.T, *numbers, 2, 3)
    oracle = descended_embedding(W, X, H, curvatures(graphs, len(H)), 2, 3)
    assert np.abs(found.T - oracle).max() < 1e-9


def test_roughness_is_the_laplacian_energy() -> None:
    given = problem()
    W, S = given["W"], given["graphs"][0].affinity
    found = compiled.roughness(W.T.copy(), S.indptr, S.indices, S.data)
    assert np.allclose(found, np.diagonal(W.T @ laplacian(S) @ W), rtol=1e-12)


def test_ratio_drops_what_is_too_small_and_keeps_nan() -> None:
    factor = np.array([[1.0, 2.0, 3.0, 0.0, 1.0]])
    numerator = np.array([[4.0, 1e-20, 0.0, 5.0, np.nan]])
    denominator = np.array([[2.0, 1.0, 1.0, 0.0, 1.0]])
    compiled.multiply_by_ratio(factor, numerator, denominator, np.array([0.5]), 1e-10)
    assert factor[0, :4].tolist() == [2.25, 2.0, 4.5, 0.0]
    assert np.isnan(factor[0, 4])
    factor = np.array([[1.0, 2.0]])
    compiled.multiply_by_ratio(factor, np.array([[1e-20, 1.0]]), np.ones((1, 2)), np.zeros(1), 1e-10)
    assert factor.tolist() == [[0.0, 2.0]]


def test_what_two_arrays_share_is_summed_up_in_double_precision() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random((3, 200), np.float32), rng.random((3, 200), np.float32)
    exact = (one.astype(float) * other.astype(float)).sum()
    assert compiled.overlap(one, other) == pytest.approx(exact, rel=1e-14)
    by = np.array([2.0, 0.5, 0.0], np.float32)
    wanted = one * by[:, None], other * by[:, None]
    compiled.scale_rows(one, other, by)
    assert (one == wanted[0]).all()
    assert (other == wanted[1]).all()


def many_rows(n: int, m: int, dtype: Any = np.float32) -> tuple[Array, Array, Array]:
    """Rows of sparse parts with a little noise, one side far longer than there are parts; and a start."""
    rng = np.random.default_rng(0)
    W, H = (rng.random(shape) * (rng.random(shape) < 0.4) for shape in ((n, 4), (4, m)))
    X = (W @ H + 0.01 * rng.random((n, m))).astype(dtype)
    return X, 0.3 * rng.random((4, m)).astype(dtype), 0.3 * rng.random((n, 4)).astype(dtype)


@pytest.mark.parametrize("shape", [(1100, 30), (30, 1100)])
def test_the_first_step_on_data_with_many_rows_or_columns_looks_at_some(
    shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, H, W = many_rows(*shape)
    assert sample(DataMatrix(X), 4) is not None
    solver = AcceleratedSolver(DataMatrix(X), [H], W, unit_parts=True)
    curve = [sum(solver.terms().values())]
    for _ in range(20):
        solver.step()
        curve.append(sum(solver.terms().values()))
    assert curve[0] == pytest.approx(np.square(X - W @ H).sum(), rel=1e-5)
    assert (np.diff(curve) <= 0).all()
    monkeypatch.setattr(accelerated, "sample", lambda data, k: None)
    plain = AcceleratedSolver(DataMatrix(X), [H], W, unit_parts=True)
    plain.step()
    assert curve[1] < 0.2 * sum(plain.terms().values())
    # From where it has come, a sample has nothing better to say: F does not rise.
    monkeypatch.undo()
    settled = (array.copy() for array in solver.arrays().values())
    again = AcceleratedSolver(DataMatrix(X), [next(settled)], next(settled))
    for _ in range(3):
        before = sum(again.terms().values())
        again.step()
        assert sum(again.terms().values()) <= before


def test_a_sample_is_the_same_every_time_and_only_of_much_complete_dense_data() -> None:
    tall = DataMatrix(np.ones((2000, 3)))
    chosen = sample(tall, 5)
    assert chosen is not None
    assert (np.diff(chosen) > 0).all()
    assert len(chosen) == 32 * 5
    assert (chosen == sample(DataMatrix(np.ones((3, 2000))), 5)).all()
    assert sample(tall, 8) is None
    assert sample(DataMatrix(sparse.csr_array(np.eye(2000, 3))), 5) is None
    with_holes = np.where(np.eye(2000, 3) > 0, np.nan, 1.0)
    assert sample(data_matrix(with_holes), 5) is None
    X, H, W = many_rows(1100, 30)
    held = AcceleratedSolver(DataMatrix(X), [H], W, held=1)
    held.step()
    kept, given = held.arrays()["components"][0], H[0]
    np.testing.assert_allclose(kept / np.linalg.norm(kept), given / np.linalg.norm(given), rtol=1e-5)


@pytest.mark.parametrize("steps", [1, 10, 100])
@pytest.mark.parametrize("labelled", [False, True])
def test_run_equals_plain_loops(steps: int, labelled: bool) -> None:
    given = problem()
    X, H, W = given["X"], given["H"], given["W"]
    graphs = given["graphs"] if labelled else []
    L = curvatures(graphs, len(H)) if labelled else [np.zeros((len(X), len(X)))] * len(H)
    solver = AcceleratedSolver(DataMatrix(X), [H], W, graphs, unit_parts=labelled)
    for _ in range(steps):
        solver.step()
    oracle = plain_run(X, H, W, L, steps, labelled)
    for found, expected in zip(solver.arrays().values(), oracle, strict=True):
        assert np.abs(found - expected).max() < 1e-9
    assert np.isclose(sum(solver.terms().values()), objective(X, *oracle, L), rtol=1e-10)


def test_terms_are_the_parts_of_the_objective() -> None:
    given = problem()
    solver = AcceleratedSolver(DataMatrix(given["X"]), [given["H"]], given["W"], given["graphs"])
    for _ in range(7):
        solver.step()
    H, W = solver.arrays().values()
    lengths = (H**2).sum(axis=1)
    expected = {"reconstruction": ((given["X"] - W @ H) ** 2).sum()}
    for graph in given["graphs"]:
        part = W[:, graph.columns]
        energy = graph.weight * np.diagonal(part.T @ laplacian(graph.affinity) @ part)
        expected[graph.name] = energy @ lengths[graph.columns]
    assert solver.terms() == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("unit", [False, True])
def test_never_rises_even_when_steps_go_too_far(dtype: type, unit: bool) -> None:
    given = problem(dtype=dtype)
    solver = AcceleratedSolver(
        DataMatrix(given["X"]), [given["H"]], given["W"], given["graphs"], unit_parts=unit
    )
    curve, falls = [], 0
    for _ in range(300):
        curve.append(sum(solver.terms().values()))
        before = solver.factors[0]
        solver.step()
        falls += solver.factors[0] is before
    assert (np.diff(curve) <= 0).all()
    assert falls > 0
    # Two steps in a row are never wasted until rounding is all that is left.
    steady = np.array(curve[:40])
    assert (steady[2:] < steady[:-2]).all()


@pytest.mark.parametrize("labelled", [False, True])
def test_rests_where_the_multiplicative_solver_rests(labelled: bool) -> None:
    given = problem(n=40, m=25, k=4, q=2)
    graphs = given["graphs"] if labelled else []
    data = DataMatrix(given["X"])
    fast = AcceleratedSolver(data, [given["H"]], given["W"], graphs, unit_parts=True)
    for _ in range(3000):
        fast.step()
    H, W = (array.copy() for array in fast.arrays().values())
    L = curvatures(graphs, len(H)) if labelled else [np.zeros((40, 40))] * len(H)
    slope_W = W @ (H @ H.T) - given["X"] @ H.T
    slope_W += np.stack([(H[j] @ H[j]) * (L[j] @ W[:, j]) for j in range(len(H))], axis=1)
    ridge = np.array([W[:, j] @ L[j] @ W[:, j] for j in range(len(H))])
    slope_H = (W.T @ W) @ H - W.T @ given["X"] + ridge[:, None] * H
    for factor, slope in ((H, slope_H), (W, slope_W)):
        # Karush, Kuhn and Tucker: no slope where something is, none downhill where nothing is.
        assert np.abs(slope * factor).max() < 1e-6
        assert slope.min() > -1e-6
    slow = MultiplicativeSolver(data, H.copy(), W.copy(), graphs, unit_parts=True)
    for _ in range(20):
        slow.step()
    assert np.abs(slow.H - H).max() < 1e-6
    assert np.abs(slow.W - W).max() < 1e-6


def labelled_data(dtype: Any = np.float64) -> tuple[Array, Array]:
    rng = np.random.default_rng(3)
    parts, y = rng.random((6, 40)), np.repeat(np.arange(4), 15)
    mix = rng.random((60, 6)) * 0.3 + 2 * np.eye(6)[y]
    X = np.maximum(mix @ parts + 0.1 * rng.standard_normal((60, 40)), 0).astype(dtype)
    return X, np.where(np.arange(60) % 3 == 0, y, -1)


@pytest.mark.parametrize("name", ["nmf", "n2s2l"])
def test_reaches_the_multiplicative_objective_in_far_fewer_steps(name: str) -> None:
    X, y = labelled_data()
    same = {"n_components": 8, "tol": 0, "random_state": 0}
    slow = methods.create(name, max_iter=1000, **same).fit(X, y)
    fast = methods.create(name, max_iter=150, solver="accelerated", **same).fit(X, y)
    assert fast.objective_curve_[0] == pytest.approx(slow.objective_curve_[0], rel=1e-12)
    assert fast.objective_curve_[-1] <= slow.objective_curve_[-1] * 1.02


@pytest.mark.parametrize("name", ["nmf", "n2s2l"])
def test_warm_start_continues(name: str) -> None:
    X, y = labelled_data()
    first = methods.create(name, n_components=8, max_iter=60, tol=0, random_state=0, solver="accelerated")
    first.fit(X, y)
    again = methods.create(name, n_components=8, max_iter=5, tol=0, solver="accelerated")
    curve = again.fit(X, y, warm_start=first).objective_curve_
    assert curve[0] == pytest.approx(first.objective_curve_[-1], rel=1e-10)
    assert curve[-1] < curve[0]


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_and_implicit_data_give_the_same(solver: str, dtype: type) -> None:
    X, _ = labelled_data(dtype)
    X[X < 1] = 0
    model = methods.create("nmf", n_components=5, max_iter=30, tol=0, random_state=1, solver=solver)
    dense = model.fit(X).components_
    assert dense.dtype == dtype
    for other in (sparse.csr_array(X), sparse.csc_array(X), aslinearoperator(X)):
        found = methods.create("nmf", **model.get_params()).fit(other).components_
        assert np.abs(found - dense).max() < (1e-3 if dtype is np.float32 else 1e-8)


def test_samples_may_come_in_any_order() -> None:
    # The sweeps visit samples in turn, so that runs differ on the way; without graphs they do not.
    X, _ = labelled_data()
    rng = np.random.default_rng(0)
    H, W, order = rng.random((5, 40)), rng.random((60, 5)), rng.permutation(60)
    same = {"n_components": 5, "max_iter": 50, "tol": 0, "solver": "accelerated"}
    one = methods.create("nmf", init=(H, W), **same).fit(X)
    other = methods.create("nmf", init=(H, W[order]), **same).fit(X[order])
    assert np.abs(one.components_ - other.components_).max() < 1e-8
    assert np.abs(one.embedding_[order] - other.embedding_).max() < 1e-8


def test_many_threads_may_run_at_once() -> None:
    X, y = labelled_data()
    model = methods.create("n2s2l", n_components=8, max_iter=40, tol=0, random_state=0, solver="accelerated")
    expected = model.fit(X, y).components_.copy()
    found: list[Array] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(methods.create("n2s2l", **model.get_params()).fit(X, y).components_)
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert all((components == expected).all() for components in found)


@pytest.mark.parametrize("name", ["nmf", "n2s2l"])
def test_data_of_zeros_and_dead_parts_stay_finite(name: str) -> None:
    X, y = labelled_data()
    X[5], X[:, 7] = 0, 0
    H, W = np.random.default_rng(0).random((6, 40)), np.random.default_rng(1).random((60, 6))
    H[2], W[:, 2], W[:, 3] = 0, 0, 0
    model = methods.create(name, n_components=6, init=(H, W), max_iter=30, tol=0, solver="accelerated")
    model.fit(X, y)
    assert np.isfinite(model.components_).all()
    assert np.isfinite(model.objective_curve_).all()
    assert (np.diff(model.objective_curve_) <= 0).all()
    assert (
        not methods.create(name, n_components=6, max_iter=3, tol=0, solver="accelerated")
        .fit(np.zeros_like(X), y)
        .objective_curve_[-1]
    )


def test_float32_is_kept_and_close() -> None:
    X, y = labelled_data()
    same = {"n_components": 8, "max_iter": 15, "tol": 0, "random_state": 0, "solver": "accelerated"}
    double = methods.create("n2s2l", **same).fit(X, y)
    single = methods.create("n2s2l", **same).fit(X.astype(np.float32), y)
    assert single.components_.dtype == single.embedding_.dtype == np.float32
    assert np.abs(single.components_ - double.components_).max() < 1e-2
    assert single.objective_curve_[-1] == pytest.approx(double.objective_curve_[-1], rel=1e-3)
    assert pickle.loads(pickle.dumps(single)).components_.dtype == np.float32


def test_unknown_solver_is_refused() -> None:
    with pytest.raises(ValueError, match="solver='fast' is not known"):
        methods.create("nmf", solver="fast")


def test_importing_methods_leaves_the_compiler_alone(repository: Path, ready_python: ReadyPython) -> None:
    code = "import sys, methods; methods.names(); sys.exit('numba' in sys.modules)"
    assert ready_python.run(["-c", code], cwd=repository).returncode == 0


@pytest.mark.parametrize(("dtype", "reached"), [(np.float32, 1e-11), (np.float64, 1e-20)])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_data_that_can_be_rebuilt_are_rebuilt_to_the_last_digits(
    dtype: Any, reached: float, container: Any
) -> None:
    """F as a difference of large numbers would stop at 1e-8 of ‖X‖² in single precision, or touch 0."""
    rng = np.random.default_rng(0)
    W, H = (rng.random(shape) * (rng.random(shape) < 0.5) for shape in ((120, 6), (6, 150)))
    X = (W @ H).astype(dtype)
    est = methods.create("nmf", n_components=6, solver="accelerated", max_iter=600, tol=0, random_state=0)
    est.fit(container(X))
    curve, size = est.objective_curve_, float(np.square(X, dtype=float).sum())
    missed = X.astype(float) - est.embedding_.astype(float) @ est.components_.astype(float)
    assert curve[-1] == pytest.approx(np.square(missed).sum(), rel=0.05)
    assert 0 < curve[-1] < reached * size
    # One entry may be off by rounding: the first that is measured directly.
    assert np.diff(curve).max() <= 1e-6 * size
    assert (np.diff(curve[curve < 1e-5 * size]) <= 0).all()


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_columns_of_another_size_do_not_swallow_the_error(solver: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.random((40, 4)) @ rng.random((4, 30))
    X[:, :3] *= 1e8
    est = methods.create("nmf", n_components=4, solver=solver, max_iter=300, tol=0, random_state=0).fit(X)
    curve = est.objective_curve_
    assert (curve > 0).all()
    assert (np.diff(curve) <= 1e-14 * curve[0]).all()
    missed = np.square(X - est.embedding_ @ est.components_).sum()
    assert curve[-1] == pytest.approx(missed, rel=0.1)
