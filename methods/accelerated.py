"""Fewer seconds for the same objective: coordinate descent with momentum.

    F = ‖X − W C‖² + Σ_t weight_t Σ_{j in columns_t} ‖c_j‖² w_jᵀ(D_t − S_t)w_j ,   all ≥ 0,

where part c_j is a free row of C (matrices) or the outer product of one factor a mode (tensors). An
iteration touches the data twice, as a multiplicative one does, but makes several exact sweeps with each
product and then goes on a little in the direction it came from (Ang and Gillis, 2019). A step that would
raise F is not taken: the run then falls back to where it was, without momentum, and cannot rise from there.

How much is made of a product follows from the sizes: several sweeps where it is dear, one where sparse data
make it cheap; and of dense data with hundreds of times more rows (or columns) than parts the first step
looks at some, where steps cost next to nothing, before it looks at all. `benchmarks.peers` sets this beside
the solvers of others.
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
# The share of entries below which sparse data are cheaper to multiply than to sweep over.
_THIN = 0.1
# How many rows (or columns) a part the first step looks at, if that is at most one in so many; how often it
# then takes two steps on them, as long as these leave no more than a share of the error.
_ROWS_A_PART, _REDUCED, _STEPS_ON_SAMPLE, _WORTHWHILE, _TO_CATCH_UP = 32, 8, 30, 0.98, 4
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
        self._before = [np.zeros_like(factor) for factor in self.factors]
        self._spare = [np.empty_like(factor) for factor in self.factors]
        self._onset, self._spare_W = self.W.copy(), np.empty_like(self.W)
        k, (n, m) = len(self.W), data.shape
        self._weighted, self._scores = np.empty((k, m), W.dtype), np.empty((k, n), W.dtype)
        self._reach, self._ceiling, self._plain = FIRST_REACH, 1.0, True
        self._components = outer(self.factors)
        grams = [factor @ factor.T for factor in self.factors]
        self._sweeps = _sweeps(data, k)
        self._sample = None if self.graphs or of_tensors or held else sample(data, k)
        data.fill(self.W.T, self._components)
        # The first step begins with this product, so that F at the start costs none of its own.
        data.weighted_rows(self.W.T, self._weighted)
        self._has_looked = True
        self._terms: dict[str, float] = {}
        self._terms = self._measure(self.W, gram_but(grams), self._components)

    def step(self) -> None:
        """Improve the parts, go beyond, improve the embedding; keep it all only if F is no higher."""
        chosen, self._sample = self._sample, None
        # What comes from a sample is far ahead of what does not, and has to be caught up with.
        times = 1 if chosen is None else _TO_CATCH_UP
        parts = self._improved_parts(times) if chosen is None else self._parts_of_sample(chosen, times)
        beyond = self._before
        for new, old in zip(parts, beyond, strict=True):
            self._kernels.go_beyond(new, old, 0.0 if self._plain else self._reach)
        grams = [factor @ factor.T for factor in beyond]
        gram = gram_but(grams)
        components = outer(beyond)
        self.data.fill(self._onset.T, components)
        self.data.scores(components, self._scores.T)
        W = self._improved_embedding(gram, times)
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
        state: dict[str, Any] = {"components": self._components, "embedding": self.W.T}
        if self.of_tensors:
            state["factors"] = [factor.T for factor in self.factors]
        return state

    def _improved_parts(self, times: int) -> list[Array]:
        """Return the factors after a few sweeps, so many times, all with one look at the data."""
        parts = self._spare
        for part, factor in zip(parts, self.factors, strict=True):
            np.copyto(part, factor)
        if not self._has_looked:
            self.data.fill(self._onset.T, self._components)
            self.data.weighted_rows(self._onset.T, self._weighted)
        self._has_looked = False
        gram = self._onset @ self._onset.T
        # Each graph asks for short parts: it adds to the curvature of its own.
        gram[np.diag_indices_from(gram)] += sum(self._energies(self._onset).values(), np.zeros(1, gram.dtype))
        if len(parts) == 1:
            part, held = parts[0], self.held
            left = self._weighted[held:] - gram[held:, :held] @ part[:held] if held else self._weighted
            inner = np.ascontiguousarray(gram[held:, held:])
            self._kernels.descend(part[held:], left, inner, times * self._sweeps[0])
            return parts
        grams = [part @ part.T for part in parts]
        for _ in range(_MODE_ROUNDS):
            for mode, part in enumerate(parts):
                seen = np.ascontiguousarray(project(self._weighted, parts, mode))
                self._kernels.descend(part, seen, gram * gram_but(grams, mode), _PART_SWEEPS)
                grams[mode] = part @ part.T
        return parts

    def _parts_of_sample(self, chosen: Array, times: int) -> list[Array]:
        """Return the parts after steps on the rows chosen, or those that follow from steps on columns."""
        tall, self._has_looked = self.data.shape[0] >= self.data.shape[1], False
        X = np.ascontiguousarray(self.data.X[chosen] if tall else self.data.X[:, chosen])
        H, W = (self.factors[0], self.W[:, chosen]) if tall else (self.factors[0][:, chosen], self.W)
        small = AcceleratedSolver(DataMatrix(X), [H], W.T)
        for _ in range(_STEPS_ON_SAMPLE):
            before = small.terms()["reconstruction"]
            small.step()
            small.step()
            if not small.terms()["reconstruction"] < _WORTHWHILE * before:
                break
        if not tall:
            np.copyto(self._onset, small.W)
            return self._improved_parts(times)
        np.copyto(self._spare[0], small.factors[0])
        return self._spare

    def _improved_embedding(self, gram: Array, times: int) -> Array:
        W = self._spare_W
        np.copyto(W, self._onset)
        if self._merged is None:
            self._kernels.descend(W, self._scores, gram, times * self._sweeps[1])
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
        product, factor = (self._weighted, components) if self._has_looked else (self._scores.T, W.T)
        error = self.data.squared_error(W.T, components, product, (W @ W.T, gram), factor)
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
            self._kernels.scale_rows(self.factors[mode], self._before[mode], 1 / norm)
        grow = norms.prod(axis=0)
        self._kernels.scale_rows(self.W, self._onset, grow)
        if len(norms) > 1:
            components *= (1 / grow)[:, None]
            return components
        return self.factors[0]


def sample(data: DataMatrix, k: int) -> Array | None:
    """Return which rows, or columns if there are more, the first step looks at; None if at all of them.

    Parts of dense data with hundreds of times more rows than parts are much the same on some of the rows.
    These are the same every time.
    """
    longer = max(data.shape)
    if data.incomplete or not isinstance(data.X, np.ndarray) or longer < _REDUCED * _ROWS_A_PART * k:
        return None
    return np.sort(np.random.RandomState(0).permutation(longer)[: _ROWS_A_PART * k])


def _sweeps(data: DataMatrix, k: int) -> tuple[int, int]:
    """Return how often a product with all the data is swept over, for parts and for embedding.

    Products with thin sparse data cost little more than a sweep: one is made, and one more for every
    four that a product is worth.
    """
    parts, embedding = _PART_SWEEPS, _EMBEDDING_ROUNDS * _EMBEDDING_SWEEPS
    n, m = data.shape
    if data.stored is None or data.stored > _THIN * n * m:
        return parts, embedding
    return min(parts, 1 + data.stored // (4 * m * k)), min(embedding, 1 + data.stored // (4 * n * k))


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
