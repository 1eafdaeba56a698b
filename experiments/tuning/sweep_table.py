"""What has come of a sweep: a cell for each point, the best, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from experiments.trials import MeasureRequest, Result
from experiments.trials.catalogue import measure
from experiments.tuning.axis import Side, Value
from experiments.tuning.sweep import Point, Sweep

CellStatus = Literal["waiting", "partial", "done", "failed"]


@dataclass(frozen=True)
class Cell:
    """A point of a sweep and its results, one for each split (None: not yet).

    `provisional` says that it has only been fitted for a few iterations so far, `path_dependent` that fits
    which came to it from elsewhere ended apart: its answer depends on the way; `audited`, that a fit from the
    beginning has checked those that went on from a neighbour's.
    """

    sweep: Sweep
    point: Point
    results: tuple[Result | None, ...]
    keys: tuple[str, ...] = ()
    provisional: bool = False
    path_dependent: bool = False
    audited: bool = False

    @property
    def params(self) -> dict[str, Value]:
        """The value on each axis, by name."""
        return {axis.param: value for axis, value in zip(self.sweep.axes, self.point, strict=True)}

    def values(self, item: MeasureRequest) -> NDArray[np.float64]:
        """Return the scores, split by split, NaN where there is none."""
        name = self.sweep.score_name(item, self.point)
        scores = (np.nan if r is None else r.scores.get(name, np.nan) for r in self.results)
        return np.array(list(scores), dtype=np.float64)

    def mean(self, item: MeasureRequest) -> float:
        """Return the mean over the splits that have a score; NaN if none has."""
        values = self.values(item)
        return float(values[~np.isnan(values)].mean()) if not np.isnan(values).all() else float("nan")

    def spread(self, item: MeasureRequest) -> float:
        """Return the standard deviation over splits, 0 for a single one."""
        values = self.values(item)
        measured = values[~np.isnan(values)]
        return float(measured.std(ddof=1)) if measured.size > 1 else 0.0

    def problem(self, item: MeasureRequest | None = None) -> str:
        """Return why a measure (by default the deciding one) has no score; nothing if it may get one."""
        name = self.sweep.score_name(item or self.sweep.chosen_by, self.point)
        problems = (result.problem(name) for result in self.results if result is not None)
        return next(filter(None, problems), "")

    @property
    def status(self) -> CellStatus:
        """How far it is; "failed" if some split has no score of the deciding measure, and will have none."""
        if self.problem():
            return "failed"
        done = sum(result is not None for result in self.results)
        return "done" if done == len(self.results) else "partial" if done else "waiting"

    @property
    def sentence(self) -> str:
        """Why it has no score; empty if it has, or may still get one."""
        return self.problem()


class SweepTable:
    """The cells of a sweep, in the order in which they are tried; a search will propose `more` points.

    `fits` are how many fits are done and how many there are, where that is not one for each cell and split.
    """

    def __init__(
        self, sweep: Sweep, cells: Sequence[Cell], more: int = 0, fits: tuple[int, int] | None = None
    ) -> None:
        self.sweep, self._more, self._fits = sweep, more, fits
        self.cells = tuple(cells)
        self._ranked: dict[str, tuple[Cell, ...]] = {}

    @cached_property
    def by_point(self) -> Mapping[Point, Cell]:
        """The cells by their points."""
        return {cell.point: cell for cell in self.cells}

    @property
    def done(self) -> int:
        """How many trials have a result."""
        if self._fits is not None:
            return self._fits[0]
        return sum(result is not None for cell in self.cells for result in cell.results)

    @property
    def total(self) -> int:
        """How many trials there are; of a guided sweep as many as its budget will bring."""
        if self._fits is not None:
            return self._fits[1]
        return (len(self.cells) + self._more) * self.sweep.splits

    @property
    def whole(self) -> bool:
        """Whether every trial has a result."""
        return self.done >= self.total

    def ranked(self, item: MeasureRequest | None = None) -> tuple[Cell, ...]:
        """Return the cells that have scores and no failed split, best mean first.

        Of equal ones that comes first whose neighbours on the grid do better: a plateau, not a spike.
        """
        item = item or self.sweep.chosen_by
        if item.name not in self._ranked:
            self._ranked[item.name] = self._in_order(item)
        return self._ranked[item.name]

    def best(self, item: MeasureRequest | None = None) -> Cell | None:
        """Return the best cell by a measure (by default the deciding one); None before any has a score."""
        return next(iter(self.ranked(item)), None)

    def best_of_split(self, split: int, item: MeasureRequest | None = None) -> Cell | None:
        """Return the best cell by one split alone, as whoever has only that one would choose."""
        alone = [replace(cell, results=(cell.results[split],)) for cell in self.cells]
        best = SweepTable(self.sweep, alone).best(item)
        return None if best is None else self.by_point[best.point]

    def edges(self, cell: Cell) -> dict[str, Side]:
        """Return the parameters whose value in a cell is at an end of its range, and at which."""
        ends = {axis.param: axis.edge(value) for axis, value in zip(self.sweep.axes, cell.point, strict=True)}
        return {param: side for param, side in ends.items() if side}

    def widened(self, cell: Cell) -> Sweep:
        """Return the sweep with ranges that go on where a cell lies at their end; nothing is tried twice."""
        edges = self.edges(cell)
        return replace(
            self.sweep, axes=tuple(axis.widened(edges.get(axis.param, "")) for axis in self.sweep.axes)
        )

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells one step away along one axis of the grid."""
        beside = []
        for at, (axis, value) in enumerate(zip(self.sweep.axes, cell.point, strict=True)):
            values = axis.values
            if value not in values:
                continue
            index = values.index(value)
            for other in (index - 1, index + 1):
                if 0 <= other < len(values):
                    point = (*cell.point[:at], values[other], *cell.point[at + 1 :])
                    if point in self.by_point:
                        beside.append(self.by_point[point])
        return beside

    def _in_order(self, item: MeasureRequest) -> tuple[Cell, ...]:
        sign = -1.0 if measure(item.measure).better == "high" else 1.0
        means = {cell.point: cell.mean(item) for cell in self.cells}

        def rank(cell: Cell) -> tuple[float, float]:
            beside = [mean for other in self.neighbours(cell) if not np.isnan(mean := means[other.point])]
            return round(sign * means[cell.point], 12), sign * float(np.mean(beside)) if beside else 0.0

        measured = (cell for cell in self.cells if not np.isnan(means[cell.point]) and not cell.problem(item))
        return tuple(sorted(measured, key=rank))
