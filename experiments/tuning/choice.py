"""How sure a choice is: what cannot be told apart from the best, and what choosing by the test flatters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import datasets
from experiments.fitted.recognisers import rows_to_test
from experiments.measures.significance import LEAST_SPLITS, LEVEL, difference
from experiments.requests.prepare import rows_of
from experiments.trials import MeasureRequest
from experiments.trials.catalogue import measure
from experiments.tuning.points import reference_point
from experiments.tuning.sweep import SEEN, Point, Sweep
from experiments.tuning.sweep_table import Cell, SweepTable


@dataclass(frozen=True)
class Ties:
    """The points that are not significantly worse than the best one, itself among them.

    `tested` is False where there are too few splits for the test: then those count whose mean lies within
    one standard deviation of the best one's. `sentence` says it in words.
    """

    best: Point
    points: tuple[Point, ...]
    tested: bool
    sentence: str


@dataclass(frozen=True)
class Optimism:
    """What choosing by the test itself would flatter: scores of `measure` at both winners.

    `honest` was chosen by the labelled rows alone, `flattered` by the measure; `gap` is how much better the
    second one looks.
    """

    honest: Point
    flattered: Point
    honest_score: float
    flattered_score: float
    sentence: str

    @property
    def gap(self) -> float:
        """How much better the winner on the test looks there."""
        return abs(self.flattered_score - self.honest_score)


def ties(table: SweepTable, item: MeasureRequest | None = None) -> Ties | None:
    """Return what cannot be told apart from the best; None as long as there is no best.

    Each cell is compared with the best by the corrected resampled t-test over the splits both have finished.
    """
    item = item or table.sweep.chosen_by
    ranked = table.ranked(item)
    if not ranked:
        return None
    best = ranked[0]
    tested = int((~np.isnan(best.values(item))).sum()) >= LEAST_SPLITS
    ratio = test_to_train(table.sweep) if tested else 0.0
    points = tuple(cell.point for cell in ranked if not _worse(best, cell, item, ratio, tested))
    return Ties(best.point, points, tested, _ties_sentence(table.sweep, best, points, item, tested))


def optimism(
    table: SweepTable, by: MeasureRequest | None = None, test: MeasureRequest | None = None
) -> Optimism | None:
    """Compare the winner by the deciding measure with that by another; None where neither is a test.

    By default it is what was chosen without the truth that is compared with the accuracy, if it is measured.
    """
    by = by or table.sweep.chosen_by
    test = test or next((item for item in table.sweep.measures if item.measure == SEEN.measure), None)
    if test is None or by.measure == test.measure:
        return None
    scored = [cell for cell in table.ranked(by) if not np.isnan(cell.mean(test))]
    flattered = table.best(test)
    if not scored or flattered is None:
        return None
    honest, title = scored[0], measure(test.measure).title
    here, there = honest.mean(test), flattered.mean(test)
    sentence = (
        f"Chosen by “{measure(by.measure).title}”: {_score_text(here, test)} ({title}). Chosen by {title} "
        f"itself: {_score_text(there, test)}. The difference, {_gap(abs(there - here), test)}, is the "
        "optimism of choosing on the test set."
    )
    return Optimism(honest.point, flattered.point, here, there, sentence)


def edge_sentence(table: SweepTable, cell: Cell) -> str:
    """Return a sentence if a cell lies at an end of a range; nothing if it does not."""
    edges = table.edges(cell)
    if not edges:
        return ""
    ends = " and ".join(
        f"{param} = {cell.params[param]:g}, the {'upper' if side == 'high' else 'lower'} end of its range"
        for param, side in edges.items()
    )
    return f"The best lies at the edge ({ends}): better ones may lie beyond. Widen the range."


def test_to_train(sweep: Sweep) -> float:
    """Return how many rows are tested for each that is learnt from, labelled or not."""
    ds = datasets.load(sweep.request.dataset, **sweep.request.dataset_options)
    rows = rows_of(ds, sweep.request)
    return rows_to_test(ds, rows).size / max(1, rows.train.size)


def _worse(best: Cell, cell: Cell, item: MeasureRequest, ratio: float, tested: bool) -> bool:
    if cell.point == best.point:
        return False
    if not tested:
        return abs(best.mean(item) - cell.mean(item)) > best.spread(item) + 1e-12
    lead = difference(best.values(item), cell.values(item), ratio)
    return lead.p is not None and lead.p < LEVEL


def _ties_sentence(
    sweep: Sweep, best: Cell, points: tuple[Point, ...], item: MeasureRequest, tested: bool
) -> str:
    if tested:
        how = f"cannot be told apart from the best by the corrected test over {sweep.splits} splits"
    else:
        how = "lie within the spread of the best"
    count = len(points)
    text = "The best stands alone." if count == 1 else f"Any of these {count} will do: they {how}."
    if not tested:
        few = "One split is" if sweep.splits == 1 else f"{sweep.splits} splits are"
        text += f" {few} too few for a test; {LEAST_SPLITS} or more allow one."
    reference = reference_point(sweep) if sweep.strategy == "grid" else None
    if reference is None:
        return text
    whose = "paper’s" if all(axis.paper is not None for axis in sweep.axes) else "usual"
    among = "among them" if reference in points else "not among them"
    return f"{text} The {whose} values are {among}."


def _score_text(score: float, item: MeasureRequest) -> str:
    return f"{100 * score:.1f} %" if measure(item.measure).unit == "share" else f"{score:.4g}"


def _gap(gap: float, item: MeasureRequest) -> str:
    return f"{100 * gap:.1f} points" if measure(item.measure).unit == "share" else f"{gap:.4g}"
