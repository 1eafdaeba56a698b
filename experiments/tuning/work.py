"""Which trials a sweep takes, given what has come of it so far, and what its table then says."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache

from experiments.trials import Result, Table
from experiments.trials.carriers import Carrier
from experiments.trials.carry import Arrival, carry
from experiments.trials.result_cache import ResultCache
from experiments.trials.table import Results
from experiments.trials.trial import as_chain
from experiments.tuning.continuation import AUDIT_EVERY, Work, chained_work, ways
from experiments.tuning.guided import proposed
from experiments.tuning.points import points_of
from experiments.tuning.sketch import sketched, sketches
from experiments.tuning.sweep import Point, Sweep
from experiments.tuning.sweep_table import Cell, SweepTable


def trials_of(sweep: Sweep, results: Results | None = None) -> Table:
    """Return one trial for each point and split; of a guided sweep those that follow from the results."""
    return _trials_and_more(sweep, results or {})[0]


def all_work_of(sweep: Sweep, results: Results) -> Work:
    """Return all work that follows from the results so far, what is finished among it, in its order."""
    if sweep.warm:
        return chained_work(sweep, results)
    return [*sketches(sweep, results), *trials_of(sweep, results).in_turn()]


def work_of(sweep: Sweep, results: Results) -> Work:
    """Return what is to be carried out, as far as it follows from the results; nothing if all is done.

    What has a result may be among it: whoever carries it out finds that there is one.
    """
    work = all_work_of(sweep, results)
    return [] if all(key in results for piece in work for key in as_chain(piece).keys) else work


def expected(sweep: Sweep) -> int:
    """Return about how many fits a sweep takes; a search and audits make it known only at the end."""
    if sweep.strategy == "guided":
        return sweep.budget * sweep.splits
    cold = len(trials_of(sweep).in_turn())
    if not sweep.warm:
        return cold
    ways_there = 2 if sweep.continuation == "provisional" else 4
    return ways_there * cold + cold // AUDIT_EVERY


def table_of(sweep: Sweep, results: Results) -> SweepTable:
    """Return what has come of a sweep."""
    table, more = _trials_and_more(sweep, results)
    if sweep.warm:
        warm = [_warm_cell(sweep, point, results) for point in table.trials]
        return SweepTable(sweep, warm, fits=_fits(sweep, results))
    cells = [
        Cell(sweep, point, tuple(results.get(t.key) for t in trials), tuple(t.key for t in trials))
        for point, trials in table.trials.items()
    ]
    if sweep.continuation != "sketched":
        return SweepTable(sweep, cells, more)
    done = sum(result is not None for cell in cells for result in cell.results)
    looked_at = [_sketched_cell(cell, results) for cell in cells]
    return SweepTable(sweep, looked_at, fits=(done, len(cells) * sweep.splits))


def _fits(sweep: Sweep, results: Results) -> tuple[int, int]:
    """Return how many fits of a continuation are done and, as far as can be told, how many there will be."""
    keys = {key for piece in chained_work(sweep, results) for key in as_chain(piece).keys}
    done = sum(key in results for key in keys)
    return done, len(keys) if done == len(keys) else max(len(keys), expected(sweep))


def _sketched_cell(cell: Cell, results: Results) -> Cell:
    """Return a cell with a quick look at it in the place of a first fit that is not done."""
    first, *others = cell.results
    look = sketched(cell.sweep, cell.point, results) if first is None else None
    if look is None:
        return cell
    key, result = look
    return replace(cell, results=(result, *others), keys=(key, *cell.keys[1:]), provisional=True)


def _warm_cell(sweep: Sweep, point: Point, results: Results) -> Cell:
    every = [ways(sweep, point, split, results) for split in range(sweep.splits)]
    best = [way.best for way in every]
    return Cell(
        sweep,
        point,
        tuple(None if fit is None else fit[1] for fit in best),
        tuple("" if fit is None else fit[0] for fit in best),
        provisional=any(way.provisional for way in every),
        path_dependent=any(way.path_dependent for way in every),
        audited=any(way.audited for way in every),
    )


def carry_sweep(sweep: Sweep, carrier: Carrier, cache: ResultCache) -> Generator[Arrival, None, None]:
    """Yield key and result of every trial, what is known first; goes on until nothing more follows.

    Closing the generator ends the work. What has come is in the cache: the same call goes on from there.
    """
    results: dict[str, Result] = {}
    while work := work_of(sweep, results):
        before = len(results)
        with closing(carry(work, carrier, cache)) as arrivals:
            for key, result in arrivals:
                if key not in results:
                    yield key, result
                results[key] = result
        if len(results) == before:
            return  # Nothing that could be done is left.


@lru_cache(maxsize=32)
def _trials(sweep_json: str) -> Table:
    return _trials_at(Sweep.from_json(sweep_json), points_of(sweep_json))


def _trials_and_more(sweep: Sweep, results: Results) -> tuple[Table, int]:
    """Return the trials that follow from the results, and how many points will be proposed besides."""
    if sweep.strategy != "guided":
        return _trials(sweep.text), 0
    points, final = proposed(sweep, results)
    return _trials_at(sweep, points), 0 if final else sweep.budget - len(points)


def _trials_at(sweep: Sweep, points: Sequence[Point]) -> Table:
    trials = {point: tuple(sweep.trial(point, split) for split in range(sweep.splits)) for point in points}
    return Table(tuple(axis.param for axis in sweep.axes), trials)
