"""How many parts? Five criteria over the number of parts, and a verdict in words where they disagree.

>>> from experiments import RunRequest
>>> sweep = parts_sweep(RunRequest("swimmer", "nmf"), range(10, 21, 5), splits=1)
>>> len(sweep.axes[0].values), len(sweep.measures)
(3, 6)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from experiments.measures.rank import Curve
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest
from experiments.trials.carriers import Carrier, Processes
from experiments.trials.result_cache import ResultCache
from experiments.tuning.axis import Axis, axis
from experiments.tuning.sweep import SEEN, Sweep
from experiments.tuning.sweep_table import SweepTable
from experiments.tuning.work import carry_sweep, table_of

EFFECTIVE = MeasureRequest("effective_rank")
_PARTS = "n_components"
# Each criterion by its measure: what it is called, what it rewards, and when a number of parts is enough.
_CRITERIA = {
    "hidden_entries": (
        "error on hidden entries",
        "Rewards parts that tell what entries nobody has shown them are: the fewest after which the error "
        "stops falling.",
        "error",
        0.0,
    ),
    "bi_cross_validation": (
        "error on left-out blocks",
        "Rewards parts that hold for samples and features left out at the same time: the fewest after which "
        "the error stops falling.",
        "error",
        0.0,
    ),
    "consensus": (
        "consensus over starts",
        "Rewards groups of samples that every start comes to again: the most parts at which nearly all pairs "
        "are always or never together.",
        "stable",
        0.995,
    ),
    "part_stability": (
        "stability of single parts",
        "Rewards parts that come back from every start: the most parts of which nine in ten do.",
        "stable",
        0.9,
    ),
}
_EFFECTIVE_TITLE = "directions above the noise"
CRITERIA = (*(MeasureRequest(id) for id in _CRITERIA), EFFECTIVE)


@dataclass(frozen=True)
class PartsAdvice:
    """What each criterion says of the number of parts, and what follows.

    `by_criterion` holds the number that each criterion advises, None where the range ends before it has
    decided (or it has no say here). `advice` is the number that most of them are within one of, None if
    fewer than two.
    """

    curves: tuple[Curve, ...]
    by_criterion: dict[str, int | None]
    accuracy: int | None
    advice: int | None
    sentences: tuple[str, ...]


def parts_sweep(request: RunRequest, ks: Iterable[int], splits: int = 3, *, labels: bool = True) -> Sweep:
    """Return the sweep over numbers of parts that all criteria are measured on, and the accuracy."""
    numbers = tuple(sorted(set(ks)))
    params = {name: value for name, value in request.params.items() if name != _PARTS}
    usual = axis(request.method, _PARTS)
    ranged = Axis(_PARTS, choices=numbers, label=usual.label)
    if len(numbers) > 1 and len(set(np.diff(numbers))) == 1:
        ranged = Axis(
            _PARTS, numbers[0], numbers[-1], "linear", len(numbers), True, least=1, label=usual.label
        )
    measures = (*CRITERIA, SEEN) if labels else CRITERIA
    return Sweep(replace(request, params=params), (ranged,), measures, splits)


def asks_how_many(sweep: Sweep) -> bool:
    """Return whether a sweep is over numbers of parts alone, and measures all criteria for it."""
    return [a.param for a in sweep.axes] == [_PARTS] and all(item in sweep.measures for item in CRITERIA)


def advice(table: SweepTable) -> PartsAdvice | None:
    """Return what the criteria say; None if the sweep is not over numbers of parts alone."""
    sweep = table.sweep
    if [a.param for a in sweep.axes] != [_PARTS]:
        return None
    curves = tuple(curve for item in sweep.measures if (curve := curve_of(table, item)) is not None)
    by_criterion = {curve.criterion: curve.advice for curve in curves}
    effective = [cell.mean(EFFECTIVE) for cell in table.cells if EFFECTIVE in sweep.measures]
    measured = [value for value in effective if not np.isnan(value)]
    if measured:
        by_criterion[_EFFECTIVE_TITLE] = round(measured[0])
    if not by_criterion:
        return None
    best = table.best(SEEN) if SEEN in sweep.measures else None
    accuracy = None if best is None else int(best.point[0])
    chosen = _agreed([number for number in by_criterion.values() if number])
    return PartsAdvice(
        curves, by_criterion, accuracy, chosen, tuple(_sentences(curves, by_criterion, accuracy, chosen))
    )


def curve_of(table: SweepTable, item: MeasureRequest) -> Curve | None:
    """Return a criterion over the numbers of parts that are measured; None if it is none, or not yet."""
    if item.measure not in _CRITERIA:
        return None
    cells = sorted(table.cells, key=lambda cell: int(cell.point[0]))
    measured = [cell for cell in cells if not np.isnan(cell.values(item)).any()]
    if not measured:
        return None
    title, rewards, rule, level = _CRITERIA[item.measure]
    ks = tuple(int(cell.point[0]) for cell in measured)
    values = np.array([cell.values(item) for cell in measured])
    return Curve(title, rewards, ks, values, "error" if rule == "error" else "stable", level)


def how_many_parts(
    request: RunRequest, ks: Iterable[int], splits: int = 3, carrier: Carrier | None = None
) -> PartsAdvice:
    """Work out all criteria and return what they say; on as many processes as there are cores by default."""
    sweep = parts_sweep(request, ks, splits)
    results = dict(carry_sweep(sweep, carrier or Processes(), ResultCache()))
    parts_advice = advice(table_of(sweep, results))
    if parts_advice is None:
        raise ValueError("No criterion could be measured on these data.")
    return parts_advice


def _agreed(numbers: list[int]) -> int | None:
    """Return the number that most criteria are within one of, the smallest of several; None if one is."""
    votes = {k: sum(abs(k - other) <= 1 for other in numbers) for k in sorted(set(numbers))}
    most = max(votes.values(), default=0)
    if most < 2:
        return None
    within = [k for k in votes if votes[k] == most]
    return min(within, key=lambda k: (-numbers.count(k), k))


def _sentences(
    curves: tuple[Curve, ...], by_criterion: dict[str, int | None], accuracy: int | None, chosen: int | None
) -> Iterable[str]:
    decided = {title: number for title, number in by_criterion.items() if number is not None}
    if chosen is not None:
        agree = [title for title, number in decided.items() if abs(number - chosen) <= 1]
        named = ", ".join(agree)
        yield f"About {chosen} parts: {len(agree)} of {len(by_criterion)} criteria say so ({named})."
    others = {t: n for t, n in decided.items() if chosen is None or abs(n - chosen) > 1}
    if others:
        words = ", ".join(f"{title} says {number}" for title, number in others.items())
        yield f"{'The criteria disagree' if chosen is None else 'Otherwise'}: {words}."
    if decided and max(decided.values()) > 1 + min(decided.values()):
        yield (
            "More parts than come back from every start may still rebuild the data better: they are then "
            "a matter of the start, and not to be read one by one."
        )
    for curve in curves:
        if curve.advice is None:
            yield _undecided(curve)
    if accuracy is not None:
        yield f"Most samples are recognised with {accuracy} parts; that rewards telling classes apart alone."


def _undecided(curve: Curve) -> str:
    if curve.rule == "stable" and (curve.means < curve.level).all():
        return f"{curve.criterion.capitalize()}: too low at every number of parts tried to advise one."
    return f"{curve.criterion.capitalize()}: not decided by {curve.ks[-1]} parts; widen the range."
