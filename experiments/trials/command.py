"""Fills in a table from the command line: stores results as they arrive, shows progress, can be resumed."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import TextIO

from experiments.commands import FAILED, INTERRUPTED, OK
from experiments.store import StoreUnavailableError, open_store
from experiments.trials.carriers import Carrier, CarrierError
from experiments.trials.carry import Arrival, carry
from experiments.trials.result import Result
from experiments.trials.result_cache import ResultCache
from experiments.trials.table import Table

_BAR = 30


# Carries something out with what is stored, and hands over results as they come.
Work = Callable[[ResultCache], Generator[Arrival, None, None]]


def filled_in(table: Table, carrier: Carrier, output: TextIO) -> tuple[dict[str, Result], int]:
    """Return the results of a table by key, and the exit status: 0, 1 nobody works, 130 interrupted."""
    trials = table.in_turn()
    keys = [trial.key for trial in trials]
    return carried(lambda cache: carry(trials, carrier, cache), keys, len(trials), output)


def carried(work: Work, keys: Sequence[str], whole: int, output: TextIO) -> tuple[dict[str, Result], int]:
    """Return the results of work by key, and the exit status; results are stored if there is a store.

    It brings as many as `whole`, those of `keys` among them: of these it says how many are stored already.
    """
    try:
        store = open_store()
    except StoreUnavailableError as error:
        print(f"{error} What is found is not kept.", file=output)
        return _carried(work, ResultCache(), keys, whole, output)
    with closing(store):
        cache = ResultCache(store.trials, store.server, store.keepsakes)
        before = len(cache.lookup(keys))
        if before:
            print(f"{before} of {whole} trials are known from before.", file=output)
        return _carried(work, cache, keys, whole, output)


def check_targets(*paths: Path | None, source: str | None = None) -> None:
    """Refuse files that cannot be written, before the work rather than after it.

    None may be given twice, and none may be the `source` that is worked on: it would be overwritten.
    """
    used_paths = set() if source is None else {Path(source).absolute()}
    for path in filter(None, paths):
        folder = path.absolute().parent
        if path.is_dir():
            raise ValueError(f"{path} cannot be written: it is a folder")
        if not folder.is_dir():
            raise ValueError(f"{path} cannot be written: there is no such folder")
        if not os.access(path if path.exists() else folder, os.W_OK):
            raise ValueError(f"{path} cannot be written: permission denied")
        if path.absolute() in used_paths:
            raise ValueError(f"{path} cannot be written: it is named twice, and would be overwritten")
        used_paths.add(path.absolute())


def _carried(
    work: Work, cache: ResultCache, keys: Sequence[str], whole: int, output: TextIO
) -> tuple[dict[str, Result], int]:
    results: dict[str, Result] = {}
    bar = _Bar(whole, output)
    try:
        with closing(work(cache)) as arrivals:
            for key, result in arrivals:
                results[key] = result
                bar.show(len(results))
    except CarrierError as error:
        bar.clear()
        print(error, file=output)
        return results, FAILED
    except KeyboardInterrupt:
        bar.clear()
        results |= cache.lookup(keys)  # What had been stored, but not yet handed over.
        advice = "are kept: the same command goes on from there"
        print(f"Interrupted. {len(results)} of {whole} trials {advice}.", file=output)
        return results, INTERRUPTED
    bar.clear()
    return results, OK


class _Bar:
    """A line on a terminal that says how far a table is and how long it will still take."""

    def __init__(self, whole: int, output: TextIO) -> None:
        self._whole, self._output, self._on_terminal = whole, output, output.isatty()
        self._begun: tuple[float, int] | None = None

    def show(self, done: int) -> None:
        if self._begun is None:
            self._begun = monotonic(), done  # What was known before came at once.
        if not self._on_terminal:
            return
        since, before = self._begun
        left = ""
        if done - before > 1:
            seconds = (monotonic() - since) * max(0, self._whole - done) / (done - before)
            left = f", about {_duration(seconds)} left"
        bar = "█" * min(_BAR, _BAR * done // max(1, self._whole))
        print(
            f"\r\033[K{bar.ljust(_BAR, '·')} {done} of {self._whole}{left}",
            end="",
            file=self._output,
            flush=True,
        )

    def clear(self) -> None:
        if self._on_terminal:
            print("\r\033[K", end="", file=self._output, flush=True)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
