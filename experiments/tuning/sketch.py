"""A quick look at every cell before any is fitted to its end: a few iterations each, on the first split."""

from __future__ import annotations

import math
from dataclasses import replace

import methods
from experiments.trials import Result, Trial
from experiments.trials.table import Results
from experiments.tuning.sweep import Point, Sweep

# A share of the most iterations, and the fewest that parts show in; it must be a small part of the whole.
_SHARE, _LEAST, _WORTH = 0.02, 8, 4


def few_iterations(sweep: Sweep) -> int:
    """Return how many iterations a quick look takes; 0 where it would hardly be quicker than the fit."""
    tuned = any(axis.param == "max_iter" for axis in sweep.axes)
    if tuned or not methods.spec(sweep.method).has("max_iter"):
        return 0
    most = int(sweep.request.every_param()["max_iter"])
    few = max(_LEAST, math.ceil(_SHARE * most))
    return few if _WORTH * few <= most else 0


def sketch(sweep: Sweep, point: Point, few: int) -> Trial:
    """Return the quick look at a point."""
    trial = sweep.trial(point, 0)
    return replace(trial, request=replace(trial.request, params={**trial.request.params, "max_iter": few}))


def sketches(sweep: Sweep, points: tuple[Point, ...], results: Results) -> list[Trial]:
    """Return the quick looks at all points, in their order, but for those already fitted to their end."""
    few = few_iterations(sweep) if sweep.continuation == "sketched" else 0
    left = [point for point in points if sweep.trial(point, 0).key not in results] if few else []
    # Points that are only read otherwise share one.
    return list({trial.key: trial for trial in (sketch(sweep, point, few) for point in left)}.values())


def sketched(sweep: Sweep, point: Point, results: Results) -> tuple[str, Result] | None:
    """Return key and result of the quick look at a point; None if there is none, or it has no value."""
    few = few_iterations(sweep)
    key = sketch(sweep, point, few).key if few else ""
    result = results.get(key)
    return None if result is None or result.message else (key, result)
