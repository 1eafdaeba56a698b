"""The inner loop of the search for neighbours: pairs that a bound does not rule out are measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from methods.compilation import compiled


@compiled
def _squared_distance(x: Any, z: Any, most: float) -> float:
    """Return ‖x − z‖², or what is known of it once that is more than `most`."""
    total, length = 0.0, x.shape[0]
    for first in range(0, length, 128):
        part = 0.0
        for k in range(first, min(first + 128, length)):
            difference = np.float64(x[k]) - np.float64(z[k])
            part += difference * difference
        total += part
        if total > most:
            break
    return total


@compiled
def _enter(apart: Any, near: Any, i: int, j: int, distance: float) -> None:
    """Put row j among the nearest of i if it belongs there; of equally near rows the first come first."""
    last = apart.shape[1] - 1
    if distance < apart[i, last] or (distance == apart[i, last] and j < near[i, last]):
        place = last
        while place > 0 and (
            distance < apart[i, place - 1] or (distance == apart[i, place - 1] and j < near[i, place - 1])
        ):
            apart[i, place], near[i, place] = apart[i, place - 1], near[i, place - 1]
            place -= 1
        apart[i, place], near[i, place] = distance, j


@compiled
def _limit(worst: float, unit: float) -> Any:
    """Return −½ of a squared distance in single precision, rounded away from zero."""
    return np.float32(-0.5 * worst / unit * 1.000001)


@compiled
def first_limits(bounds: Any, first: int, X: Any, order: Any, p: int, worst: Any) -> None:
    """Note in `worst` the p-th smallest of a few squared distances of each row of a block, within the block.

    Those are measured whose bounds are smallest; `bounds` and `order` are as in `search_tile`.
    """
    rows = bounds.shape[0]
    best, place = np.empty(p, np.float64), np.empty(p, np.int64)
    for a in range(rows):
        best[:] = -np.inf
        place[:] = -1
        for b in range(rows):
            if b != a and bounds[a, b] > best[p - 1]:
                at = p - 1
                while at > 0 and bounds[a, b] > best[at - 1]:
                    best[at], place[at] = best[at - 1], place[at - 1]
                    at -= 1
                best[at], place[at] = bounds[a, b], b
        largest = 0.0 if place[p - 1] >= 0 else np.inf
        for at in range(p):
            if place[at] >= 0:
                distance = _squared_distance(X[order[first + a]], X[order[first + place[at]]], np.inf)
                largest = max(largest, distance)
        worst[first + a] = largest


@compiled
def search_tile(
    bounds: Any, first: int, second: int, X: Any, order: Any, unit: float, worst: Any, apart: Any, near: Any
) -> int:
    """Measure the pairs of two blocks that may be near, and return how many they were.

    `bounds` holds −½ of lower bounds on their squared distances, in which `unit` is 1, and `worst` the
    squared distances that have to be beaten, a row. `order` says which row of X is at each place.
    """
    measured = 0
    rows, columns = bounds.shape
    own, other = np.empty(rows, np.float32), np.empty(columns, np.float32)
    for a in range(rows):
        own[a] = _limit(worst[first + a], unit)
    for b in range(columns):
        other[b] = _limit(worst[second + b], unit)
    for a in range(rows):
        i = first + a
        for begin in range(a + 1 if first == second else 0, columns, 64):
            end = min(begin + 64, columns)
            lower, hits = own[a], 0
            for b in range(begin, end):
                hits += bounds[a, b] >= min(lower, other[b])
            if hits == 0:
                continue
            for b in range(begin, end):
                j = second + b
                if bounds[a, b] < min(own[a], other[b]):
                    continue
                measured += 1
                most = max(worst[i], worst[j])
                distance = _squared_distance(X[order[i]], X[order[j]], most)
                _enter(apart, near, i, order[j], distance)
                _enter(apart, near, j, order[i], distance)
                worst[i], worst[j] = min(worst[i], apart[i, -1]), min(worst[j], apart[j, -1])
                own[a], other[b] = _limit(worst[i], unit), _limit(worst[j], unit)
    return measured
