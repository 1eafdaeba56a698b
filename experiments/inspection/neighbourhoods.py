"""Graphs over the samples of a data set, as methods make them: to draw, to compare, to spread labels on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from datasets import Dataset
from methods import graphs
from methods.l1_graph import l1_graph
from methods.propagation.cons import ConsistencyField
from methods.propagation.harmonic import HarmonicField
from methods.propagation.lnp import LinearField
from methods.propagation.spreading import Field, SpreadingSolver
from methods.propagation.weights import LogGraph
from methods.rows import indicator, unit_rows

Kind = Literal["neighbours", "l1", "intrinsic", "penalty"]
Rule = Literal["hgf", "cons", "lnp"]
Codes = NDArray[np.int64]
Graph = Any
# Beyond these numbers of samples a graph would take minutes, or gigabytes.
MOST = {"neighbours": 30_000, "l1": 2_000, "intrinsic": 4_000, "penalty": 4_000}
_ALPHA = 0.99
_ROUNDS = 200


def graph(ds: Dataset, codes: Codes, kind: Kind, size: int | None, view: str | None = None) -> Graph:
    """Return a symmetric graph over all rows; `codes` are the labels a method may know, -1 elsewhere.

    `size` is p for "neighbours", k₁ for "intrinsic" (None: all of the class) and the number of pairs a
    class for "penalty"; the ℓ1 graph has none. Weights are 0 or 1, in the ℓ1 graph the shares that
    samples have in each other.
    """
    X: Any = ds.X if view is None else ds.views[view]
    counted = int((codes >= 0).sum()) if kind in ("intrinsic", "penalty") else X.shape[0]
    if counted > MOST[kind]:
        of = "labelled samples" if kind in ("intrinsic", "penalty") else "samples"
        raise ValueError(f"This graph is worked out for at most {MOST[kind]} {of}; there are {counted}.")
    if kind == "neighbours":
        return graphs.neighbours(X, size or 0)
    if kind == "intrinsic":
        return graphs.intrinsic(X, codes, size)
    if kind == "penalty":
        return graphs.penalty(X, codes, size or 0)
    shares = abs(l1_graph(unit_rows(X.toarray() if hasattr(X, "toarray") else np.asarray(X))))
    both = sparse.csr_array((shares + shares.T) / 2)
    both.eliminate_zeros()
    return both


def edges(affinity: Graph) -> tuple[Codes, NDArray[np.float64]]:
    """Return each edge once, as a pair of rows, and the weights."""
    upper = sparse.triu(affinity, k=1).tocoo()
    return np.column_stack([upper.row, upper.col]).astype(np.int64), upper.data.astype(np.float64)


@dataclass(frozen=True)
class GraphFacts:
    """Statistics of a graph.

    `purity` is the share of edges that join samples of one class, by weight, among those whose classes are
    both known (None: there are none). `degree` counts edges a sample: mean and largest. `alone` have no edge.
    `parts` is how many pieces the graph falls into, samples without an edge not counted; `out_of_reach` how
    many samples no path joins to a labelled one.
    """

    edges: int
    purity: float | None
    degree: float
    most: int
    alone: int
    parts: int
    out_of_reach: int


def facts(affinity: Graph, y: Codes | None, labelled: Codes) -> GraphFacts:
    """Return the statistics of a graph; `y` are the true classes, -1 unknown."""
    pairs, weights = edges(affinity)
    n = affinity.shape[0]
    counts = np.bincount(pairs.ravel(), minlength=n)
    pieces = connected_components(affinity, directed=False)[1]
    out_of_reach = n - int(np.isin(pieces, pieces[labelled]).sum())
    return GraphFacts(
        edges=len(pairs),
        purity=_purity(pairs, weights, y),
        degree=float(counts.mean()),
        most=int(counts.max(initial=0)),
        alone=int((counts == 0).sum()),
        parts=int(np.unique(pieces[counts > 0]).size),
        out_of_reach=out_of_reach,
    )


def _purity(pairs: Codes, weights: NDArray[np.float64], y: Codes | None) -> float | None:
    if y is None or not len(pairs):
        return None
    ends = y[pairs]
    has_classes = (ends >= 0).all(axis=1)
    total = weights[has_classes].sum()
    return float(weights[has_classes & (ends[:, 0] == ends[:, 1])].sum() / total) if total > 0 else None


@dataclass(frozen=True, eq=False)
class LabelSpread:
    """Labels spreading through a graph, one row a stored round.

    `codes` holds the predicted class of each sample (-1: no label has reached it), `strengths` its share
    among all classes, `rounds` the numbers of the stored rounds, `accuracy` the share of the scored
    samples that is right, `reached` how many samples have a class.
    """

    rounds: tuple[int, ...]
    codes: Codes
    strengths: NDArray[np.float32]
    accuracy: tuple[float | None, ...]
    reached: tuple[int, ...]


def spread(
    affinity: Graph, codes: Codes, n_classes: int, rule: Rule, y: Codes | None, moments: int = 36
) -> LabelSpread:
    """Pass labels on along a graph, round after round, as one of the propagation methods does.

    `codes` are the labels given (-1 elsewhere). Scored are the other samples of known class `y`.
    """
    if not (codes >= 0).any():
        raise ValueError("There is no label to spread: label at least one sample.")
    n = affinity.shape[0]
    joined = np.flatnonzero(graphs.degrees(affinity) > 0)
    solver = _solver(affinity[joined][:, joined], codes[joined], n_classes, rule)
    scored = np.zeros(n, dtype=bool) if y is None else (codes < 0) & (y >= 0)
    frames: list[tuple[int, Codes, NDArray[np.float32], float | None]] = []
    frame_rounds = _frame_rounds(moments)
    for round_ in range(frame_rounds[-1] + 1):
        if round_ in frame_rounds:
            predicted, strengths = _frame(solver, codes, joined)
            right = float(np.mean(predicted[scored] == y[scored])) if y is not None and scored.any() else None
            frames.append((round_, predicted, strengths, right))
        solver.step()
    return LabelSpread(
        tuple(frame[0] for frame in frames),
        np.stack([frame[1] for frame in frames]),
        np.stack([frame[2] for frame in frames]),
        tuple(frame[3] for frame in frames),
        tuple(int((frame[1] >= 0).sum()) for frame in frames),
    )


def _solver(affinity: Graph, codes: Codes, n_classes: int, rule: Rule) -> SpreadingSolver:
    Y = indicator(codes, n_classes)
    field: Field
    if rule == "lnp":
        # Each sample as a mixture of its neighbours, with the graph's own weights.
        shares = sparse.diags_array(1 / graphs.degrees(affinity)) @ affinity
        field = LinearField(sparse.csr_array(shares.astype(np.float64)), Y, _ALPHA, symmetric=True)
    else:
        logs = affinity.astype(np.float64)
        logs.data = np.log(logs.data)
        near = LogGraph(logs)
        field = HarmonicField(near, codes, n_classes) if rule == "hgf" else ConsistencyField(near, Y, _ALPHA)
    return SpreadingSolver(field, Y, exact=False, dtype=np.float64)


def _frame(solver: SpreadingSolver, codes: Codes, joined: Codes) -> tuple[Codes, NDArray[np.float32]]:
    """Return the predicted class of each sample in this round, and the share of that class."""
    predicted, strengths = codes.copy(), (codes >= 0).astype(np.float32)
    shares = solver.distributions()
    predicted[joined] = np.where(shares.any(axis=1), shares.argmax(axis=1), -1)
    strengths[joined] = shares.max(axis=1)
    return predicted, strengths


def _frame_rounds(count: int) -> list[int]:
    """Return the rounds to store: every one at first, then at geometrically growing distances."""
    early = np.arange(count // 2 + 1)
    late = np.geomspace(count // 2 + 1, _ROUNDS, count - early.size)
    return [int(round_) for round_ in np.unique(np.concatenate([early, late.round()]))]
