"""NGE against plain inverses, its eliminations against dense solves, and against 2D-NDTF."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import methods
from methods.tensor.elimination import eliminate
from tests.methods.label_graphs import Array, K, N, Q, by_part, faces, laplacian

ALPHA = 4.0
SETTINGS: dict[str, Any] = {
    "n_components": K,
    "n_discriminative": Q,
    "alpha": ALPHA,
    "penalty_pairs": 6,
    "tol": 0,
}


def plain_run(X: Array, H: Array, W: Array, graphs: list[Array], steps: int) -> tuple[Array, Array]:
    U, V = H.T.copy(), W.copy()
    for _ in range(steps):
        energy = np.array([ALPHA * V[:, j] @ laplacian(graphs[j]) @ V[:, j] for j in range(K)])
        U = U * (X.T @ V) / (U @ V.T @ V + U * energy)
        norms = np.linalg.norm(U, axis=0)
        U, V = U / norms, V * norms
        slope, wanted, new = V @ U.T @ U, X @ U, np.empty_like(V)
        for j in range(K):
            M = np.diag(slope[:, j] / V[:, j]) + ALPHA * laplacian(graphs[j])
            new[:, j] = np.linalg.inv(M) @ wanted[:, j]
        V = new
    return U.T, V


def start() -> tuple[Array, Array]:
    rng = np.random.default_rng(1)
    return rng.random((K, 12)), 0.2 * rng.random((N, K))


@pytest.mark.parametrize("steps", [1, 10, 100])
def test_equals_plain_inverses(steps: int) -> None:
    (X, y), (H, W) = faces(), start()
    model = methods.create("nge", init=(H, W), max_iter=steps, **SETTINGS).fit(X, y)
    U, V = plain_run(X, H, W, by_part(X, y), steps)
    assert np.abs(model.components_ - U).max() < 1e-9
    assert np.abs(model.embedding_ - V).max() < 1e-9
    curve = model.objective_curve_
    assert (np.diff(curve) <= 1e-12 * curve[0]).all()


def random_graph(n: int, edges: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    S = np.zeros((n, n))
    S[rng.integers(0, n, edges), rng.integers(0, n, edges)] = rng.random(edges) * 10
    np.fill_diagonal(S, 0)
    return S + S.T


@pytest.mark.parametrize(("n", "edges", "columns"), [(1, 0, 1), (9, 4, 3), (40, 60, 16), (60, 400, 37)])
def test_elimination_equals_dense_solves(n: int, edges: int, columns: int) -> None:
    S, rng = random_graph(n, edges, n), np.random.default_rng(2)
    v, slope, wanted = (rng.random((n, columns)) + 0.01 for _ in range(3))
    found = v.copy()
    eliminate(sparse.csr_array(S), np.float64).solve(found, slope, wanted)
    for j in range(columns):
        M = np.diag(slope[:, j] / v[:, j]) + laplacian(S)
        assert np.abs(found[:, j] - np.linalg.solve(M, wanted[:, j])).max() < 1e-10


def test_entries_that_are_zero_stay_so_and_hold_their_neighbours_down() -> None:
    S, rng = random_graph(12, 30, 5), np.random.default_rng(2)
    v, slope, wanted = (rng.random((12, 4)) + 0.1 for _ in range(3))
    v[[2, 7], 1] = 0
    found = v.copy()
    eliminate(sparse.csr_array(S), np.float64).solve(found, slope, wanted)
    kept = np.setdiff1d(np.arange(12), [2, 7])
    M = (np.diag(slope[:, 1] / np.where(v[:, 1] > 0, v[:, 1], 1)) + laplacian(S))[np.ix_(kept, kept)]
    assert not found[[2, 7], 1].any()
    assert np.abs(found[kept, 1] - np.linalg.solve(M, wanted[kept, 1])).max() < 1e-10


def test_elimination_is_accurate_where_a_solver_is_not() -> None:
    # A chain of strong edges and weak slopes: the condition number is 1e13, beyond single precision by far.
    n = 40
    S = 1e6 * (np.eye(n, k=1) + np.eye(n, k=-1))
    v, wanted = np.ones((n, 1)), np.linspace(0, 1, n)[:, None]
    slope = np.full((n, 1), 1e-6)
    found = v.astype(np.float32)
    system = eliminate(sparse.csr_array(S), np.float32)
    system.solve(found, slope.astype(np.float32), wanted.astype(np.float32))
    # All samples are tied to one value, at which the slopes carry what is wanted.
    assert found == pytest.approx(np.full((n, 1), wanted.sum() / slope.sum()), rel=1e-4)


def test_far_fewer_edges_arise_than_a_dense_factor_has() -> None:
    order = eliminate(sparse.csr_array(random_graph(200, 300, 0)), np.float64)
    assert len(order.later) < 0.25 * 200 * 199 / 2
    assert sorted(order.order) == list(range(200))


def test_the_whole_energy_takes_longer_steps_than_its_halves() -> None:
    """One update of U alone, from the same V: both lower F, the net form more."""
    (X, y), (H, W) = faces(), start()
    graphs, U = by_part(X, y), H.T
    apart = np.array([ALPHA * W[:, j] @ np.diag(graphs[j].sum(axis=1)) @ W[:, j] for j in range(K)])
    net = np.array([ALPHA * W[:, j] @ laplacian(graphs[j]) @ W[:, j] for j in range(K)])

    def F(U: Array) -> float:
        return float(np.square(X.T - U @ W.T).sum() + np.square(U).sum(axis=0) @ net)

    halves = U * (X.T @ W + U * (apart - net)) / (U @ W.T @ W + U * apart)
    whole = U * (X.T @ W) / (U @ W.T @ W + U * net)
    assert F(whole) < F(halves) < F(U)


def test_without_graphs_it_is_ndtf_2d() -> None:
    (X, y), init = faces(), start()
    same = SETTINGS | {"init": init, "alpha": 0.0, "max_iter": 30}
    one = methods.create("nge", **same).fit(X, y)
    other = methods.create("ndtf_2d", **same).fit(X, y)
    assert np.abs(one.embedding_ - other.embedding_).max() < 1e-12


def test_needs_no_more_iterations_than_ndtf_2d() -> None:
    (X, y), init = faces(), start()
    same = SETTINGS | {"init": init, "alpha": 100.0, "max_iter": 60}
    one = methods.create("nge", **same).fit(X, y).objective_curve_
    other = methods.create("ndtf_2d", **same).fit(X, y).objective_curve_
    assert one[0] == pytest.approx(other[0], rel=1e-14)
    assert one[-1] < other[-1]


def test_single_precision_is_close() -> None:
    (X, y), init = faces(), start()
    double = methods.create("nge", init=init, max_iter=30, **SETTINGS).fit(X, y)
    single = methods.create("nge", init=init, max_iter=30, **SETTINGS).fit(X.astype(np.float32), y)
    assert single.embedding_.dtype == np.float32
    assert np.abs(single.embedding_ - double.embedding_).max() < 1e-3
