"""Notifies the keeper, which stores runs for good, of events, one after the other, in a thread.

Writing to a database takes time and may fail: neither may hold up a run or its watchers.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Protocol

from experiments.engine.handle import Handle

log = logging.getLogger(__name__)


class Keeper(Protocol):
    """Stores runs that are to outlive the service. What it raises is logged and ignored.

    `began` is called when a run is submitted, `progressed` when it has another snapshot (the last of
    `handle.snapshots`, or one of the last: it may have gone on), and `ended` when it has
    ended. The files of the run stay in place until the keeper sets `handle.persisted`.
    """

    def began(self, handle: Handle) -> None:
        """Store a submitted run."""

    def progressed(self, handle: Handle) -> None:
        """Store its progress."""

    def ended(self, handle: Handle) -> None:
        """Store its results."""

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return a stored run with its files copied to a folder; None if there is none."""


class Reporter:
    """Calls a keeper (or none) in the order of events, without blocking the caller; none of previews."""

    def __init__(self, keeper: Keeper | None) -> None:
        self._keeper = keeper
        self._jobs: SimpleQueue[tuple[Callable[[Handle], None], Handle] | None] = SimpleQueue()
        if keeper is not None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="keeper")
            self._thread.start()

    def began(self, handle: Handle) -> None:
        """Queue the call of `began`."""
        if self._keeper is not None and handle.preview_of is None:
            self._jobs.put((self._keeper.began, handle))

    def progressed(self, handle: Handle) -> None:
        """Queue the call of `progressed`."""
        if self._keeper is not None:
            self._jobs.put((self._keeper.progressed, handle))

    def ended(self, handle: Handle) -> None:
        """Queue the call of `ended`."""
        if self._keeper is None or handle.preview_of is not None:
            handle.persisted.set()
        else:
            self._jobs.put((self._keeper.ended, handle))

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return a stored run, if the keeper has it; waits for the keeper."""
        return None if self._keeper is None else self._keeper.recall(id, folder)

    def close(self, patience: float) -> None:
        """Let the keeper finish the queued calls, for so many seconds at most."""
        if self._keeper is not None:
            self._jobs.put(None)
            self._thread.join(patience)

    def _work(self) -> None:
        assert self._keeper is not None
        while (job := self._jobs.get()) is not None:
            notify, handle = job
            try:
                notify(handle)
            except Exception:
                log.exception("Run %s of %s could not be kept", handle.id, handle.request.method)
                if notify == self._keeper.ended:
                    handle.persisted.set()
