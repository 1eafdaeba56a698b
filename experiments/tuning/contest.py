"""Several methods tuned against each other on a fair budget: as many trials each, nested splits, one test.

On each split a method is given the parameters that its own labelled rows chose there, and is then asked for
the others: no label that is scored has had a say in the choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import datasets
import methods
from experiments.measures.significance import LEVEL, Difference, against_leader
from experiments.requests.prepare import facts, rows_of
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measure
from experiments.tuning.axis import Axis, axis
from experiments.tuning.choice import test_to_train
from experiments.tuning.sweep import HONEST, SEEN, Point, Strategy, Sweep
from experiments.tuning.sweep_table import SweepTable

# How hard or how long a method works is no choice between its answers.
_NOT_TUNED = ("n_components", "n_discriminative", "max_iter", "tol")
_MOST_AXES = 3
# How many points each method tries, on how many splits, if nobody says.
USUAL_TRIALS, USUAL_SPLITS = 12, 5


@dataclass(frozen=True)
class Tuned:
    """A method on each split at the point that was chosen there: the points, and the scores that count."""

    points: tuple[Point | None, ...]
    scores: NDArray[np.float64]


@dataclass(frozen=True)
class Contest:
    """Methods after tuning, by id, and how far the best is ahead of each other one."""

    tuned: Mapping[str, Tuned]
    leader: str
    differences: Mapping[str, Difference]
    sentences: tuple[str, ...]


def fair_sweeps(
    request: RunRequest,
    method_ids: Sequence[str],
    trials: int,
    splits: int = USUAL_SPLITS,
    strategy: Strategy = "sobol",
    measures: tuple[MeasureRequest, MeasureRequest] = (HONEST, SEEN),
) -> dict[str, Sweep]:
    """Return a sweep for each method: the same data, splits and measures, and as many points for each.

    What is tuned are up to three weights or sizes that the SPEC of a method gives a range for. A method that
    has none is in it with its one set of values, which costs it nothing.
    """
    ds = datasets.load(request.dataset, **request.dataset_options)
    sizes = facts(ds, rows_of(ds, request))
    sweeps = {}
    for id in method_ids:
        axes = usual_axes(id)
        start = methods.spec(id).starting_values(sizes)
        tuned = {item.param for item in axes}
        params = {name: value for name, value in start.items() if value is not None and name not in tuned}
        bare = replace(request, method=id, params=params, labels=(), pairs=())
        if axes:
            sweeps[id] = Sweep(bare, axes, measures, splits, strategy, trials)
        else:
            metric = Axis("metric", choices=("euclidean",), usual="euclidean")
            sweeps[id] = Sweep(bare, (metric,), measures, splits)
    return sweeps


def usual_axes(method: str) -> tuple[Axis, ...]:
    """Return up to three parameters worth tuning: numbers with a range, those not for experts first."""
    spec = methods.spec(method)
    ranged = [
        param
        for param in sorted(spec.params, key=lambda param: param.advanced)
        if param.kind in ("int", "float") and param.low is not None and param.name not in _NOT_TUNED
    ]
    return tuple(axis(method, param.name) for param in ranged[:_MOST_AXES])


def contest(tables: Mapping[str, SweepTable]) -> Contest:
    """Compare methods at the parameters that each split chose for them, by the corrected test.

    The first measure of the sweeps chooses, the second counts. A ValueError says if they were not alike.
    """
    sweeps = [table.sweep for table in tables.values()]
    if not sweeps or len({_alike(sweep) for sweep in sweeps}) > 1:
        raise ValueError("Only methods tuned on the same data, splits and measures can be compared.")
    # A method with few values may have tried them all for less.
    budgets = {sweep.budget for sweep in sweeps if sweep.strategy != "grid"}
    if len(budgets) > 1:
        raise ValueError(
            f"The budgets differ ({', '.join(map(str, sorted(budgets)))} points): that is not fair."
        )
    if len(sweeps[0].measures) < 2:
        raise ValueError("Two measures are needed: one to choose by, and another that counts.")
    tuned = {id: nested(table) for id, table in tables.items()}
    counts = sweeps[0].measures[1]
    sign = 1.0 if measure(counts.measure).better == "high" else -1.0
    scores = {id: list(sign * entry.scores) for id, entry in tuned.items()}
    leader, differences = against_leader(scores, test_to_train(sweeps[0]))
    sentences = _sentences(leader, differences, max(budgets, default=1))
    sentences += [text for id, table in tables.items() if (text := _no_choice(table, tuned[id]))]
    return Contest(tuned, leader, differences, tuple(sentences))


def nested(table: SweepTable) -> Tuned:
    """Return what a method comes to if each split chooses by itself."""
    chooses, counts = table.sweep.measures[:2]
    points: list[Point | None] = []
    scores = []
    for split in range(table.sweep.splits):
        best = table.best_of_split(split, chooses)
        points.append(None if best is None else best.point)
        scores.append(np.nan if best is None else best.values(counts)[split])
    return Tuned(tuple(points), np.array(scores))


def _no_choice(table: SweepTable, tuned: Tuned) -> str:
    """Return why a method has not been able to choose on any split; nothing if it has, or may still."""
    if any(point is not None for point in tuned.points) or not table.whole:
        return ""
    why = next((cell.sentence for cell in table.cells if cell.sentence), "")
    return f"{methods.spec(table.sweep.method).title} could choose nothing by its own labels. {why}".strip()


def _alike(sweep: Sweep) -> tuple[str, ...]:
    request = sweep.request
    split = repr(sorted(request.split_settings().items()))
    measures = ", ".join(item.name for item in sweep.measures[:2])
    options = repr(sorted(request.dataset_options.items()))
    return request.dataset, options, repr(request.view), split, repr(sweep.seeds), measures


def _sentences(leader: str, differences: Mapping[str, Difference], points: int) -> list[str]:
    titles = {id: methods.spec(id).title for id in (leader, *differences) if id}
    sentences = [f"Each method was tuned with {points} trials on every split."]
    for id, lead in sorted(differences.items(), key=lambda item: item[1].mean):
        sure = (
            "too few splits to tell"
            if lead.p is None
            else f"hardly chance (p = {lead.p:.2g})"
            if lead.p < LEVEL
            else f"no more than chance may give (p = {lead.p:.2g})"
        )
        sentences.append(
            f"{titles[leader]} is {abs(100 * lead.mean):.1f} points ahead of {titles[id]}: {sure}."
        )
    return sentences
