"""Systems (diag + D − S) x = b with one graph and many diagonals: the graph is looked at only once."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from methods.multiplicative import kernels
from methods.typing import Array, Graph


@dataclass(frozen=True)
class Elimination:
    """The order in which samples are eliminated, the edges that arise, and where each pair of them meets."""

    order: Array
    first: Array
    later: Array
    weights: Array
    fills: Array

    def solve(self, v: Array, slope: Array, right: Array) -> None:
        """Replace each column of v by the x with (diag(slope/v) + D − S) x = right, in place."""
        kernels().solve_graph_systems(
            v, slope, right, self.order, self.first, self.later, self.weights, self.fills
        )


def eliminate(affinity: Graph, dtype: Any) -> Elimination:
    """Order the samples by least degree, which keeps new edges few; isolated samples cost nothing."""
    n = affinity.shape[0]
    S = affinity.tocsr()
    near = [set(S.indices[S.indptr[i] : S.indptr[i + 1]].tolist()) - {i} for i in range(n)]
    waiting = [(len(near[i]), i) for i in range(n)]
    heapq.heapify(waiting)
    order: list[int] = []
    touched: dict[int, set[int]] = {}
    while waiting:
        degree, i = heapq.heappop(waiting)
        if i in touched or degree != len(near[i]):
            continue
        touched[i] = near[i]
        order.append(i)
        for a in near[i]:
            near[a] = (near[a] | near[i]) - {i, a}
            heapq.heappush(waiting, (len(near[a]), a))
    place = np.argsort(order)
    later = [sorted(place[list(touched[i])].tolist()) for i in order]
    first = np.cumsum([0, *(len(rest) for rest in later)])
    slot = {(p, a): first[p] + e for p, rest in enumerate(later) for e, a in enumerate(rest)}
    weights = [S[order[p], order[a]] for p, a in slot]
    fills = [slot[pair] for rest in later for pair in combinations(rest, 2)]
    return Elimination(
        np.array(order, np.int64),
        first.astype(np.int64),
        np.array([a for rest in later for a in rest], np.int64),
        np.array(weights, dtype),
        np.array(fills, np.int64),
    )
