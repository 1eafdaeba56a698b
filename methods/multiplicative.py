"""The published multiplicative updates for X ≈ W H with graph terms on the columns of W.

    F(W, H) = ‖X − WH‖² + Σ_t weight_t Σ_{j in columns_t} ‖h_j‖² w_jᵀ(D_t − S_t)w_j ,   W, H ≥ 0

The papers write X as features × samples and UVᵀ for the factors: here H = Uᵀ and W = V.
With unit rows of H each term is the plain Laplacian energy of the embedding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

import numpy as np

from methods.data_matrix import DataMatrix
from methods.graphs import degrees
from methods.stepwise import Solver
from methods.typing import Array, Graph


def kernels() -> ModuleType:
    """Return the compiled loops; loading them is left until a solver is made."""
    from methods import hals_kernels  # numba takes longer to load than everything else here

    return hals_kernels


@dataclass(frozen=True)
class GraphTerm:
    """One graph in the objective: its name, weight, affinities, and the columns of W it acts on."""

    name: str
    weight: float
    affinity: Graph
    columns: slice

    @cached_property
    def degrees(self) -> Array:
        """The diagonal of D."""
        return degrees(self.affinity)


class MultiplicativeSolver(Solver):
    """First H, then (with `unit_parts`) unit rows of H, then W.

    Per iteration the data are touched twice: WᵀX and XHᵀ. The Gram matrices and the graph
    products of one half-step are kept for the other, and the objective is read off them.
    """

    def __init__(
        self,
        data: DataMatrix,
        H: Array,
        W: Array,
        graphs: Sequence[GraphTerm] = (),
        *,
        unit_parts: bool = False,
        held: int = 0,
    ) -> None:
        self.data, self.H, self.W = data, H, W
        self.graphs = [graph for graph in graphs if graph.weight > 0 and graph.affinity.nnz]
        self.silent = [graph.name for graph in graphs if graph not in self.graphs]
        # The first `held` parts stay as they are, up to their length.
        self.unit_parts, self.held = unit_parts, held
        precision = np.finfo(H.dtype)
        self._floor = float(precision.tiny / precision.eps)
        self._multiply_by_ratio = kernels().multiply_by_ratio
        self._numerator, self._denominator = np.empty_like(H), np.empty_like(H)
        self._scores, self._shrink, self._grow = np.empty_like(W), np.empty_like(W), np.empty_like(W)
        data.fill(W, H)
        data.scores(H, self._scores)
        self._look_at_parts()
        self._look_at_embedding()

    def step(self) -> None:
        """Update H, move its norms into W, update W."""
        self._update_parts()
        norms = self._normalise() if self.unit_parts else None
        self.data.fill(self.W, self.H)
        self.data.scores(self.H, self._scores)
        self._update_embedding(norms)
        self._look_at_embedding()

    def terms(self) -> dict[str, float]:
        """Return the squared error and each graph's energy."""
        return named_terms(self._error, self._gram_H, self._energies, self.silent)

    def arrays(self) -> dict[str, Array]:
        """Return H as components, W as embedding."""
        return {"components": self.H, "embedding": self.W}

    def _look_at_parts(self) -> None:
        self._gram_H = self.H @ self.H.T

    def _look_at_embedding(self) -> None:
        """Keep what both the next update of H and the objective need of the present W."""
        self._gram_W = self.W.T @ self.W
        self._error = self.data.squared_error(self.W, self.H, self._scores, (self._gram_W, self._gram_H))
        self._neighbour_sums = [graph.affinity @ self.W[:, graph.columns] for graph in self.graphs]
        self._energies = [
            graph_energy(graph, self.W, near)
            for graph, near in zip(self.graphs, self._neighbour_sums, strict=True)
        ]

    def _update_parts(self) -> None:
        self.data.weighted_rows(self.W, self._numerator)
        gram, pull = self._curvature()
        np.matmul(gram, self.H, out=self._denominator)
        free = slice(self.held, None)
        self._apply(self.H[free], self._numerator[free], self._denominator[free], pull[free])
        self._look_at_parts()

    def _curvature(self) -> tuple[Array, Array]:
        """Return WᵀW + Y⁺ and the diagonal of Y⁻."""
        pull = np.zeros(len(self._gram_W), self._gram_W.dtype)
        if not self._energies:
            return self._gram_W, pull
        gram = self._gram_W.copy()
        for energy in self._energies:
            gram[np.diag_indices_from(gram)] += energy.apart
            pull += energy.together
        return gram, pull

    def _normalise(self) -> Array:
        norms: Array = np.sqrt(np.diagonal(self._gram_H))
        norms[norms == 0] = 1
        self.H *= (1 / norms)[:, None]
        self._gram_H /= np.multiply.outer(norms, norms)
        self.W *= norms
        return norms

    def _update_embedding(self, norms: Array | None) -> None:
        W, grow, shrink = self.W, self._grow, self._shrink
        np.matmul(W, self._gram_H, out=shrink)
        np.copyto(grow, self._scores)
        for graph, near in zip(self.graphs, self._neighbour_sums, strict=True):
            part = graph.columns
            grow[:, part] += near * (graph.weight * norms[part] if norms is not None else graph.weight)
            shrink[:, part] += (graph.weight * graph.degrees)[:, None] * W[:, part]
        self._apply(W, grow, shrink)

    def _apply(self, factor: Array, numerator: Array, denominator: Array, pull: Array | None = None) -> None:
        if pull is None:
            pull = np.zeros(len(factor), factor.dtype)
        self._multiply_by_ratio(factor, numerator, denominator, pull, self._floor)


@dataclass(frozen=True)
class Energy:
    """A graph's energy, column by column of W, with its two halves kept apart.

    `apart` holds weight·wᵀDw and `together` weight·wᵀSw, both zero outside the graph's columns.
    """

    name: str
    apart: Array
    together: Array


def graph_energy(graph: GraphTerm, W: Array, near: Array) -> Energy:
    """Return the energy of W on a graph, given near = S·W[:, columns]."""
    part = W[:, graph.columns]
    apart, together = np.zeros(W.shape[1], W.dtype), np.zeros(W.shape[1], W.dtype)
    apart[graph.columns] = graph.weight * (graph.degrees @ np.square(part))
    together[graph.columns] = graph.weight * np.einsum("nk,nk->k", part, near)
    return Energy(graph.name, apart, together)


def named_terms(
    error: float, gram_H: Array, energies: Sequence[Energy] = (), silent: Sequence[str] = ()
) -> dict[str, float]:
    """Return the parts of the objective: ‖X − WH‖² and the energy of each graph.

    `silent` names graphs that are empty or weigh nothing; they are listed with 0.
    """
    terms: dict[str, float] = {"reconstruction": error}
    squared_lengths = np.diagonal(gram_H).astype(np.float64)
    for energy in energies:
        difference = energy.apart.astype(np.float64) - energy.together
        terms[energy.name] = float(np.maximum(difference, 0) @ squared_lengths)
    return terms | dict.fromkeys(silent, 0.0)
