"""A quick look at every cell before any is fitted to its end: a few iterations each, on the first split."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import methods
from experiments.trials import Result, Trial
from experiments.trials.table import Results
from experiments.tuning.points import points_of
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


def sketches(sweep: Sweep, results: Results) -> list[Trial]:
    """Return the quick looks that a sweep begins with, but for points already fitted to their end."""
    if sweep.continuation != "sketched":
        return []
    left = [look for point, look in _looks(sweep.text).items() if sweep.trial(point, 0).key not in results]
    # Points that are only read otherwise share one.
    return list({look.key: look for look in left}.values())


def sketched(sweep: Sweep, point: Point, results: Results) -> tuple[str, Result] | None:
    """Return key and result of the quick look at a point; None if there is none, or it has no value."""
    look = _looks(sweep.text).get(point)
    result = None if look is None else results.get(look.key)
    return None if look is None or result is None or result.message else (look.key, result)


@lru_cache(maxsize=32)
def _looks(sweep_json: str) -> dict[Point, Trial]:
    """Return the quick look at each point, in the order of the points; nothing where that is no use."""
    sweep = Sweep.from_json(sweep_json)
    few = few_iterations(sweep)
    return {point: _begun(sweep.trial(point, 0), few) for point in points_of(sweep_json)} if few else {}


def _begun(trial: Trial, few: int) -> Trial:
    request = replace(trial.request, params={**trial.request.params, "max_iter": few})
    return replace(trial, request=request)
