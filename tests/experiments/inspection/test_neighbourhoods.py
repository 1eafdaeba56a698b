"""Graphs over samples: facts counted by hand, spreading checked against the equations it solves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import datasets
from datasets import Dataset
from experiments.inspection import neighbourhoods
from experiments.inspection.neighbourhoods import edges, facts, graph, spread

RULES = ("hgf", "cons", "lnp")


def joined(pairs: list[tuple[int, int]], n: int, weights: list[float] | None = None) -> sparse.csr_array:
    """A graph from its edges."""
    i, j = np.array(pairs).T
    values = np.ones(len(pairs)) if weights is None else np.array(weights)
    return sparse.coo_array((np.r_[values, values], (np.r_[i, j], np.r_[j, i])), shape=(n, n)).tocsr()


def near_ring(n: int = 24, seed: int = 0) -> tuple[sparse.csr_array, np.ndarray]:
    """A connected graph of random weights, four samples of it labelled."""
    rng = np.random.default_rng(seed)
    pairs = [(i, (i + step) % n) for i in range(n) for step in (1, 3)]
    codes = np.full(n, -1)
    codes[[0, 5, 11, 17]] = [0, 1, 2, 0]
    return joined(pairs, n, list(rng.uniform(0.2, 1, len(pairs)))), codes


def test_facts_of_a_graph_drawn_by_hand() -> None:
    # Two pieces, 0-1-2 and 3-4, and a sample alone; the edge 1-2 joins two classes.
    affinity = joined([(0, 1), (1, 2), (3, 4)], 6, [2.0, 1.0, 1.0])
    found = facts(affinity, np.array([0, 0, 1, 1, -1, 0]), np.array([0]))
    assert found == neighbourhoods.GraphFacts(
        edges=3, purity=pytest.approx(2 / 3), degree=1.0, most=2, alone=1, parts=2, out_of_reach=3
    )


def test_each_edge_is_listed_once() -> None:
    pairs, weights = edges(joined([(0, 1), (2, 1)], 3, [0.5, 2.0]))
    assert pairs.tolist() == [[0, 1], [1, 2]]
    assert weights.tolist() == [0.5, 2.0]


def test_facts_of_a_graph_without_edges() -> None:
    found = facts(sparse.csr_array((3, 3)), np.array([0, 1, 0]), np.array([0]))
    assert (found.edges, found.purity, found.alone, found.parts, found.out_of_reach) == (0, None, 3, 0, 2)


def test_graphs_of_a_data_set() -> None:
    ds = datasets.load("iris")
    codes = np.where(np.arange(ds.n_samples) % 10 == 0, ds.y, -1)
    near = graph(ds, codes, "neighbours", 3)
    assert (np.diff(near.indptr) >= 3).all()
    same = graph(ds, codes, "intrinsic", None)
    assert same.nnz == 3 * 5 * 4
    strangers = graph(ds, codes, "penalty", 2)
    pairs, _ = edges(strangers)
    assert (codes[pairs] >= 0).all()
    assert (codes[pairs[:, 0]] != codes[pairs[:, 1]]).all()
    mixture = graph(ds, codes, "l1", None)
    assert not mixture.diagonal().any()
    assert abs(mixture - mixture.T).max() == 0
    assert mixture.min() >= 0


def test_the_mixture_does_not_depend_on_how_long_samples_are() -> None:
    rows = np.random.default_rng(0).random((12, 5))
    longer = rows * np.linspace(0.5, 3, 12)[:, None]
    one, other = (
        graph(Dataset("made", "Made", {"x": X}), np.full(12, -1), "l1", None) for X in (rows, longer)
    )
    assert np.allclose(one.toarray(), other.toarray(), atol=1e-2)


def test_graphs_that_would_take_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(neighbourhoods.MOST, "l1", 100)
    ds = datasets.load("iris")
    with pytest.raises(ValueError, match="at most 100 samples; there are 150"):
        graph(ds, np.full(150, -1), "l1", None)


def test_harmonic_spreading_ends_where_its_equations_say() -> None:
    W, codes = near_ring()
    moments = spread(W, codes, 3, "hgf", None)
    free = codes < 0
    dense = W.toarray()
    L = np.diag(dense.sum(axis=1)) - dense
    F = np.linalg.solve(L[np.ix_(free, free)], dense[np.ix_(free, ~free)] @ np.eye(3)[codes[~free]])
    assert np.array_equal(moments.codes[-1][free], F.argmax(axis=1))
    assert np.allclose(moments.strengths[-1][free], F.max(axis=1), atol=1e-5)
    assert np.array_equal(moments.codes[-1][~free], codes[~free])


def test_consistent_spreading_ends_where_its_equations_say() -> None:
    W, codes = near_ring()
    moments = spread(W, codes, 3, "cons", None)
    root = 1 / np.sqrt(W.toarray().sum(axis=1))
    S = root[:, None] * W.toarray() * root
    Y = np.where(codes[:, None] >= 0, np.eye(3)[codes], 0)
    state = Y.copy()
    for _ in range(moments.rounds[-1]):
        state = 0.99 * S @ state + 0.01 * Y
    assert np.array_equal(moments.codes[-1], state.argmax(axis=1))


def test_linear_spreading_ends_where_its_energy_is_least() -> None:
    W, codes = near_ring()
    moments = spread(W, codes, 3, "lnp", None)
    M = W.toarray() / W.toarray().sum(axis=1, keepdims=True)
    S = (M + M.T) / 2
    Y = np.where(codes[:, None] >= 0, np.eye(3)[codes], 0)
    state = Y.copy()
    for _ in range(moments.rounds[-1]):
        state = (0.99 * S @ state + 0.01 * Y) / (0.99 * S.sum(axis=1) + 0.01)[:, None]
    assert np.array_equal(moments.codes[-1], state.argmax(axis=1))


@pytest.mark.parametrize("rule", RULES)
def test_labels_go_one_edge_a_round(rule) -> None:
    path = joined([(i, i + 1) for i in range(6)], 8)
    codes = np.full(8, -1)
    codes[0] = 0
    moments = spread(path, codes, 2, rule, np.zeros(8, np.int64))
    for moment, round_ in enumerate(moments.rounds[:7]):
        assert np.flatnonzero(moments.codes[moment] >= 0).tolist() == list(range(round_ + 1))
    # The last sample has no edge: no label ever comes to it, which counts as wrong.
    assert moments.codes[-1].tolist() == [0] * 7 + [-1]
    assert moments.reached[-1] == 7
    assert moments.accuracy[-1] == pytest.approx(6 / 7)


def test_spreading_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="label at least one sample"):
        spread(joined([(0, 1)], 2), np.array([-1, -1]), 2, "hgf", None)


def test_unknown_truth_gives_no_accuracy() -> None:
    W, codes = near_ring()
    assert set(spread(W, codes, 3, "hgf", None).accuracy) == {None}
