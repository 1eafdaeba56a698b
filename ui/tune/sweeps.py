"""The sweeps that pages ask about, by their keys, and what has come of each so far."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from time import monotonic

from experiments.trials import Result
from experiments.tuning import Sweep, SweepTable, all_work_of, table_of
from ui import owner
from ui.service import tables

_MOST = 64
# Cached results are there at once.
_PATIENCE = 0.3
_lock = threading.Lock()


@dataclass(frozen=True)
class Registered:
    """A sweep that a page shows; nothing more is begun for it after `until` (None: no such end)."""

    sweep: Sweep
    until: float | None = None


_sweeps: OrderedDict[str, Registered] = OrderedDict()


def register(sweep: Sweep, minutes: float = 0.0) -> str:
    """Make a sweep known to the addresses of the page and return its key.

    Nothing more is begun for it after so many `minutes`; with 0 there is no such end.
    """
    key = sweep.key
    with _lock:
        until = monotonic() + 60 * minutes if minutes else None
        before = _sweeps.pop(key, None)
        _sweeps[key] = before if before is not None and not minutes else Registered(sweep, until)
        while len(_sweeps) > _MOST:
            _sweeps.popitem(last=False)
    return key


def registered(key: str) -> Registered | None:
    """Return the sweep with this key, None if no page has asked for it for long."""
    with _lock:
        return _sweeps.get(key)


def results_of(
    entry: Registered, visitor: str, *, begins: bool | None, patience: float = 0.0
) -> dict[str, Result]:
    """Return the results so far by key; if it `begins`, what is missing is worked out.

    What a search tries, and what a continuation fits, follows from what has come before. With None it is a
    glance, which neither begins nor stops anything.
    """
    in_time = entry.until is None or monotonic() < entry.until
    name = f"tune {entry.sweep.key[:8]}{'' if begins is not None else ' glance'}"
    results: dict[str, Result] = {}
    while True:
        work = all_work_of(entry.sweep, results)
        latest = tables().ask(visitor, name, work, begins=bool(begins) and in_time, patience=patience)
        grows = entry.sweep.strategy == "guided" or entry.sweep.warm
        if not grows or len(latest) <= len(results):
            return latest
        results = latest


def table_now(key: str, patience: float = _PATIENCE) -> SweepTable | None:
    """Return what has come of a sweep so far, None if nothing has; it is a glance."""
    entry = registered(key)
    if entry is None:
        return None
    results = results_of(entry, owner.token(), begins=None, patience=patience)
    return table_of(entry.sweep, results) if results else None
