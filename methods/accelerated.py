"""Fewer seconds for the same objective: coordinate descent with momentum.

    F = ‖X − W C‖² + Σ_t weight_t Σ_{j in columns_t} ‖c_j‖² w_jᵀ(D_t − S_t)w_j ,   all ≥ 0,

where part c_j is a free row of C (matrices) or the outer product of one factor a mode (tensors). An
iteration touches the data twice, as a multiplicative one does, but makes several exact sweeps with each
product and then goes on a little in the direction it came from (Ang and Gillis, 2019). A step that would
raise F is not taken: the run then falls back to where it was, without momentum, and cannot rise from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from methods.data_matrix import DataMatrix
from methods.multiplicative import GraphTerm, kernels
from methods.rank_one import gram_but, lengths, outer, project
from methods.stepwise import Solver
from methods.typing import Array, Graph

# Sweeps with one product: enough to use up what it tells, few enough to cost less than the next one.
_PART_SWEEPS = 3
_EMBEDDING_ROUNDS, _EMBEDDING_SWEEPS = 2, 3
_MODE_ROUNDS = 3
FIRST_REACH, GROWTH, CEILING_GROWTH, CUT = 0.5, 1.05, 1.01, 1.5


class AcceleratedSolver(Solver):
    """Block coordinate descent on parts and embedding, with extrapolation and restart.

    Shown are the parts and embedding for which F is at hand, and which no later step undercuts.
    """

    def __init__(
        self,
        data: DataMatrix,
        factors: Sequence[Array],
        W: Array,
        graphs: Sequence[GraphTerm] = (),
        *,
        unit_parts: bool = False,
        of_tensors: bool = False,
        held: int = 0,
    ) -> None:
        self._kernels = kernels()
        self.data, self.unit_parts, self.of_tensors = data, unit_parts, of_tensors
        # The first `held` parts stay as they are, up to their length.
        self.held = held
        self.graphs = [graph for graph in graphs if graph.weight > 0 and graph.affinity.nnz]
        self.silent = [graph.name for graph in graphs if graph not in self.graphs]
        self._merged = merge(self.graphs, W.shape[1], W.dtype)
        self.factors = [np.array(factor, order="C") for factor in factors]
        self.W = np.array(W.T, order="C")
        # For each block: what is shown, where the next sweep starts or came from, and room to work in.
        self._before = [factor.copy() for factor in self.factors]
        self._spare = [np.empty_like(factor) for factor in self.factors]
        self._onset, self._spare_W = self.W.copy(), np.empty_like(self.W)
        k, (n, m) = len(self.W), data.shape
        self._weighted, self._scores = np.empty((k, m), W.dtype), np.empty((k, n), W.dtype)
        self._reach, self._ceiling, self._plain = FIRST_REACH, 1.0, True
        self._components = outer(self.factors)
        grams = [factor @ factor.T for factor in self.factors]
        data.fill(self.W.T, self._components)
        data.scores(self._components, self._scores.T)
        self._terms: dict[str, float] = {}
        self._terms = self._measure(self.W, gram_but(grams), self._components)

    def step(self) -> None:
        """Improve the parts, go beyond, improve the embedding; keep it all only if F is no higher."""
        parts = self._improved_parts()
        beyond = self._before
        for new, old in zip(parts, beyond, strict=True):
            self._kernels.go_beyond(new, old, 0.0 if self._plain else self._reach)
        grams = [factor @ factor.T for factor in beyond]
        gram = gram_but(grams)
        components = outer(beyond)
        self.data.fill(self._onset.T, components)
        self.data.scores(components, self._scores.T)
        W = self._improved_embedding(gram)
        terms = self._measure(W, gram, components)
        old_objective, new_objective = sum(self._terms.values()), sum(terms.values())
        if new_objective > old_objective:
            self._fall_back(parts, W)
            return
        self._terms = terms
        self._kernels.go_beyond(W, self.W, self._reach)
        self._onset, self._spare_W, self.W = self.W, self._onset, W
        self.factors, self._before, self._spare = beyond, parts, self.factors
        if self.unit_parts:
            components = self._normalise(lengths(grams), components)
        self._components = components
        if not self._plain:
            self._reach = min(self._ceiling, GROWTH * self._reach)
            self._ceiling = min(1.0, CEILING_GROWTH * self._ceiling)
        self._plain = False

    def terms(self) -> dict[str, float]:
        """Return the squared error and each graph's energy."""
        return dict(self._terms)

    def arrays(self) -> dict[str, Array]:
        """Return the parts and the embedding, and for tensors the factors the parts are made of."""
        shown: dict[str, Any] = {"components": self._components, "embedding": self.W.T}
        if self.of_tensors:
            shown["factors"] = [factor.T for factor in self.factors]
        return shown

    def _improved_parts(self) -> list[Array]:
        """Return the factors after a few sweeps, all with one look at the data."""
        parts = self._spare
        for part, factor in zip(parts, self.factors, strict=True):
            np.copyto(part, factor)
        self.data.fill(self._onset.T, self._components)
        self.data.weighted_rows(self._onset.T, self._weighted)
        gram = self._onset @ self._onset.T
        # Each graph asks for short parts: it adds to the curvature of its own.
        gram[np.diag_indices_from(gram)] += sum(self._energies(self._onset).values(), np.zeros(1, gram.dtype))
        if len(parts) == 1:
            part, held = parts[0], self.held
            left = self._weighted[held:] - gram[held:, :held] @ part[:held] if held else self._weighted
            inner = np.ascontiguousarray(gram[held:, held:])
            self._kernels.descend(part[held:], left, inner, _PART_SWEEPS)
            return parts
        grams = [part @ part.T for part in parts]
        for _ in range(_MODE_ROUNDS):
            for mode, part in enumerate(parts):
                seen = np.ascontiguousarray(project(self._weighted, parts, mode))
                self._kernels.descend(part, seen, gram * gram_but(grams, mode), _PART_SWEEPS)
                grams[mode] = part @ part.T
        return parts

    def _improved_embedding(self, gram: Array) -> Array:
        W = self._spare_W
        np.copyto(W, self._onset)
        if self._merged is None:
            self._kernels.descend(W, self._scores, gram, _EMBEDDING_ROUNDS * _EMBEDDING_SWEEPS)
        else:
            merged = self._merged
            self._kernels.descend_on_graphs(
                W,
                self._scores,
                gram,
                merged.of_part,
                merged.starts,
                merged.neighbours,
                merged.weights,
                merged.degrees,
                _EMBEDDING_ROUNDS,
                _EMBEDDING_SWEEPS,
            )
        return W

    def _energies(self, W: Array) -> dict[str, Array]:
        """Return weight·w_jᵀLw_j for every part and graph, zero outside a graph's columns."""
        energies = {}
        for graph in self.graphs:
            S = graph.affinity
            energies[graph.name] = np.zeros(len(W), W.dtype)
            energies[graph.name][graph.columns] = graph.weight * self._kernels.roughness(
                W[graph.columns], S.indptr, S.indices, S.data
            )
        return energies

    def _measure(self, W: Array, gram: Array, components: Array) -> dict[str, float]:
        before = self.data.measured_directly
        error = self.data.squared_error(W.T, components, self._scores.T, (W @ W.T, gram))
        if self.data.measured_directly and not before and self._terms:
            # From here on steps differ by less than rounding did to what is shown: it is measured anew too.
            self._terms["reconstruction"] = self.data.residual(self.W.T, self._components)
        terms = {"reconstruction": error}
        squared_lengths = np.diagonal(gram).astype(np.float64)
        for name, energy in self._energies(W).items():
            terms[name] = float(energy.astype(np.float64) @ squared_lengths)
        return terms | dict.fromkeys(self.silent, 0.0)

    def _fall_back(self, parts: list[Array], W: Array) -> None:
        """Drop a step that went too far: the next one starts from what is shown and has no momentum."""
        self._spare, self._spare_W = parts, W
        np.copyto(self._onset, self.W)
        for old, factor in zip(self._before, self.factors, strict=True):
            np.copyto(old, factor)
        self._plain = True
        self._ceiling, self._reach = self._reach, self._reach / CUT

    def _normalise(self, norms: Array, components: Array) -> Array:
        """Move the norms of all factors into the embedding, which leaves F as it is."""
        for mode, norm in enumerate(norms):
            shrink = (1 / norm)[:, None]
            self.factors[mode] *= shrink
            self._before[mode] *= shrink
        grow = norms.prod(axis=0)[:, None]
        self.W *= grow
        self._onset *= grow
        if len(norms) > 1:
            components *= 1 / grow
            return components
        return self.factors[0]


@dataclass(frozen=True)
class MergedGraphs:
    """All graphs in the form the compiled sweeps read: for each part the sum of the graphs it lives on."""

    of_part: Array
    starts: Array
    neighbours: Array
    weights: Array
    degrees: Array


def merge(graphs: Sequence[GraphTerm], k: int, dtype: np.dtype[np.generic]) -> MergedGraphs | None:
    """Return the weighted sum of the graphs that act on each part; None where there is none."""
    if not graphs:
        return None
    of_part = np.full(k, -1, np.int64)
    sums: dict[tuple[int, ...], Graph] = {}
    columns = [range(k)[graph.columns] for graph in graphs]
    for j in range(k):
        on = tuple(t for t, part in enumerate(columns) if j in part)
        if on and on not in sums:
            sums[on] = reduce(add, (graphs[t].weight * graphs[t].affinity for t in on)).tocsr()
        of_part[j] = list(sums).index(on) if on else -1
    edges = np.cumsum([0, *(S.nnz for S in sums.values())])
    return MergedGraphs(
        of_part,
        np.array([S.indptr + first for S, first in zip(sums.values(), edges, strict=False)], np.int64),
        np.concatenate([S.indices for S in sums.values()]).astype(np.int64),
        np.concatenate([S.data for S in sums.values()]).astype(dtype),
        np.array([S.sum(axis=1) for S in sums.values()]).astype(dtype),
    )
