"""What the methods on Gaussian graphs have in common: the graph, and averages around new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.neighbors import NearestNeighbors

from methods.propagation.spreading import Propagation
from methods.propagation.weights import LogGraph, gaussian, median_distance
from methods.spec import Param
from methods.typing import Array, Codes, is_sparse

_PAIRS_AT_ONCE = 4_000_000


class GaussianPropagation(Propagation):
    """Propagation along weights exp(−d²/2s²), s being `sigma` times the median distance (`width_`)."""

    sigma: float
    graph: str
    n_neighbors: int
    width_: float

    def _graph(self, X: Array) -> LogGraph:
        self.width_ = float(self.sigma) * median_distance(X)
        return gaussian(X, self.width_, self.graph, int(self.n_neighbors))

    def _averaged(self, X: Array, reached: Codes) -> Array:
        # Around the mean and in units of the width, as the graph was made.
        centre = 0 if is_sparse(self.X_) else self.X_.mean(axis=0, dtype=np.float64)
        rows = (self.X_[reached].astype(np.float64) - centre) / self.width_
        distributions = self.label_distributions_[reached].astype(np.float64)
        averages = np.empty((X.shape[0], distributions.shape[1]))
        step = max(1, _PAIRS_AT_ONCE // rows.shape[0])
        for first in range(0, X.shape[0], step):
            block = (X[first : first + step].astype(np.float64) - centre) / self.width_
            averages[first : first + step] = (
                self._over_all(block, rows, distributions)
                if self.graph == "full"
                else self._over_nearest(block, rows, distributions)
            )
        return averages

    def _over_all(self, block: Array, rows: Array, distributions: Array) -> Array:
        return self._decayed(euclidean_distances(block, rows, squared=True)) @ distributions

    def _over_nearest(self, block: Array, rows: Array, distributions: Array) -> Array:
        near = NearestNeighbors(n_neighbors=min(int(self.n_neighbors), rows.shape[0])).fit(rows)
        distances, index = near.kneighbors(block)
        return np.asarray(np.einsum("qk,qkc->qc", self._decayed(np.square(distances)), distributions[index]))

    def _decayed(self, squares: Array) -> Array:
        # Relative to the nearest row, so that far from all data the nearest still counts.
        squares -= squares.min(axis=1, keepdims=True)
        return np.asarray(np.exp(-0.5 * squares))


def graph_params(sigma: Any) -> tuple[Param, ...]:
    """Return the parameters of the graph; methods differ in the width that suits them."""
    return (
        Param(
            "sigma",
            "float",
            sigma,
            "How far a sample reaches: the width of the Gaussian, in median distances between samples.",
            symbol="σ",
            least=1e-4,
            low=0.02,
            high=10.0,
            scale="log",
            paper="not given",
        ),
        Param(
            "graph",
            "choice",
            "full",
            "Who is joined: every two samples, or only near neighbours (faster on thousands of samples).",
            choices=("full", "knn"),
        ),
        Param(
            "n_neighbors",
            "int",
            7,
            "How many nearest neighbours a sample is joined with, when only neighbours are.",
            least=1,
            low=1,
            high=50,
            paper="7 in the comparison of S-RLSC",
            advanced=True,
            only_if=("graph", "knn"),
        ),
    )
