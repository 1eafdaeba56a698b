"""The ℓ1 graph of many samples: the iterations of `l1_admm` with half the work, in streams side by side.

With S the thresholded codes, a = C − G, y = aM and G = rMᵀ, what is projected next is

    C'M = −0.7 y + r MᵀM + 1.7 SM,   so that   r' = r + (−0.7 y + 1.7 SM − d − r)(I + MᵀM)⁻¹

and of the two products with all atoms one is left: S has few entries. Bounds come from the present dual and
from a running mean of the last ones, about which they swing; its correlations are the mean of theirs. A row
whose gap is certified, in double precision and against all atoms, makes room for the next.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_limits

from methods.blas_threads import blas_threads
from methods.l1_admm import Projection, Solution, SolutionBuilder
from methods.l1_kernels import approach, largest, mixtures, shrink
from methods.l1_problem import GraphProblem
from methods.progress import report
from methods.typing import Array, Codes

# Rows that go through the iterations together, and that one stream has to do with; of fixed size, so that
# the numbers do not depend on how many streams flow at a time.
_SLOTS, _STREAM = 128, 640
_LOOK_EVERY = 10
_RELAXATION = np.float32(1.7)
# How far a running mean moves at each look.
_SHARE = 0.3
_WHAT = "ℓ1 graph"
# Found by trial on digits of unit length.
_SCALE, _RHO = 1.5, 50.0


def solve_wide(X: Array, gap: float, max_iter: int) -> Solution:
    """Code every row by the others, to the relative duality `gap` or as well as `max_iter` iterations can."""
    # What no sample has is in no mixture.
    problem = GraphProblem(np.ascontiguousarray(X[:, X.any(axis=0)]))
    problem.scale, problem.rho = problem.scale * _SCALE, _RHO
    projection = Projection(problem.atoms, problem.scale, np.float32)
    n, threads = X.shape[0], blas_threads()
    builder = SolutionBuilder(n, n)

    def flow(rows: Codes) -> None:
        _Stream(problem, projection, rows).run(builder, gap, max_iter)

    streams = [np.arange(first, min(n, first + _STREAM)) for first in range(0, n, _STREAM)]
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        for _ in map(flow, streams) if threads == 1 else pool.map(flow, streams):
            report(_WHAT, builder.settled / n)
    return builder.solution()


class _Stream:
    """Some rows on their way through few slots; see `l1_admm` for what C, G, y and r stand for."""

    def __init__(self, problem: GraphProblem, projection: Projection, rows: Codes) -> None:
        self.problem, self.projection, self.waiting = problem, projection, rows
        n, m = projection.M.shape
        slots = min(_SLOTS, rows.size)
        self.rows, self.age, self.bound = (
            np.zeros(slots, np.int64),
            np.zeros(slots, np.int64),
            np.zeros(slots),
        )
        self.C, self.G, self.mean_G = (np.zeros((slots, n), np.float32) for _ in range(3))
        self.y, self.r, self.mean_r, self.target, self.dual = (
            np.zeros((slots, m), np.float32) for _ in range(5)
        )
        # The thresholded codes: how many entries a row has, where, and which.
        self.counts, self.columns = np.zeros(slots, np.int64), np.zeros((slots, n), np.int32)
        self.values, self.mixed = np.zeros((slots, n), np.float32), np.zeros((slots, m), np.float32)
        self.room = np.empty(n + 1, np.int64), np.empty(slots * n, np.int32), np.empty(slots * n, np.float32)
        self._admit(np.arange(slots))

    def run(self, builder: SolutionBuilder, gap: float, max_iter: int) -> None:
        """Iterate until every row has come out, settled or at the end of its iterations."""
        while self.rows.size:
            for _ in range(_LOOK_EVERY):
                self._step()
            self.age += _LOOK_EVERY
            self._admit(self._settled(builder, gap, max_iter))
            # In a thread of their own there is nobody to hear the streams.
            report(_WHAT, builder.settled / builder.n)

    def _admit(self, free: Codes) -> None:
        """Put waiting rows into free slots; close those for which there are none."""
        used, closed = free[: self.waiting.size], free[self.waiting.size :]
        self.rows[used], self.waiting = self.waiting[: used.size], self.waiting[used.size :]
        for array in (
            self.age,
            self.bound,
            self.C,
            self.G,
            self.mean_G,
            self.y,
            self.r,
            self.mean_r,
            self.dual,
        ):
            array[used] = 0
        self.target[used] = self.problem.scale * self.problem.targets[self.rows[used]]
        if closed.size:
            for name, value in vars(self).items():
                if isinstance(value, np.ndarray) and name != "waiting":
                    setattr(self, name, np.delete(value, closed, axis=0))

    def _step(self) -> None:
        """Threshold both sides, over-relax, project."""
        M, limit = self.projection.M, np.float32(1 / (self.problem.scale * self.problem.rho))
        threshold = np.float32(1 / self.problem.rho)
        shrink(self.C, self.G, self.rows, threshold, _RELAXATION, self.counts, self.columns, self.values)
        mixtures(self.counts, self.columns, self.values, M, *self.room, self.mixed)
        excess = np.clip(self.y + self.r - self.target, -limit, limit)
        d = self.y - _RELAXATION * excess + (_RELAXATION - 1) * self.r
        moved = _RELAXATION * self.mixed - (_RELAXATION - 1) * self.y - d - self.r
        self.r += moved @ self.projection.inverse
        np.matmul(self.r, self.projection.MT, out=self.G)
        self.y = d + self.r

    def _settled(self, builder: SolutionBuilder, gap: float, max_iter: int) -> Codes:
        """Return the slots whose rows are done, which have been moved into `builder`."""
        share = np.where(self.age > _LOOK_EVERY, _SHARE, 1).astype(np.float32)
        approach(self.mean_G, self.G, share)
        self.mean_r += share[:, None] * (self.r - self.mean_r)
        for r, G in ((self.r, self.G), (self.mean_r, self.mean_G)):
            bound = self._bound(r, G)
            better = bound > self.bound
            self.bound[better], self.dual[better] = bound[better], r[better]
        inside = np.arange(self.values.shape[1]) < self.counts[:, None]
        objective = np.abs(np.where(inside, self.values, 0)).sum(axis=1)
        objective += np.abs(self.target - self.mixed).sum(axis=1) / self.problem.scale
        ended = self.age >= max_iter
        hopeful = np.flatnonzero((objective - self.bound <= gap * self.bound) | ended)
        if not hopeful.size:
            return hopeful
        codes = np.zeros((hopeful.size, self.values.shape[1]), np.float32)
        for at, slot in enumerate(hopeful):
            columns = self.columns[slot, : self.counts[slot]]
            codes[at, columns] = self.values[slot, : self.counts[slot]]
        rows = self.rows[hopeful]
        proven, objective, bound = self.problem.certify(codes, self.dual[hopeful], rows)
        self.bound[hopeful] = bound
        settled = (objective - bound <= gap * bound) | ended[hopeful]
        done = hopeful[settled]
        builder.add(rows[settled], proven[settled], objective[settled], bound[settled], self.age[done])
        return done

    def _bound(self, r: Array, G: Array) -> Array:
        """Return the bounds that duals give: −ρ·scale·r, scaled until it is feasible."""
        worst = np.empty(r.shape[0], np.float32)
        largest(G, self.rows, worst)
        worst = np.maximum(worst, self.problem.scale * np.abs(r).max(axis=1))
        products = np.abs(np.einsum("nm,nm->n", r, self.target))
        return np.asarray(products / np.where(worst > 0, worst, 1))
