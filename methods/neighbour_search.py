"""The nearest others of many long rows, exactly: most pairs are ruled out without being measured.

With P the projection onto a few leading directions of the data,

    ‖x − z‖² ≥ ‖Px − Pz‖² + (‖x − Px‖ − ‖z − Pz‖)²

so one product of matrices with few columns bounds the distances of a whole block of pairs from below. Only
pairs whose bound is not above the p-th best distance of one of the two so far are measured, in double
precision. How many directions pay is seen from a few rows. Rows that are alike are put side by side and
compared first: then there is a lot to be beaten before the rest is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import starmap

import numpy as np
from threadpoolctl import threadpool_limits

from methods.blas_threads import blas_threads
from methods.neighbour_kernels import first_limits, search_tile
from methods.progress import report
from methods.typing import Array, Codes

_BLOCK = 1024
_ROWS_AT_ONCE = 4096
_SAMPLE, _PROBES, _GROUPS = 2048, 64, 256
_CHOICES = (16, 24, 32, 48, 64, 96, 128, 192, 256)
# What measuring one feature of a pair takes, in multiplications of a matrix product; and looking at a bound.
_MEASURING, _LOOKING = 20.0, 8.0
_ROUNDING = float(np.finfo(np.float32).eps)


def nearest(X: Array, p: int) -> Codes:
    """Return the numbers of the p nearest other rows of each row, the nearest first.

    Of rows that are equally near, the first in X are named. Uses as many threads as BLAS may.
    """
    n, threads = X.shape[0], blas_threads()
    points = _Points(X, p)
    worst, apart, near = np.full(n, np.inf), np.full((n, p), np.inf), np.full((n, p), n, np.int64)

    def search(one: int, other: int) -> None:
        first, second = one * _BLOCK, other * _BLOCK
        bounds = points.left[first : first + _BLOCK] @ points.right[second : second + _BLOCK].T
        if one == other:
            first_limits(bounds, first, X, points.order, p, worst)
        search_tile(bounds, first, second, X, points.order, points.unit, worst, apart, near)

    blocks = -(-n // _BLOCK)
    done, tiles = 0, blocks * (blocks + 1) // 2
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:
        for pairs in _rounds(blocks):
            list(starmap(search, pairs) if threads == 1 else pool.map(search, *zip(*pairs, strict=True)))
            done += len(pairs)
            report("neighbours", done / tiles)
    result = np.empty_like(near)
    result[points.order] = near
    return result


def _rounds(blocks: int) -> Iterator[list[tuple[int, int]]]:
    """Yield rounds of pairs of blocks, each pair once, no block twice a round: as in a tournament.

    >>> list(_rounds(3))
    [[(0, 0), (1, 1), (2, 2)], [(1, 2)], [(0, 2)], [(0, 1)]]
    """
    yield [(block, block) for block in range(blocks)]
    seats = list(range(blocks + blocks % 2))
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        yield [(min(pair), max(pair)) for pair in pairs if max(pair) < blocks]
        seats = [seats[0], seats[-1], *seats[1:-1]]


class _Points:
    """The rows in few directions, like ones together; `left @ right.T` holds −½ of the bounds."""

    def __init__(self, X: Array, p: int) -> None:
        self.X, self.mean = X, X.mean(axis=0, dtype=np.float64)
        self.coordinates, self.squares = self._projected(self._basis())
        self.unit = float(self.squares.max()) or 1.0
        self.order = _grouped(self.coordinates[:, : _CHOICES[1]])
        directions = self._directions(p)
        if directions == X.shape[1]:
            self.coordinates = np.empty(X.shape, np.float32)
            for part, rows in self._centred():
                self.coordinates[part] = rows
        self.left = self._scaled(directions)
        del self.coordinates
        self.right = self.left.copy()
        # The bound is lowered by what rounding may add to it.
        half = (0.5 - (directions + 8) * _ROUNDING) * self.squares[self.order] / self.unit
        self.left[:, -2], self.left[:, -1] = 1, half
        self.right[:, -2], self.right[:, -1] = -half, -1

    def _scaled(self, directions: int) -> Array:
        """Return the rows in their order: coordinates, what is left over, and room for two more columns."""
        scale = np.float32(1 / np.sqrt(self.unit))
        scaled = np.empty((self.order.size, directions + 3), np.float32)
        scaled[:, :directions] = self.coordinates[self.order, :directions]
        scaled[:, directions] = self._left_over(directions)[self.order]
        scaled[:, :-2] *= scale
        return scaled

    def _basis(self) -> Array:
        """Return orthonormal columns, the directions in which a sample of the rows varies most."""
        rows = np.random.RandomState(0).permutation(self.X.shape[0])[:_SAMPLE]
        sample = self.X[rows] - self.mean
        if sample.shape[1] <= _SAMPLE:
            basis = np.linalg.eigh(sample.T @ sample)[1][:, ::-1]
        else:
            basis = sample.T @ np.linalg.eigh(sample @ sample.T)[1][:, : -_CHOICES[-1] - 1 : -1]
        return np.asarray(np.linalg.qr(basis[:, : _CHOICES[-1]])[0])

    def _centred(self) -> Iterator[tuple[slice, Array]]:
        """Yield the rows about their mean in double precision, some at a time."""
        for first in range(0, self.X.shape[0], _ROWS_AT_ONCE):
            part = slice(first, first + _ROWS_AT_ONCE)
            yield part, self.X[part] - self.mean

    def _projected(self, basis: Array) -> tuple[Array, Array]:
        """Return the coordinates of all rows and their squared lengths, about the mean."""
        coordinates = np.empty((self.X.shape[0], basis.shape[1]), np.float32)
        squares = np.empty(self.X.shape[0])
        for part, rows in self._centred():
            squares[part] = np.einsum("nm,nm->n", rows, rows)
            coordinates[part] = rows @ basis
        return coordinates, squares

    def _left_over(self, directions: int) -> Array:
        """Return how far each row is from its projection."""
        reached = np.square(self.coordinates[:, :directions], dtype=np.float64).sum(axis=1)
        return np.asarray(np.sqrt(np.maximum(self.squares - reached, 0)))

    def _directions(self, p: int) -> int:
        """Return how many directions make the search quickest, judged by a few rows; all may be best."""
        n, m = self.X.shape
        probes = np.random.RandomState(1).permutation(n)[:_PROBES]
        probed = self.X[probes] - self.mean
        both = self.squares[probes, None] + self.squares
        distances = both - 2 * np.hstack([probed @ rows.T for _, rows in self._centred()])
        worst = np.partition(distances, p, axis=1)[:, p, None]
        costs: dict[int, float] = {m: float(m)}
        for directions in _CHOICES:
            if directions < self.coordinates.shape[1]:
                short, left_over = self.coordinates[:, :directions], self._left_over(directions)
                products = short[probes] @ short.T + left_over[probes, None] * left_over
                share = float((both - 2 * products <= worst).mean())
                costs[directions] = directions + _LOOKING + 2 * share * m * _MEASURING
        return min(costs, key=lambda directions: costs[directions])


def _grouped(points: Array) -> Codes:
    """Return the rows in an order that has like ones together, grouped about some of them."""
    n = points.shape[0]
    heads = points[np.random.RandomState(2).permutation(n)[:_GROUPS]]
    heads = heads[np.argsort(heads[:, 0], kind="stable")]
    group = np.empty(n, np.int64)
    for first in range(0, n, _ROWS_AT_ONCE):
        part = slice(first, first + _ROWS_AT_ONCE)
        group[part] = (np.square(heads).sum(axis=1) - 2 * points[part] @ heads.T).argmin(axis=1)
    return np.argsort(group, kind="stable")
