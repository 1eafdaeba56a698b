"""Gaussian weights between samples, kept as logarithms so that no width is too small for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import logsumexp
from sklearn.metrics.pairwise import euclidean_distances

from methods import graphs
from methods.typing import Array, Graph, is_sparse

_ROWS_FOR_MEDIAN = 2000
_VALUES_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class LogGraph:
    """A symmetric graph without loops: the logarithms of its weights, −∞ (or nothing stored) for no edge."""

    logs: Array | Graph

    @property
    def size(self) -> int:
        """The number of nodes."""
        return int(self.logs.shape[0])

    @property
    def heaviest(self) -> float:
        """The logarithm of the largest weight."""
        return float(self._values.max())

    @property
    def lightest(self) -> float:
        """The logarithm of the smallest weight."""
        return float(np.min(self._values, initial=0.0, where=np.isfinite(self._values)))

    @property
    def _values(self) -> Array:
        return self.logs if isinstance(self.logs, np.ndarray) else np.asarray(self.logs.data)

    def log_degrees(self) -> Array:
        """Return the logarithms of the row sums."""
        if isinstance(self.logs, np.ndarray):
            return np.asarray(logsumexp(self.logs, axis=1))
        # Every row of a neighbour graph has an entry, so that no segment is empty.
        starts, counts = self.logs.indptr[:-1], np.diff(self.logs.indptr)
        tops = np.maximum.reduceat(self.logs.data, starts)
        sums = np.add.reduceat(np.exp(self.logs.data - np.repeat(tops, counts)), starts)
        return np.asarray(tops + np.log(sums))

    def weights(self, over_rows: Array | float, over_columns: Array | float = 0.0) -> Any:
        """Return the weights divided by exp(over_rows) and exp(over_columns), in the graph's own form."""
        rows = np.broadcast_to(over_rows, self.size)
        columns = np.broadcast_to(over_columns, self.size)
        if isinstance(self.logs, np.ndarray):
            scaled = self.logs - rows[:, None]
            if np.any(columns):
                scaled -= columns
            return np.exp(scaled, out=scaled)
        logs = self.logs.data - np.repeat(rows, np.diff(self.logs.indptr)) - columns[self.logs.indices]
        return sparse.csr_array((np.exp(logs), self.logs.indices, self.logs.indptr), shape=self.logs.shape)

    def reached_from(self, nodes: Any) -> Any:
        """Return a mask of the nodes that some path joins to one of `nodes`."""
        if isinstance(self.logs, np.ndarray):
            return np.ones(self.size, dtype=bool)
        # A logarithm may be 0, which csgraph would take for no edge.
        edges = sparse.csr_array(
            (np.ones_like(self.logs.data), self.logs.indices, self.logs.indptr), shape=self.logs.shape
        )
        parts = connected_components(edges, directed=False)[1]
        return np.isin(parts, parts[nodes])

    def dense_logs(self) -> Array:
        """Return the logarithms as a full array, −∞ where there is no edge."""
        if isinstance(self.logs, np.ndarray):
            return self.logs
        full = np.full(self.logs.shape, -np.inf)
        rows = np.repeat(np.arange(self.size), np.diff(self.logs.indptr))
        full[rows, self.logs.indices] = self.logs.data
        return full


def gaussian(X: Array, width: float, kind: str, n_neighbors: int) -> LogGraph:
    """Return the graph of exp(−‖xᵢ−xⱼ‖² / 2·width²) over all pairs ("full") or near neighbours ("knn")."""
    # In units of the width, so that squares of very small or large entries can be held.
    X = centred(X) / width
    if kind == "full":
        logs: Array = euclidean_distances(X, squared=True)
        logs *= -0.5
        np.fill_diagonal(logs, -np.inf)
        return LogGraph(logs)
    edges = graphs.neighbours(X, n_neighbors, "n_neighbors")
    edges.data = edge_distances(X, edges)
    edges.data *= -0.5
    return LogGraph(edges)


def edge_distances(X: Array, edges: Graph) -> Array:
    """Return ‖xᵢ−xⱼ‖² for every stored edge."""
    rows = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr))
    squares = np.empty(rows.size)
    step = max(1, _VALUES_AT_ONCE // X.shape[1])
    for first in range(0, rows.size, step):
        part = slice(first, first + step)
        squares[part] = squared_lengths(X[rows[part]] - X[edges.indices[part]])
    return squares


def median_distance(X: Array) -> float:
    """Return the median distance between two samples; above 2 000 samples, between a spread of them.

    Where most samples coincide it is the median over those that differ, and 1 if none do.
    """
    X = centred(X)
    unit = float(abs(X).max()) or 1.0
    X = X / unit
    if X.shape[0] > _ROWS_FOR_MEDIAN:
        # Taken evenly from the middle outwards, which does not depend on the order of the rows.
        outwards = np.argsort(squared_lengths(X), kind="stable")
        X = X[outwards[np.linspace(0, X.shape[0] - 1, _ROWS_FOR_MEDIAN).astype(np.int64)]]
    distances = euclidean_distances(X)[np.triu_indices(X.shape[0], 1)]
    median = float(np.median(distances))
    if median == 0:
        apart = distances[distances > 0]
        median = float(np.median(apart)) if apart.size else 1.0
    return unit * median


def squared_lengths(X: Any) -> Array:
    """Return ‖x‖² of every row, sparse or not."""
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).reshape(-1)
    return np.asarray(np.einsum("ij,ij->i", X, X))


def centred(X: Any) -> Any:
    """Return X around its mean in double precision, where differences of squares lose least.

    Sparse rows stay where they are: most of their entries are zero, and so nearly is their mean.
    """
    X = X.astype(np.float64)
    if is_sparse(X):
        return sparse.csr_array(X)
    return np.asarray(X - X.mean(axis=0))
