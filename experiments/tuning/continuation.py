"""Warm chains along a grid: a provisional map soon, refined in both directions, audited by cold fits.

Along one axis each fit goes on from its neighbour's factors. First a few iterations a cell, as many as it
takes to come near its end, forwards and then backwards; then, if the map is refined, to the end both ways.
Every few cells one is also fitted cold, and so are the cells around any whose fits end apart: there the
answer depends on the way. Of all fits of a cell the one with the lowest objective counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import methods
from experiments.trials import Chain, Result, Trial
from experiments.trials.table import Results
from experiments.tuning.axis import Axis
from experiments.tuning.points import points_of
from experiments.tuning.sweep import OBJECTIVE, Point, Sweep

# Of short fits, at the cold beginning of a chain and from neighbour to neighbour: the share of the most
# iterations that they may take, and the tolerance by which they end. Some cells need ten times as many
# iterations as others to come within 1 % of their end: where little changes any more, none are spent.
_FIRST, _NEXT = (0.6, 5e-5), (0.15, 7e-5)
AUDIT_EVERY = 7
# Objectives that differ by more depend on the way; those of a few iterations are not at rest themselves.
APART, _APART_PROVISIONAL = 0.005, 0.02
_SIZES = ("n_components", "n_discriminative", "max_iter")
Work = list[Trial | Chain]


@dataclass(frozen=True)
class Ways:
    """The fits of a cell on one split, by key, each in the way it came: cold, or warm from either side."""

    cold: Mapping[str, Result]
    warm: Mapping[str, Result]
    short: Mapping[str, Result]

    @property
    def best(self) -> tuple[str, Result] | None:
        """Key and result of the one with the lowest objective; if none has one, any."""
        fits = {**self.short, **self.warm, **self.cold}
        return min(fits.items(), key=lambda entry: objective(entry[1]), default=None)

    @property
    def provisional(self) -> bool:
        """Whether it has only been fitted for a few iterations."""
        return bool(self.short) and not self.cold and not self.warm

    @property
    def audited(self) -> bool:
        """Whether a fit from the beginning has checked those that went on from elsewhere."""
        return bool(self.cold) and bool(self.warm.keys() - self.cold.keys() or self.short)

    @property
    def path_dependent(self) -> bool:
        """Whether fits that came to it by different ways ended apart."""
        whole = list(map(objective, {**self.warm, **self.cold}.values()))
        if len(whole) < 2:
            return _apart([*whole, *map(objective, self.short.values())], _APART_PROVISIONAL)
        return _apart(whole, APART)


def objective(result: Result) -> float:
    """Return the objective a fit ended with; infinite if it has none."""
    return result.scores.get(OBJECTIVE.name, math.inf)


def axis_of(sweep: Sweep) -> Axis:
    """Return the axis along which fits go on from one another; a ValueError says why there is none.

    It is the first that can be. What tells classes apart (α) comes first where it is tuned, and changes the
    objective less than what smooths: on ORL, α × β, a map takes half as many iterations this way round.
    """
    spec = methods.spec(sweep.method)
    if not spec.has("max_iter"):
        raise ValueError(f"{spec.title} is solved at once: there is nothing to go on from.")
    for axis in sweep.axes:
        if not axis.choices and axis.param not in _SIZES and len(axis.values) > 1:
            return axis
    raise ValueError("None of the parameters leaves the sizes of the parts as they are: fit each point cold.")


def chained_work(sweep: Sweep, results: Results) -> Work:
    """Return all work that follows from the results, stage by stage, what is finished among it."""
    forwards, backwards = (_all_chains(sweep, back, short=True) for back in (False, True))
    work: Work = []
    for stage in (forwards, backwards):
        work += stage
        if not _finished(stage, results):
            return work
    if sweep.continuation == "refined":
        stage = [chain for back in (False, True) for chain in _all_chains(sweep, back, short=False)]
        work += stage
        if not _finished(stage, results):
            return work
    return [*work, *_audits(sweep, results)]


def ways(sweep: Sweep, point: Point, split: int, results: Results) -> Ways:
    """Return the fits of a cell so far."""
    places = _places(sweep.text, split)
    cold = sweep.trial(point, split).key
    warm = [places[point, back, False] for back in (False, True)]
    short = [places[point, back, True] for back in (False, True)]
    return Ways(_finished_of([cold], results), _finished_of(warm, results), _finished_of(short, results))


def _all_chains(sweep: Sweep, back: bool, *, short: bool) -> list[Chain]:
    return [chain for split in range(sweep.splits) for chain in _chains(sweep.text, split, back, short)]


@lru_cache(maxsize=256)
def _chains(text: str, split: int, back: bool, short: bool) -> tuple[Chain, ...]:
    sweep = Sweep.from_json(text)
    return tuple(
        Chain(tuple(_trial(sweep, point, split, at, short) for at, point in enumerate(row)))
        for row in _rows(sweep, back)
    )


@lru_cache(maxsize=64)
def _places(text: str, split: int) -> dict[tuple[Point, bool, bool], str]:
    """Return the key of the fit of each point, backwards or not, short or not."""
    sweep = Sweep.from_json(text)
    keys: dict[tuple[Point, bool, bool], str] = {}
    for back, short in product((False, True), repeat=2):
        for row, chain in zip(_rows(sweep, back), _chains(text, split, back, short), strict=True):
            keys |= {(point, back, short): key for point, key in zip(row, chain.keys, strict=True)}
    read = [at for at, axis in enumerate(sweep.axes) if axis.read_only]
    # Points that are only read otherwise have the fit of the first reading.
    for point, back, short in product(points_of(text), (False, True), (False, True)):
        fitted = tuple(sweep.axes[at].values[0] if at in read else value for at, value in enumerate(point))
        keys[point, back, short] = keys[fitted, back, short]
    return keys


def _rows(sweep: Sweep, back: bool) -> Iterator[tuple[Point, ...]]:
    """Yield the points of each chain, in order."""
    along = sweep.axes.index(axis_of(sweep))
    values = [axis.values[:1] if axis.read_only else axis.values for axis in sweep.axes]
    steps = values[along][::-1] if back else values[along]
    values[along] = values[along][:1]
    for start in product(*values):
        yield tuple((*start[:along], value, *start[along + 1 :]) for value in steps)


def _trial(sweep: Sweep, point: Point, split: int, at: int, short: bool) -> Trial:
    trial = sweep.trial(point, split)
    if not short:
        return trial
    share, near = _FIRST if at == 0 else _NEXT
    whole = trial.request.every_param()
    params = {**trial.request.params, "max_iter": max(1, math.ceil(share * whole["max_iter"]))}
    if "tol" in whole and not any(axis.param == "tol" for axis in sweep.axes):
        params["tol"] = max(near, whole["tol"])
    return replace(trial, request=replace(trial.request, params=params))


def _audits(sweep: Sweep, results: Results) -> list[Trial]:
    """Return the cells to be fitted cold: every few, and all around those whose answer depends on the way."""
    values = [axis.values[:1] if axis.read_only else axis.values for axis in sweep.axes]
    places = list(product(*(range(len(entries)) for entries in values)))
    trials = []
    for split in range(sweep.splits):
        audited = set(places[AUDIT_EVERY // 2 :: AUDIT_EVERY])
        for place in places:
            point = tuple(entries[at] for entries, at in zip(values, place, strict=True))
            if ways(sweep, point, split, results).path_dependent:
                audited |= set(_around(place, values))
        for place in sorted(audited):
            point = tuple(entries[at] for entries, at in zip(values, place, strict=True))
            trials.append(sweep.trial(point, split))
    return trials


def _around(place: tuple[int, ...], values: Sequence[Sequence[object]]) -> Iterator[tuple[int, ...]]:
    beside = [range(max(0, at - 1), min(len(of), at + 2)) for at, of in zip(place, values, strict=True)]
    return product(*beside)


def _finished_of(keys: Sequence[str], results: Results) -> dict[str, Result]:
    return {key: results[key] for key in keys if key in results}


def _finished(stage: Sequence[Chain], results: Results) -> bool:
    return all(key in results for chain in stage for key in chain.keys)


def _apart(objectives: Sequence[float], tolerance: float) -> bool:
    finite = [value for value in objectives if math.isfinite(value)]
    return len(finite) > 1 and max(finite) - min(finite) > tolerance * abs(min(finite))
