"""Whoever keeps runs for good is told of them here, one after the other, in a thread of their own.

Writing to a database takes time and may fail: neither may hold up a run or those who watch it.
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
    """Takes what is to outlive the service. What it raises is logged and does no harm.

    `began` is called when a run is submitted, `kept` when it has kept another iteration (the last of
    `handle.snapshots`, or one of the last: it may have gone on), and `ended` when it has come to its
    end. The files of the run stay in place until the keeper sets `handle.persisted`.
    """

    def began(self, handle: Handle) -> None:
        """Note that there is a run."""

    def kept(self, handle: Handle) -> None:
        """Note how far it has come."""

    def ended(self, handle: Handle) -> None:
        """Take over what it has found."""

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return an ended run that was kept, its files laid out in a folder; None if there is none."""


class Reporter:
    """Tells a keeper (or nobody), in the order of events, without making anybody wait."""

    def __init__(self, keeper: Keeper | None) -> None:
        self._keeper = keeper
        self._jobs: SimpleQueue[tuple[Callable[[Handle], None], Handle] | None] = SimpleQueue()
        if keeper is not None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="keeper")
            self._thread.start()

    def began(self, handle: Handle) -> None:
        """Pass on that there is a run."""
        if self._keeper is not None:
            self._jobs.put((self._keeper.began, handle))

    def kept(self, handle: Handle) -> None:
        """Pass on how far it has come."""
        if self._keeper is not None:
            self._jobs.put((self._keeper.kept, handle))

    def ended(self, handle: Handle) -> None:
        """Pass on that it has ended."""
        if self._keeper is None:
            handle.persisted.set()
        else:
            self._jobs.put((self._keeper.ended, handle))

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return a run that was kept, if the keeper has it; this one waits for the keeper."""
        return None if self._keeper is None else self._keeper.recall(id, folder)

    def close(self, patience: float) -> None:
        """Let the keeper finish what it has been told, for so many seconds at most."""
        if self._keeper is not None:
            self._jobs.put(None)
            self._thread.join(patience)

    def _work(self) -> None:
        assert self._keeper is not None
        while (job := self._jobs.get()) is not None:
            tell, handle = job
            try:
                tell(handle)
            except Exception:
                log.exception("Run %s of %s could not be kept", handle.id, handle.request.method)
                if tell == self._keeper.ended:
                    handle.persisted.set()
