"""The weights of views: those a method begins with, and the best ones for given errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from methods.checks import check_start
from methods.typing import Array


def first_weights(weights: Any, only_view: int | None, count: int) -> Array:
    """Return the weights of views at the start: one view alone, equal ones, or the numbers given."""
    if only_view is not None:
        if only_view >= count:
            raise ValueError(f"only_view={only_view} is not there: X has {count} view(s), counted from 0.")
        return np.asarray(np.eye(count)[int(only_view)])
    if isinstance(weights, str):
        return np.full(count, 1 / count)
    checked = check_start("weights", weights, (count,), np.float64, source="weights")
    if abs(checked.sum() - 1) > 1e-9:
        raise ValueError(f"weights={weights!r} must sum to 1: one share for each view.")
    return checked


def best_weights(errors: Array, evenness: float) -> Array:
    """Return the π ≥ 0, Σπ = 1 that minimises Σ errors·π + evenness‖π‖²: a projection onto the simplex.

    >>> best_weights(np.array([1.0, 2.0, 9.0]), 1.0)
    array([0.75, 0.25, 0.  ])
    """
    if np.isnan(errors).any() or np.isinf(errors).all():
        return np.full_like(errors, np.nan)  # The run has diverged, and the objective shows it.
    worse = errors - errors.min()
    if evenness == 0:
        best = (worse == 0).astype(np.float64)
        return np.asarray(best / best.sum())
    point = -worse / (2 * evenness)
    order = np.sort(point)[::-1]
    # The water level: how far all have to be lowered (or raised) for those above zero to sum to one.
    levels = (np.cumsum(order) - 1) / np.arange(1, order.size + 1)
    level = levels[np.flatnonzero(order > levels)[-1]]
    weights = np.maximum(point - level, 0)
    return np.asarray(weights / weights.sum())
