"""Runs that another server carries, watched here: brought to what the store has of them, again and again.

The other server is told by a mark that somebody watches. It then writes the run down every second, and does
not stop it as one that nobody looks at.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakSet

from experiments.engine.handle import Handle
from experiments.persistence.stored_handle import status_of, update

if TYPE_CHECKING:
    from experiments.store import RunStore

log = logging.getLogger(__name__)
LOOK_EVERY = 1.0
# Nobody watches any more what has not been looked at for so long.
_WATCHED_WITHIN = 10.0
_DELETED = "This run was deleted while it was watched."


class Follower:
    """A thread that looks every second at what the store has of the runs watched here."""

    def __init__(self, store: Callable[[], RunStore | None], closed: threading.Event) -> None:
        self._store, self._closed = store, closed
        # Whom the service has forgotten need not be followed.
        self._handles: WeakSet[Handle] = WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def follow(self, handle: Handle) -> None:
        """Keep a run as it is in the store until it has ended."""
        with self._lock:
            self._handles.add(handle)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, daemon=True, name="follower")
                self._thread.start()

    def _look(self) -> None:
        while not self._closed.wait(LOOK_EVERY):
            with self._lock:
                handles = list(self._handles)
            for handle in handles:
                if handle.elsewhere and monotonic() - handle.seen_at < _WATCHED_WITHIN:
                    try:
                        self._refresh(handle)
                    except Exception as error:
                        log.warning("The run %s cannot be followed: %s", handle.id, error)
            with self._lock:
                for handle in handles:
                    if not handle.elsewhere:
                        self._handles.discard(handle)
            del handles

    def _refresh(self, handle: Handle) -> None:
        if (store := self._store()) is None:
            return
        run = store.get(handle.id)
        if run is None:
            handle.message, handle.status, handle.elsewhere = _DELETED, "stopped", ""
            handle.persisted.set()
            return
        if not run.ended:
            store.watch_marks.leave(run.id)
            handle.elsewhere = run.carried_by
        rows = len(handle.reader.curve()) if handle.reader else 0
        if (run.iterations + 1, status_of(run)) != (rows, handle.status):
            update(handle, store, run)
