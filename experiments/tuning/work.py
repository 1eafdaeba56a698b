"""Which trials a sweep takes, given what has come of it so far, and what its table then says."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache

from experiments.trials import Chain, Result, Table, Trial
from experiments.trials.carriers import Carrier
from experiments.trials.carry import Arrival, carry
from experiments.trials.result_cache import ResultCache
from experiments.tuning.guided import proposed
from experiments.tuning.points import points_of
from experiments.tuning.sweep import Point, Sweep
from experiments.tuning.sweep_table import Cell, SweepTable

Results = Mapping[str, Result]
Work = list[Trial | Chain]


def trials_of(sweep: Sweep, results: Results | None = None) -> Table:
    """Return one trial for each point and split; of a guided sweep those that follow from the results."""
    if sweep.strategy == "guided":
        return _trials_at(sweep, proposed(sweep, results or {})[0])
    return _trials(sweep.text)


def work_of(sweep: Sweep, results: Results) -> Work:
    """Return what is to be carried out, as far as it follows from the results; nothing if all is done.

    What has a result may be among it: whoever carries it out finds that there is one.
    """
    table = trials_of(sweep, results)
    return [] if table.whole(results) else list(table.in_turn())


def table_of(sweep: Sweep, results: Results) -> SweepTable:
    """Return what has come of a sweep."""
    table = trials_of(sweep, results)
    guided = sweep.strategy == "guided"
    more = 0 if not guided or proposed(sweep, results)[1] else sweep.budget - len(table.trials)
    return SweepTable(
        sweep,
        [
            Cell(
                sweep,
                point,
                tuple(results.get(trial.key) for trial in trials),
                tuple(trial.key for trial in trials),
            )
            for point, trials in table.trials.items()
        ],
        more,
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


def _trials_at(sweep: Sweep, points: Sequence[Point]) -> Table:
    trials = {point: tuple(sweep.trial(point, split) for split in range(sweep.splits)) for point in points}
    return Table(tuple(axis.param for axis in sweep.axes), trials)
