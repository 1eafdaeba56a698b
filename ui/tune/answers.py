"""Where a sweep stands, as the browser is told it: a column an entry, a row a cell."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.record import ENDED_WELL
from experiments.trials import MeasureRequest, Result
from experiments.trials.catalogue import measure
from experiments.tuning import Axis, Cell, Sweep, SweepTable, importances, table_of
from ui.pictures import Theme
from ui.tune import pictures, words
from ui.tune.sweeps import Registered, results_of

# Bits of the marks of a cell; the scripts name them too (`static/tune_heat.js`).
PATH_DEPENDENT, AUDITED, PROVISIONAL = 1, 2, 4
_MOST = 32
# The more cells there are, the longer what is said of all of them stands.
_SECONDS_A_CELL = 0.0005
# Cached results are there at once.
_PATIENCE = 0.3
_cached: OrderedDict[str, _CachedAnswer] = OrderedDict()
_lock = threading.Lock()


def importance(entry: Registered, visitor: str, name: str) -> dict[str, Any]:
    """Return how much each parameter matters to a measure, as pairs of name and share."""
    item = next((item for item in entry.sweep.measures if item.name == name), None)
    if item is None:
        raise ValueError("This sweep does not measure that.")
    table = table_of(entry.sweep, results_of(entry, visitor, begins=None))
    return {"shares": [list(share) for share in importances(table, item).items()]}


@dataclass(frozen=True)
class _CachedAnswer:
    """The last answer about a sweep, of how many results and when; and the keys of what each cell shows."""

    version: str
    at: float
    answer: dict[str, Any]
    keys: list[str]


def state(entry: Registered, visitor: str, *, begins: bool, seen: str) -> dict[str, Any]:
    """Return where a sweep stands, or only that it still stands where it was when it was `seen` last."""
    results = results_of(entry, visitor, begins=begins)
    answer = _current(entry.sweep, results).answer
    return {"same": True, "version": seen} if answer["version"] == seen else answer


def cells(entry: Registered, visitor: str, places: list[int], theme: Theme) -> bytes:
    """Return pictures and curves of the cells at some places, as one block."""
    return pictures.cells(entry.sweep, _keys(entry, visitor), places, theme)


def pairs(entry: Registered, visitor: str, place: int, theme: Theme) -> bytes:
    """Return a picture of how often two samples belong together, over the starts of a cell."""
    keys = _keys(entry, visitor)
    return pictures.pairs(entry.sweep, keys[place] if 0 <= place < len(keys) else "", theme)


def _keys(entry: Registered, visitor: str) -> list[str]:
    with _lock:
        cached = _cached.get(entry.sweep.key)
    if cached is None:
        cached = _current(entry.sweep, results_of(entry, visitor, begins=None, patience=_PATIENCE))
    return cached.keys


def _current(sweep: Sweep, results: Mapping[str, Result]) -> _CachedAnswer:
    version = str(len(results))
    with _lock:
        cached = _cached.get(sweep.key)
    if cached is not None:
        fresh = monotonic() - cached.at < len(cached.keys) * _SECONDS_A_CELL
        if cached.version == version or (fresh and cached.answer["running"]):
            return cached
    table = table_of(sweep, results)
    keys = [cell.keys[0] if _pictured(cell) else "" for cell in table.cells]
    cached = _CachedAnswer(version, monotonic(), described(table, version), keys)
    with _lock:
        _cached[sweep.key] = cached
        _cached.move_to_end(sweep.key)
        while len(_cached) > _MOST:
            _cached.popitem(last=False)
    return cached


def described(table: SweepTable, version: str) -> dict[str, Any]:
    """Return all that is to be seen of a table, as plain data."""
    sweep, cells = table.sweep, table.cells
    scores = {item.name: _scores(table, item) for item in sweep.measures}
    finished = np.array([[result is not None for result in cell.results] for cell in cells], dtype=bool)
    effort = np.array([_effort(cell.results) for cell in cells], dtype=float).reshape(-1, 2)
    problems = {str(at): text for at, cell in enumerate(cells) if (text := cell.sentence)}
    return {
        "version": version,
        "known": table.done,
        "whole": table.total,
        "running": not table.whole,
        "progress": words.progress(table),
        "params": {
            axis.param: [place(axis, cell.point[at]) for cell in cells] for at, axis in enumerate(sweep.axes)
        },
        "means": {name: _plain(_means(values)) for name, values in scores.items()},
        "spreads": {name: _plain(_spreads(values)) for name, values in scores.items()},
        "counts": finished.sum(axis=1).tolist() if len(cells) else [],
        "pictured": [_pictured(cell) for cell in cells],
        "splits": sweep.splits,
        "problems": problems,
        "marks": [_mark(cell) for cell in cells],
        **words.verdicts(table),
        "seconds": np.round(effort[:, 0], 4).tolist(),
        "iterations": effort[:, 1].tolist(),
    }


def place(axis: Axis, value: Any) -> float:
    """Return a value as a number: of choices their place among them."""
    return axis.choices.index(value) if axis.choices else float(value)


def _scores(table: SweepTable, item: MeasureRequest) -> NDArray[np.float64]:
    """Return the scores, cell by cell and split by split, NaN where there is none."""
    sweep = table.sweep
    read = any(axis.read_only for axis in sweep.axes)
    name = sweep.score_name(item, table.cells[0].point) if table.cells else item.name
    rows = []
    for cell in table.cells:
        by = sweep.score_name(item, cell.point) if read else name
        rows.append([np.nan if result is None else result.scores.get(by, np.nan) for result in cell.results])
    return np.array(rows, dtype=np.float64).reshape(len(table.cells), -1)


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    is_scored = ~np.isnan(values)
    count = is_scored.sum(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        sums = np.where(is_scored, values, 0).sum(axis=1)
        return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def _spreads(values: NDArray[np.float64]) -> NDArray[np.float64]:
    is_scored = ~np.isnan(values)
    count = is_scored.sum(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.where(is_scored, values - _means(values)[:, None], 0)
        return np.where(count > 1, np.sqrt(np.square(off).sum(axis=1) / np.maximum(count - 1, 1)), 0)


def _effort(results: tuple[Result | None, ...]) -> tuple[float, float]:
    spent = [(result.seconds, result.iterations) for result in results if result is not None]
    return (sum(s for s, _ in spent) / len(spent), sum(i for _, i in spent) / len(spent)) if spent else (0, 0)


def _pictured(cell: Cell) -> int:
    """Return the version of the picture of a cell, 0 if there is none: that of its first split."""
    first = cell.results[0]
    return 0 if first is None or first.status not in ENDED_WELL else 1 if cell.provisional else 2


def _mark(cell: Cell) -> int:
    return PATH_DEPENDENT * cell.path_dependent + AUDITED * cell.audited + PROVISIONAL * cell.provisional


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    # JSON has neither NaN nor infinity.
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values.tolist()]


def measure_facts(item: MeasureRequest) -> dict[str, str]:
    """Return what the browser must know of a measure."""
    described_measure = measure(item.measure)
    return {
        "name": item.name,
        "title": words.title(item),
        "unit": described_measure.unit,
        "better": described_measure.better,
    }
