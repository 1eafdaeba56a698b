"""Guided search: which points to try next, given what has come of those before (Optuna's TPE).

There is no study but the results: whoever has them asks again and is told the same points, wherever that
is, so that a search is resumed and shared like a grid. Points are asked for in rounds of a few, each from the
results of all earlier rounds. Optuna is loaded at the first question: nothing else waits for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from experiments.trials import MeasureRequest, Result
from experiments.trials.catalogue import measure
from experiments.tuning.axis import Axis, Value
from experiments.tuning.points import reference_point, sobol_points
from experiments.tuning.sweep import Point, Sweep

FIRST, ROUND = 8, 4
# A point and the mean of each goal there; None if it failed.
Observation = tuple[Point, tuple[float, ...] | None]


def proposed(sweep: Sweep, results: Mapping[str, Result]) -> tuple[tuple[Point, ...], bool]:
    """Return the points asked for so far, in order, and whether those are all there will be.

    As many are asked for as follow from the results; it goes on when those have theirs.
    """
    text, observed = sweep.text, tuple[Observation, ...]()
    points = _first(text)
    while True:
        complete = [outcome(sweep, point, results) for point in points[len(observed) :]]
        if any(entry is None for entry in complete):
            return points, False
        observed += tuple(entry for entry in complete if entry is not None)
        if len(points) >= sweep.budget:
            return points, True
        more = _next(text, observed)
        if not more:
            return points, True
        points += more


def outcome(sweep: Sweep, point: Point, results: Mapping[str, Result]) -> Observation | None:
    """Return a point with the mean of each goal over the splits; None as long as a split has no result."""
    by_split = [results.get(sweep.trial(point, split).key) for split in range(sweep.splits)]
    means = []
    for goal in goals(sweep):
        name = sweep.score_name(goal, point)
        scores = [result.scores.get(name) for result in by_split if result is not None]
        if len(scores) < sweep.splits:
            return None
        if any(score is None for score in scores):
            return point, None
        means.append(float(np.mean([score for score in scores if score is not None])))
    return point, tuple(means)


def goals(sweep: Sweep) -> list[MeasureRequest]:
    """Return the measures that a sweep brings to their best: the deciding one, unless several are named."""
    named = [item for item in sweep.measures if item.name in sweep.goals]
    return named or [sweep.chosen_by]


@lru_cache(maxsize=64)
def _first(sweep_json: str) -> tuple[Point, ...]:
    """Return the points that nothing is known before: the paper's, then others that fill the ranges."""
    sweep = Sweep.from_json(sweep_json)
    count = min(sweep.budget, FIRST)
    reference = reference_point(sweep)
    start = [] if reference is None else [reference]
    return tuple(dict.fromkeys([*start, *sobol_points(sweep, 2 * count)]))[:count]


@lru_cache(maxsize=512)
def _next(sweep_json: str, observed: tuple[Observation, ...]) -> tuple[Point, ...]:
    """Return the points of the next round, none of which has been tried; none if the space is used up."""
    sweep = Sweep.from_json(sweep_json)
    tried = {point for point, _ in observed}
    study, distributions = study_of(sweep.axes, goals(sweep), observed, _sampler(sweep, len(observed)))
    more: list[Point] = []
    # What has been proposed counts as tried at once; where every value has been, it is over.
    for _ in range(10 * ROUND):
        if len(more) == min(ROUND, sweep.budget - len(tried)):
            break
        suggested = study.ask(distributions).params
        point = tuple(_value(axis, suggested[axis.param]) for axis in sweep.axes)
        if point not in tried and point not in more:
            more.append(point)
    return tuple(more)


def study_of(
    axes: Sequence[Axis],
    wanted: Sequence[MeasureRequest],
    observed: Iterable[Observation],
    sampler: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """Return an Optuna study of points and what came of them, and the distribution of each parameter."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=sampler, directions=[_direction(goal) for goal in wanted])
    distributions = {axis.param: _distribution(axis) for axis in axes}
    study.add_trials([_finished(axes, distributions, point, values) for point, values in observed])
    return study, distributions


def _sampler(sweep: Sweep, n_observed: int) -> Any:
    """Return what proposes the next points after so many observations: the same ones whenever it is made."""
    from optuna.samplers import TPESampler

    text = f"{sweep.request.seed} {n_observed}".encode()
    return TPESampler(
        n_startup_trials=min(FIRST, n_observed),
        multivariate=True,
        constant_liar=True,
        seed=int.from_bytes(hashlib.sha256(text).digest()[:4]),
    )


def _distribution(axis: Axis) -> Any:
    """Return an axis in Optuna's words."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if axis.choices:
        return CategoricalDistribution(axis.choices)
    log = axis.scale == "log"
    if axis.whole:
        return IntDistribution(round(axis.low), round(axis.high), log=log)
    return FloatDistribution(axis.low, axis.high, log=log)


def _finished(
    axes: Sequence[Axis], distributions: Mapping[str, Any], point: Point, values: tuple[float, ...] | None
) -> Any:
    """Return a trial as Optuna holds it; without values it has failed."""
    from optuna.trial import TrialState, create_trial

    params = {axis.param: _within(axis, value) for axis, value in zip(axes, point, strict=True)}
    state = TrialState.FAIL if values is None else TrialState.COMPLETE
    return create_trial(state=state, params=params, distributions=dict(distributions), values=values)


def _direction(goal: MeasureRequest) -> Literal["maximize", "minimize"]:
    return "maximize" if measure(goal.measure).better == "high" else "minimize"


def _value(axis: Axis, value: Any) -> Value:
    return value if axis.choices else axis.at(axis.share(value))


def _within(axis: Axis, value: Any) -> Any:
    """Return a value as it lies in the range: rounding may have put it a hair outside."""
    return value if axis.choices else min(max(value, axis.low), axis.high)
