"""The search for neighbours of many rows, against all distances worked out one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from methods import graphs, neighbour_search
from methods.neighbour_search import nearest
from methods.progress import listening

Array = NDArray[Any]


def plainly(X: Array, p: int) -> list[list[int]]:
    """The nearest others by squared distance in double precision, equal ones in their order."""
    X = X.astype(np.float64)
    found = []
    for i, row in enumerate(X):
        apart = np.square(X - row).sum(axis=1)
        apart[i] = np.inf
        found.append(np.argsort(apart, kind="stable")[:p].tolist())
    return found


def flat(n: int, m: int) -> Array:
    """Rows near a few directions, as pictures are, whole numbers so that equal distances are equal."""
    rng = np.random.default_rng(n)
    return np.rint(rng.normal(size=(n, 6)) @ rng.normal(size=(6, m)) * 3 + rng.normal(size=(n, m)))


SHAPES = {
    "few directions": flat(400, 60),
    "no directions": np.random.default_rng(0).random((400, 20)),
    "twins": np.repeat(flat(60, 30), 5, axis=0),
    "far from the origin": flat(300, 40) + 1e4,
    "one row far from all others": np.vstack([flat(300, 40), np.full((1, 40), 1e5)]),
    "all rows alike": np.ones((50, 20)),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_nearest_are_found_whatever_the_data(
    shape: str, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour_search, "_BLOCK", 64)
    # Of some of these there are more features than rows that are sampled.
    monkeypatch.setattr(neighbour_search, "_SAMPLE", 50)
    X = SHAPES[shape].astype(dtype)
    for threads in (1, 2):
        with threadpool_limits(threads):
            assert nearest(X, 3).tolist() == plainly(X, 3)


def test_most_pairs_are_ruled_out_by_few_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    measured, search = [], neighbour_search.search_tile
    monkeypatch.setattr(neighbour_search, "search_tile", lambda *given: measured.append(search(*given)))
    X = flat(3000, 100)
    nearest(X, 3)
    assert 3 * 3000 / 2 <= sum(measured) < 0.05 * 3000**2 / 2


def test_how_far_it_has_come_is_reported() -> None:
    heard: list[tuple[str, float]] = []
    with listening(lambda what, share: heard.append((what, share))):
        nearest(flat(2100, 20), 2)
    assert {what for what, _ in heard} == {"neighbours"}
    shares = [share for _, share in heard]
    assert shares == sorted(shares)
    assert len(shares) >= 3
    assert shares[-1] == 1


def test_graphs_of_many_long_rows_are_searched_so(monkeypatch: pytest.MonkeyPatch) -> None:
    X = flat(900, 20) + np.random.default_rng(1).random((900, 20))
    before = graphs.neighbours(X, 4)
    monkeypatch.setattr(graphs, "_BRUTE_FORCE_BELOW", 800)
    graphs._neighbour_cache.clear()
    monkeypatch.setattr(graphs, "NearestNeighbors", None)
    after = graphs.neighbours(X, 4)
    assert (before != after).nnz == 0
