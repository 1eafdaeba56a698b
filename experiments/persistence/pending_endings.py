"""Endings that the store does not take: they wait in files, or where they are, and are tried again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from experiments.persistence.run_entry import RunEntry

if TYPE_CHECKING:
    from experiments.store import RunStore
    from experiments.store.unsaved import Ending, UnsavedEndings

log = logging.getLogger(__name__)
# The first attempt comes after so many seconds, further ones ever more rarely.
_RETRY_AFTER, _RETRY_AT_LAST = 1.0, 30.0


class PendingEndings:
    """Runs that have ended and are not in the store yet.

    `outage` says why the store does not take them, as long as it does not. `open_store` returns the store or
    raises what is in the way of it.
    """

    def __init__(self, open_store: Callable[[], RunStore]) -> None:
        self.outage = ""
        self._open_store = open_store
        self._lock = threading.Lock()
        self._held: dict[str, RunEntry] = {}
        self._filed: set[str] = set()
        self._retrying = False
        self._closed = threading.Event()

    @property
    def ids(self) -> set[str]:
        """The runs that wait."""
        with self._lock:
            return self._filed | self._held.keys()

    @property
    def notice(self) -> str:
        """What visitors should know of runs that wait; nothing if none does."""
        number, held, why = len(self.ids), bool(self._held), self.outage
        if not why or not number:
            return ""
        runs = "One finished run waits" if number == 1 else f"{number} finished runs wait"
        where = "in the memory of this server, for its disk is full" if held else "in a file on this machine"
        return f"{why} {runs} {where}, and will be on the Runs page as soon as that is over."

    def put_off(self, entry: RunEntry, error: Exception) -> None:
        """Have an ending wait that the store has refused."""
        self.outage = _sentence(error)
        with self._lock:
            if not self._file(entry):
                self._held[entry.handle.id] = entry
        self._retry_soon()

    def suspect(self, error: Exception) -> None:
        """Ask nothing of a store that has just refused, until it has answered again."""
        self.outage = _sentence(error)
        self._retry_soon()

    def look_for_files(self) -> None:
        """Take up what another server has left."""
        if (unsaved := _files()) is not None and unsaved.waiting():
            self._retry_soon()

    def close(self) -> None:
        """Stop trying; the files stay for the next server."""
        self._closed.set()
        with self._lock:
            for entry in self._held.values():
                if not self._file(entry):
                    log.error("Run %s is lost: no disk has room for it.", entry.handle.id)

    def _file(self, entry: RunEntry) -> bool:
        """Write an ending into a file, if there is room for one."""
        try:
            if (unsaved := _files()) is not None:
                unsaved.add(entry.ending())
                self._filed.add(entry.handle.id)
        except OSError as error:
            log.warning("Run %s waits in memory: %s", entry.handle.id, error)
            return False
        entry.let_go()
        return True

    def _retry_soon(self) -> None:
        with self._lock:
            if not self._retrying and not self._closed.is_set():
                self._retrying = True
                threading.Thread(target=self._retry, daemon=True, name="store-retry").start()

    def _retry(self) -> None:
        pause = _RETRY_AFTER
        while not self._closed.wait(pause):
            pause = min(2 * pause, _RETRY_AT_LAST)
            try:
                self._catch_up()
            except Exception as error:
                self.outage = _sentence(error)
                continue
            with self._lock:
                if not self._held and not self._filed:
                    self.outage, self._retrying = "", False
                    return

    def _catch_up(self) -> None:
        """Write down all endings that wait; raises what is in the way of it."""
        store = self._open_store()
        store.beat(())  # Whether it answers.
        if (unsaved := _files()) is not None:
            for path in unsaved.waiting():
                unsaved.hand_over(path, partial(_finish, store))
                with self._lock:
                    self._filed.discard(path.stem)
        with self._lock:
            held = list(self._held.values())
        for entry in held:
            _finish(store, entry.ending())
            with self._lock:
                del self._held[entry.handle.id]
            entry.let_go()


def _finish(store: RunStore, ending: Ending) -> None:
    """Write an ending down; one that will never be taken is given up, with a line in the log."""
    from experiments.store import NoRoomError, StoreUnavailableError

    try:
        store.finish(ending)
    except (StoreUnavailableError, OSError):
        raise
    except NoRoomError as refusal:
        log.warning("Run %s: %s", ending.id, refusal)
    except Exception:
        log.exception("Run %s cannot be written down", ending.id)


def _files() -> UnsavedEndings | None:
    """Return the files of endings; None if it cannot even be said where the store is."""
    from experiments.store.places import arrays_folder, database_url
    from experiments.store.unsaved import UnsavedEndings, folders_beside

    try:
        return UnsavedEndings(folders_beside(arrays_folder(database_url())))
    except ValueError:
        return None


def _sentence(error: Exception) -> str:
    """Return in a sentence why nothing can be written down."""
    if isinstance(error, OSError):
        return f"The disk of the run store does not take anything: {error.strerror or error}."
    return str(error)
