"""The solvers of others that `benchmarks.peers` races against: each lowers the objective it says it has."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from benchmarks import peers
from benchmarks.peers import SOLVERS, arrival, run
from methods.data_matrix import DataMatrix
from methods.starts import scaled_random


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("shape", [(60, 35), (35, 60)])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_every_peer_lowers_the_objective(name: str, shape: tuple[int, int], container: type) -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((shape[0], 4)) @ rng.random((4, shape[1])) * (rng.random(shape) < 0.7)).astype(np.float32)
    H, W = scaled_random(DataMatrix(X), 4, 0)
    solver = SOLVERS[name](container(X), W, H)
    objectives = [float(np.square(X - W @ H).sum())]
    for _ in range(30):
        solver.step()
        objectives.append(solver.objective())
    assert objectives[1] < objectives[0]
    assert objectives[-1] < 0.9 * objectives[1]
    if hasattr(solver, "W"):
        missed = np.square(X - solver.W.T @ solver.H).sum()
        assert (solver.W >= 0).all()
        assert (solver.H >= 0).all()
        assert objectives[-1] == pytest.approx(missed, rel=1e-3)


def test_the_race_tells_for_each_level_how_many_times_as_long_the_others_take(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X = np.random.default_rng(0).random((30, 20))
    monkeypatch.setitem(peers.DATA, "tiny", lambda: (X, 3))
    rows = peers.compared("tiny", 0.0, 2)
    assert [row["within %"] for row in rows] == pytest.approx([10, 1, 0.1])
    assert all(row["data"] == "tiny 30×20" and set(SOLVERS) - {"ours"} <= set(row) for row in rows)
    starts = [{"ours": 2.0, "HALS": 3.0}, {"ours": 4.0, "HALS": float("inf")}, {"ours": 1.0, "HALS": 5.0}]
    assert peers.row("tiny", (3, 4), 0.1, starts) == {
        "data": "tiny 3×4", "within %": 10.0, "ours s": 2.0, "HALS": 5.0,
    }  # fmt: skip


def test_a_peer_arrives_when_it_is_first_as_low_as_the_target() -> None:
    assert arrival(([1.0, 2.0, 3.0], [9.0, 4.0, 4.0]), 4.0) == 2.0
    assert arrival(([1.0], [9.0]), 4.0) == float("inf")
    H, W = np.ones((1, 3)), np.ones((2, 1))
    times, objectives = run(SOLVERS["HALS"], np.ones((2, 3)), W, H, 0.0)
    assert len(times) == len(objectives) == 2
    assert times[0] <= times[1]
