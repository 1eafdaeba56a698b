"""Many sparse codes over one dictionary, found side by side: graph-form ADMM with certified gaps.

Each problem is min ‖a‖₁ + misfit(y) with y = aD, D holding one atom a row. The alternating direction
method of multipliers (Parikh and Boyd, Block splitting, 2014) splits it into what acts entry by entry and
the projection onto {(a, aM)}, M = scale·D. The projection is the same for every sample and every iteration,
so one small inverse serves them all, and the samples of a block go through it as one matrix product.
A sample leaves the block as soon as its duality gap, worked out in double precision, is small enough. What
begins in single precision goes on in double once most gaps have stopped shrinking: rounding then decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg, sparse

from methods.typing import Array, Codes, Graph

_BLOCK = 256
_RELAXATION = 1.7
_CHECK_EVERY = 5
# A gap that shrinks by less than 2 % in this many looks has come to rest; in double precision it goes on.
_PATIENCE = 8


class Problem(Protocol):
    """What the solver must know: the atoms, the misfit, and how to prove how good a code is."""

    atoms: Array
    targets: Array
    own: Codes | None
    scale: float
    rho: float

    def excess(self, deviation: Array, rows: Codes) -> Array:
        """Return what the proximal step of the misfit takes away from scale·(y − target)."""

    def estimate(self, codes: Array, duals: Array, correlations: Array, rows: Codes) -> tuple[Array, Array]:
        """Return, cheaply and roughly, the objectives of codes and the bounds that duals give."""

    def certify(self, codes: Array, duals: Array, rows: Codes) -> tuple[Array, Array, Array]:
        """Return feasible codes, their objectives, and proven lower bounds, in double precision."""


@dataclass(frozen=True)
class Solution:
    """One sparse code a row, its objective, a proven lower bound on the optimum, and the iterations taken."""

    codes: Graph
    objective: Array
    bound: Array
    n_iter: Codes

    @property
    def gap(self) -> Array:
        """How far, at most, each objective lies above the optimum, relative to it."""
        # Only a target of zeros has the bound zero, and then its objective is zero too.
        return np.asarray((self.objective - self.bound) / np.where(self.bound > 0, self.bound, 1))


def solve(problem: Problem, gap: float, max_iter: int, dtype: Any) -> Solution:
    """Code every target to the relative duality `gap`, or as well as `max_iter` iterations can."""
    projections = {dtype: Projection(problem.atoms, problem.scale, dtype)}
    builder = SolutionBuilder(problem.targets.shape[0], problem.atoms.shape[0])
    for first in range(0, builder.n, _BLOCK):
        block = _Block(problem, projections[dtype], np.arange(first, min(builder.n, first + _BLOCK)))
        for iteration in range(1, max_iter + 1):
            last = iteration == max_iter
            if iteration % _CHECK_EVERY == 0 or last:
                block.look(builder, gap, iteration, keep_all=last)
                if not block.rows.size:
                    break
                if block.at_rest:
                    if np.float64 not in projections:
                        projections[np.float64] = Projection(problem.atoms, problem.scale, np.float64)
                    block.refine(projections[np.float64])
            block.step()
    return builder.solution()


class Projection:
    """The projection onto {(a, aM)}, through the smaller of the two Gram matrices."""

    def __init__(self, atoms: Array, scale: float, dtype: Any) -> None:
        matrix = scale * atoms.astype(np.float64)
        self.wide = matrix.shape[0] > matrix.shape[1]
        gram = matrix.T @ matrix if self.wide else matrix @ matrix.T
        gram[np.diag_indices_from(gram)] += 1
        inverse = linalg.cho_solve((linalg.cholesky(gram, lower=True), True), np.eye(gram.shape[0]))
        self.inverse = inverse.astype(dtype)
        self.M = np.ascontiguousarray(matrix, dtype=dtype)
        self.MT = np.ascontiguousarray(self.M.T)

    def moves(self, C: Array, d: Array) -> tuple[Array, Array]:
        """Return (C − a, aM − d) for the point (a, aM) nearest to (C, d)."""
        if self.wide:
            r = (C @ self.M - d) @ self.inverse
            return r @ self.MT, r
        a = (C + d @ self.MT) @ self.inverse
        return C - a, a @ self.M - d


class _Block:
    """The samples of one block that are not settled yet.

    C is the last point projected and G its distance from the projection, so a = C − G and the scaled dual
    is G. On the other side y is the projection and −r the scaled dual. Optimality ties them: G = rMᵀ.
    """

    def __init__(self, problem: Problem, projection: Projection, rows: Codes) -> None:
        self.problem, self.projection, self.rows = problem, projection, rows
        dtype = projection.M.dtype
        self.shifted = (problem.scale * problem.targets[rows]).astype(dtype)
        self.threshold = dtype.type(1 / problem.rho)
        self.C = np.zeros((rows.size, projection.M.shape[0]), dtype)
        self.G = np.zeros_like(self.C)
        self.y = np.zeros_like(self.shifted)
        self.r = np.zeros_like(self.shifted)
        self.best_duals, self.best_bound = np.zeros_like(self.shifted), np.zeros(rows.size)
        self.best_gap, self.idle = np.full(rows.size, np.inf), np.zeros(rows.size, np.int64)

    @property
    def at_rest(self) -> bool:
        """Whether the gaps of most samples have stopped shrinking, in single precision."""
        return self.G.dtype == np.float32 and bool(np.mean(self.idle >= _PATIENCE) > 0.5)

    def refine(self, projection: Projection) -> None:
        """Go on in double precision from the present point."""
        self.projection = projection
        self.threshold = np.float64(1 / self.problem.rho)
        self.shifted = self.problem.scale * self.problem.targets[self.rows]
        for name in ("C", "G", "y", "r", "best_duals"):
            setattr(self, name, getattr(self, name).astype(np.float64))
        self.best_bound[:], self.best_gap[:], self.idle[:] = 0, np.inf, 0

    def _shrinkage(self) -> tuple[Array, Array]:
        """Return what the soft threshold is applied to, and what it takes away."""
        V = np.multiply(self.G, self.G.dtype.type(-2))
        V += self.C
        clipped = np.clip(V, -self.threshold, self.threshold)
        self._own(clipped, V)
        return V, clipped

    def _own(self, array: Array, values: Array | float) -> None:
        if self.problem.own is not None:
            at = np.arange(self.rows.size), self.problem.own[self.rows]
            array[at] = values[at] if isinstance(values, np.ndarray) else values

    def step(self) -> None:
        """Threshold both sides, over-relax, project."""
        _, clipped = self._shrinkage()
        clipped += self.G
        clipped *= self.G.dtype.type(_RELAXATION)
        self.C -= clipped
        excess = self.problem.excess(self.y + self.r - self.shifted, self.rows)
        relaxation = self.y.dtype.type(_RELAXATION)
        d = self.y - relaxation * excess + (relaxation - 1) * self.r
        self.G, self.r = self.projection.moves(self.C, d)
        self.y = d + self.r

    def look(self, builder: SolutionBuilder, gap: float, iteration: int, *, keep_all: bool) -> None:
        """Move the samples whose gap is proven small enough into `builder`; with `keep_all`, all."""
        codes, objective = self._estimate()
        # The estimate may be off by rounding; the proof is in double precision.
        hopeful = objective - self.best_bound <= (gap + 1e-5) * self.best_bound
        candidates = np.flatnonzero(hopeful | keep_all)
        if not candidates.size:
            return
        rows = self.rows[candidates]
        proven, objective, bound = self.problem.certify(codes[candidates], self.best_duals[candidates], rows)
        # What the estimate promised too much would keep better duals out.
        self.best_bound[candidates] = bound
        settled = (objective - bound <= gap * bound) | keep_all
        builder.add(rows[settled], proven[settled], objective[settled], bound[settled], iteration)
        left = np.ones(self.rows.size, dtype=bool)
        left[candidates[settled]] = False
        self._drop_others(left)

    def _estimate(self) -> tuple[Array, Array]:
        """Return the present codes and objectives, having remembered the best dual of each sample so far."""
        V, clipped = self._shrinkage()
        codes = np.subtract(V, clipped, out=V)
        correlations = np.multiply(self.G, self.G.dtype.type(-self.problem.rho), out=clipped)
        self._own(correlations, 0.0)
        duals = self.r * self.r.dtype.type(-self.problem.rho * self.problem.scale)
        objective, bound = self.problem.estimate(codes, duals, correlations, self.rows)
        better = bound > self.best_bound
        self.best_bound[better], self.best_duals[better] = bound[better], duals[better]
        gap = (objective - self.best_bound) / np.where(self.best_bound > 0, self.best_bound, 1)
        smaller = gap < 0.98 * self.best_gap
        self.best_gap[smaller] = gap[smaller]
        self.idle = np.where(smaller, 0, self.idle + 1)
        return codes, objective

    def _drop_others(self, left: Array) -> None:
        if left.all():
            return
        self.rows, self.shifted = self.rows[left], self.shifted[left]
        self.C, self.G, self.y, self.r = self.C[left], self.G[left], self.y[left], self.r[left]
        self.best_duals, self.best_bound = self.best_duals[left], self.best_bound[left]
        self.best_gap, self.idle = self.best_gap[left], self.idle[left]


class SolutionBuilder:
    """Collects codes in the order they settle, non-zero entries only, and builds the `Solution`."""

    def __init__(self, n: int, n_atoms: int) -> None:
        self.n, self.n_atoms, self.settled = n, n_atoms, 0
        self.objective, self.bound = np.empty(n), np.empty(n)
        self.n_iter = np.zeros(n, dtype=np.int64)
        self._parts: list[tuple[Array, Codes, Codes]] = []

    def add(self, rows: Codes, codes: Array, objective: Array, bound: Array, iteration: int | Codes) -> None:
        self.settled += rows.size
        at, columns = np.nonzero(codes)
        self._parts.append((codes[at, columns], rows[at], columns))
        self.objective[rows], self.bound[rows], self.n_iter[rows] = objective, bound, iteration

    def solution(self) -> Solution:
        data, rows, columns = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        codes = sparse.csr_array((data, (rows, columns)), shape=(self.n, self.n_atoms))
        return Solution(codes, self.objective, self.bound, self.n_iter)
