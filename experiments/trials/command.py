"""Fills in a table from the command line: stores results as they arrive, shows progress, can be resumed."""

from __future__ import annotations

from contextlib import closing
from time import monotonic
from typing import TextIO

from experiments.store import StoreUnavailableError, open_store
from experiments.trials.carriers import Carrier, CarrierError
from experiments.trials.carry import carry
from experiments.trials.result import Result
from experiments.trials.result_cache import ResultCache
from experiments.trials.table import Table

FAILED, INTERRUPTED = 1, 130
_BAR = 30


def filled_in(table: Table, carrier: Carrier, output: TextIO) -> tuple[dict[str, Result], int]:
    """Return the results of a table by key, and the exit status: 0, 1 nobody works, 130 interrupted."""
    trials, results = table.in_turn(), dict[str, Result]()
    try:
        store = open_store()
    except StoreUnavailableError as error:
        print(f"{error} What is found is not kept.", file=output)
        return _carried(table, carrier, ResultCache(), results, output)
    with closing(store):
        cache = ResultCache(store.trials, store.server)
        before = len(cache.lookup([trial.key for trial in trials]))
        if before:
            print(f"{before} of {len(trials)} trials are known from before.", file=output)
        return _carried(table, carrier, cache, results, output)


def _carried(
    table: Table, carrier: Carrier, cache: ResultCache, results: dict[str, Result], output: TextIO
) -> tuple[dict[str, Result], int]:
    trials = table.in_turn()
    bar = _Bar(len(trials), output)
    arrivals = carry(trials, carrier, cache)
    try:
        with closing(arrivals):
            for key, result in arrivals:
                results[key] = result
                bar.show(len(results))
    except CarrierError as error:
        bar.clear()
        print(error, file=output)
        return results, FAILED
    except KeyboardInterrupt:
        bar.clear()
        advice = "are kept: the same command goes on from there"
        print(f"Interrupted. {len(results)} of {len(trials)} trials {advice}.", file=output)
        return results, INTERRUPTED
    bar.clear()
    return results, 0


class _Bar:
    """A line on a terminal that says how far a table is and how long it will still take."""

    def __init__(self, whole: int, output: TextIO) -> None:
        self._whole, self._output, self._shown = whole, output, output.isatty()
        self._begun: tuple[float, int] | None = None

    def show(self, done: int) -> None:
        if self._begun is None:
            self._begun = monotonic(), done  # What was known before came at once.
        if not self._shown:
            return
        since, before = self._begun
        left = ""
        if done - before > 1:
            seconds = (monotonic() - since) * (self._whole - done) / (done - before)
            left = f", about {_duration(seconds)} left"
        bar = "█" * (_BAR * done // self._whole)
        print(
            f"\r\033[K{bar.ljust(_BAR, '·')} {done} of {self._whole}{left}",
            end="",
            file=self._output,
            flush=True,
        )

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=self._output, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
