"""Which points a sweep tries, and in which order: coarse first, so that the whole map shows early."""

from __future__ import annotations

import warnings
from functools import lru_cache
from itertools import product

import numpy as np

from experiments.tuning.sweep import Point, Sweep


@lru_cache(maxsize=64)
def points_of(sweep_json: str) -> tuple[Point, ...]:
    """Return the points of a sweep (given as text) that follow from it alone: not those of a guided one."""
    sweep = Sweep.from_json(sweep_json)
    if sweep.strategy == "grid":
        return _grid(sweep)
    if sweep.strategy == "sobol":
        return sobol_points(sweep, sweep.budget)
    return tuple(dict.fromkeys(_point(sweep, row) for row in _random(sweep)))


def reference_point(sweep: Sweep) -> Point | None:
    """Return the point of the grid nearest to the paper's values, or else the usual ones; None if outside."""
    point = []
    for axis in sweep.axes:
        value = axis.nearest(axis.paper if axis.paper is not None else axis.usual)
        if value is None:
            return None
        point.append(value)
    return tuple(point)


def level(index: int, size: int) -> int:
    """Return after how many halvings of a range an index is reached; its ends and middle come first.

    >>> [level(index, 9) for index in range(9)]
    [0, 3, 2, 3, 1, 3, 2, 3, 0]
    """
    low, high, depth = 0, size - 1, 0
    while index not in (low, high):
        depth += 1
        middle = (low + high) // 2
        if index == middle:
            return depth
        low, high = (middle, high) if index > middle else (low, middle)
    return depth


def _grid(sweep: Sweep) -> tuple[Point, ...]:
    sizes = [len(axis.values) for axis in sweep.axes]
    first = reference_point(sweep)

    def turn(indexed: tuple[tuple[int, ...], Point]) -> tuple[bool, int, tuple[int, ...]]:
        at, point = indexed
        return point != first, max(map(level, at, sizes)), at

    places = product(*(range(size) for size in sizes))
    indexed = [(at, tuple(axis.values[i] for axis, i in zip(sweep.axes, at, strict=True))) for at in places]
    return tuple(point for _, point in sorted(indexed, key=turn))


def _random(sweep: Sweep) -> np.ndarray:
    return np.random.default_rng(sweep.request.seed).random((sweep.budget, len(sweep.axes)))


def sobol_points(sweep: Sweep, count: int) -> tuple[Point, ...]:
    """Return points that fill the ranges evenly, whatever their number."""
    from scipy.stats import qmc

    with warnings.catch_warnings():
        # That its balance is best at powers of two is no news here.
        warnings.simplefilter("ignore", UserWarning)
        made = qmc.Sobol(len(sweep.axes), rng=np.random.default_rng(sweep.request.seed)).random(count)
    return tuple(dict.fromkeys(_point(sweep, row) for row in made))


def _point(sweep: Sweep, shares: np.ndarray) -> Point:
    return tuple(axis.at(float(share)) for axis, share in zip(sweep.axes, shares, strict=True))
