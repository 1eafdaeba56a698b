"""The ℓ1 graph of many samples against the plain iterations on small data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import datasets
from methods import l1_graph, l1_wide
from methods.l1_admm import solve
from methods.l1_problem import GraphProblem
from methods.l1_wide import solve_wide
from methods.progress import listening


def unit(X: Any) -> Any:
    X = np.asarray(X, dtype=np.float64)
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def digits(n: int) -> Any:
    return unit(datasets.load("digits").X[:n])


DATA = {
    "pictures": lambda: digits(110),
    "signed": lambda: unit(np.random.default_rng(1).normal(size=(120, 20))),
    "longer rows": lambda: 5 * np.random.default_rng(2).random((90, 30)),
    "twins and zeros": lambda: np.vstack(
        [np.zeros((2, 12)), *[unit(np.random.default_rng(3).random((40, 12)))] * 2]
    ),
}


@pytest.mark.parametrize("data", DATA)
def test_every_row_is_within_the_gap_of_what_the_plain_iterations_find(
    data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(l1_wide, "_STREAM", 60)
    monkeypatch.setattr(l1_wide, "_SLOTS", 25)
    X = DATA[data]()
    best = solve(GraphProblem(X), 1e-3, 5000, np.float64)
    found = solve_wide(X, 1e-2, 3000)
    assert found.gap.max() <= 1e-2
    assert (found.bound <= best.objective * (1 + 1e-9)).all()
    assert (found.objective <= best.objective * 1.01 + 1e-12).all()
    weights = found.codes.astype(np.float64).toarray()
    assert not weights.diagonal().any()
    plainly = np.abs(weights).sum(axis=1) + np.abs(X - weights @ X).sum(axis=1)
    np.testing.assert_allclose(found.objective, plainly, rtol=1e-9, atol=1e-9)


def test_the_numbers_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l1_wide, "_STREAM", 50)
    graphs = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            graphs.append(solve_wide(digits(150), 1e-2, 3000).codes)
    for one in graphs:
        one.sort_indices()
    assert graphs[0].data.tobytes() == graphs[1].data.tobytes()


def test_graphs_of_many_samples_are_made_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(l1_graph, "_MANY", 100)
    monkeypatch.setattr(l1_wide, "_STREAM", 50)
    heard: list[float] = []
    with threadpool_limits(1), listening(lambda what, share: heard.append(share)):
        found = l1_graph.l1_solution(digits(120) + 1e-7)
    assert heard == sorted(heard)
    assert len(set(heard)) > 3
    assert heard[-1] == 1
    assert found.gap.max() <= 1e-2
    # What has no time to settle is finished by a linear program.
    monkeypatch.setattr(l1_graph, "MAX_ITER", 20)
    assert l1_graph.l1_solution(digits(105) + 2e-7).gap.max() <= 1e-2
