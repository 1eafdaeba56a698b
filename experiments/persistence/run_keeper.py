"""Who writes runs down: told of them by the service, in a thread of its own, and asked for old ones.

Kept are the runs that somebody started on data of the catalogue. Runs of uploaded data are kept only
if their owner says so; what nobody owns (the demonstration, runs that everybody looks at) is not kept.
An ending that the store does not take waits until it does (`PendingEndings`).
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from datasets.uploads import is_upload
from experiments.engine.handle import Handle
from experiments.persistence.following import LOOK_EVERY, Follower
from experiments.persistence.pending_endings import PendingEndings
from experiments.persistence.run_entry import RunEntry
from experiments.persistence.stored_handle import handle_of

if TYPE_CHECKING:
    from experiments.engine.service import Service

    # SQLAlchemy takes a third of a second to load: not before the first run is kept.
    from experiments.store import Content, RunStore, StoredRun
    from experiments.store.quarantine import FileIdentity

log = logging.getLogger(__name__)
_SAVE_EVERY = 1.0
# A run that a moving slider has ended by then leaves no trace.
_BEGUN_AFTER = 2.0
# How far runs have come is written no faster than this, whatever their number and size: what is to be written
# otherwise piles up in memory until the disk holds up everybody who writes anything.
_BYTES_A_SECOND = 8e6
_LOOKS_A_BEAT = 5
_PASSING = 2.0  # Seconds of work.
_TRY_AGAIN_AFTER = 30.0


class RunKeeper:
    """Writes runs to the store as they begin, go on and end; does without one that cannot be used."""

    def __init__(self) -> None:
        self.problem = ""
        self._store: RunStore | None = None
        self._tried_at: float | None = None
        self._opening = threading.Lock()
        self._writing = threading.RLock()
        self._entries: dict[str, RunEntry] = {}
        self._rests_until = 0.0
        self._resumed: dict[str, tuple[Content, StoredRun]] = {}
        # Runs that another one goes on from while they are still under way: a slider was moved.
        self._overtaken: set[str] = set()
        self._pending = PendingEndings(lambda: self._opened(at_once=True))
        self._beating = False
        self._closed = threading.Event()
        self._follower = Follower(lambda: self.store, self._closed)

    @property
    def store(self) -> RunStore | None:
        """The store, opened when first asked for; None if it cannot be used (`problem` says why)."""
        with self._opening:
            if self._store is not None and self._store.damaged:
                self._replace(self._store)
            waits = self._tried_at is not None and monotonic() - self._tried_at < _TRY_AGAIN_AFTER
            if self._store is None and not waits and not self._closed.is_set():
                self._open()
            return self._store

    @property
    def notice(self) -> str:
        """What visitors should know of a damaged store and of runs that wait; nothing if all is well."""
        store = self._store
        return f"{store.notice if store else ''} {self._pending.notice}".strip()

    def began(self, handle: Handle) -> None:
        """Write down that a run has begun, if it is one to keep."""
        before = self._resumed.pop(handle.warm_from or "", None)
        if handle.warm_from in self._entries:
            self._overtaken.add(handle.warm_from)
        catalogued = not is_upload(handle.request.dataset)
        if handle.owner and not handle.shared and (catalogued or before):
            with self._writing:
                entry = self._entries[handle.id] = RunEntry(handle, handle.owner, monotonic(), before=before)
                if before:
                    self._save(entry)

    def resume(self, service: Service, run: StoredRun, owner: str) -> Handle:
        """Go on with an interrupted run from what it had kept last; a ValueError says why that cannot be."""
        store = self.store
        if store is None:
            raise ValueError(f"{self.problem} The run can be resumed when it is back.")
        try:
            start, before = store.start_file(run), store.content(run)
        except KeyError:
            raise ValueError("Of this run nothing was kept that it could go on from.") from None
        params = dict(run.request.params)
        if params.get("max_iter"):
            params["max_iter"] = max(1, params["max_iter"] - int(run.details["iteration"]))
        self._resumed[str(start)] = before, run
        return service.submit(replace(run.request, params=params), warm_from=start, owner=owner)

    def keep(self, handle: Handle, owner: str, *, name: str = "") -> None:
        """Keep a run, under way or ended, for its owner. A NoRoomError says that there is no room."""
        store = self.store
        with self._writing:
            if store is None or handle.id in self._entries or store.get(handle.id) is not None:
                return
            entry = RunEntry(handle, owner, monotonic(), name=name)
            entry.begin(store)
            self._entries[handle.id] = entry
            if handle.ended:
                self.ended(handle)

    def progressed(self, handle: Handle) -> None:
        """Save how far a run has come, about every second at most, or later if much else is to be written."""
        with self._writing:
            entry = self._entries.get(handle.id)
            if entry is not None:
                entry.behind = True
                if not self._pending.outage:
                    self._catch_up(entry)

    def ended(self, handle: Handle) -> None:
        """Write down what a run has found, or have it wait; its files may go when nothing needs them."""
        with self._writing:
            entry = self._entries.pop(handle.id, None)
            overtaken = handle.id in self._overtaken and handle.status == "stopped"
            self._overtaken.discard(handle.id)
            if entry is None:
                handle.persisted.set()
                return
            # No trace is kept of a run that lived for a moment while a slider was on its way.
            entry.passing = overtaken and handle.seconds < _PASSING
            if entry.passing and not entry.begun:
                entry.let_go()
            else:
                self._settle(entry)

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return a run from the store, its files laid out in a folder; None if there is none.

        One that another server carries is followed as long as it is watched.
        """
        store = self.store
        if store is None:
            return None
        try:
            run = store.get(id)
            # An upload lies on the server that carries its runs, and nowhere else.
            bound = run is not None and (run.server == store.server or is_upload(run.request.dataset))
            if run is None or (bound and not run.ended):
                return None
            handle = handle_of(store, run, folder)
            if handle.elsewhere:
                store.watch_marks.leave(id)
                self._follower.follow(handle)
            return handle
        except Exception as error:
            log.warning("The stored run %s could not be opened: %s", id, error)
            return None

    def close(self) -> None:
        """Let go of the store; what is still under way is listed as interrupted."""
        self._closed.set()
        self._pending.close()
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _replace(self, damaged: RunStore) -> None:
        """Have a fresh store take the place of one that was damaged while in use."""
        identity, self._store = damaged.damaged, None
        damaged.close()
        for entry in list(self._entries.values()):
            entry.begun = False  # The fresh store has no row of it.
        self._open(identity)

    def _open(self, damaged: FileIdentity | None = None) -> None:
        from experiments.store import StoreUnavailableError, open_store

        self._tried_at = monotonic()
        try:
            self._store, self.problem = open_store(damaged), ""
        except StoreUnavailableError as error:
            if str(error) != self.problem:
                log.warning("%s Runs that end wait in files until it can.", error)
            self.problem = str(error)
        else:
            if not self._beating:
                self._beating = True
                threading.Thread(target=self._beat, daemon=True, name="store-beat").start()
        self._pending.look_for_files()

    def _beat(self) -> None:
        """Tell the other servers that the runs written down here go on, and how far those they watch are."""
        looks = 0
        while not self._closed.wait(LOOK_EVERY):
            looks += 1
            carried = {*self._entries, *self._pending.ids}
            if carried and self._store is not None and not self._pending.outage:
                try:
                    self._save_late_ones()
                    self._save_watched(self._store)
                    if looks % _LOOKS_A_BEAT == 0:
                        self._store.beat(carried)
                except Exception as error:
                    log.warning("The run store did not answer (%s).", type(error).__name__)

    def _save_late_ones(self) -> None:
        """Write down what had to wait, and runs of long iterations or paused from the start."""
        with self._writing:
            for entry in sorted(self._entries.values(), key=lambda entry: entry.saved_at):
                if entry.behind or not entry.begun:
                    self._catch_up(entry)

    def _catch_up(self, entry: RunEntry) -> None:
        now, pause = monotonic(), _SAVE_EVERY if entry.begun else _BEGUN_AFTER
        if now > self._rests_until and now - entry.saved_at > pause:
            self._save(entry)

    def _save_watched(self, store: RunStore) -> None:
        """Write down what somebody watches on another server, so that it is seen there as it is."""
        with self._writing:
            for entry in list(self._entries.values()):
                if entry.begun and store.watch_marks.take(entry.handle.id):
                    entry.handle.touch()
                    if entry.handle.version != entry.saved_version:
                        entry.saved_version = entry.handle.version
                        self._save(entry)

    def _save(self, entry: RunEntry) -> None:
        """Write down how far a run has come; if there is no room for it, say so and do not keep it."""
        from experiments.store import NoRoomError, StoreUnavailableError

        if (store := self.store) is None:
            return
        entry.saved_at, entry.behind = monotonic(), False
        try:
            entry.begin(store)
            content, outcome = entry.reached()
            store.save(entry.handle.id, content, outcome)
            written = sum(array.nbytes for array in content.arrays.values())
            # What was not written in the last second may be made up for.
            rested = max(self._rests_until, monotonic() - LOOK_EVERY)
            self._rests_until = rested + written / _BYTES_A_SECOND
        except NoRoomError as refusal:
            self._refuse(entry, refusal)
        except (StoreUnavailableError, OSError) as error:
            entry.behind = True
            self._pending.suspect(error)

    def _refuse(self, entry: RunEntry, refusal: Exception) -> None:
        self._entries.pop(entry.handle.id, None)
        entry.handle.flags.insert(0, str(refusal))
        if entry.handle.ended:
            entry.let_go()

    def _settle(self, entry: RunEntry) -> None:
        """Write down an ending; while the store does not take it, it waits."""
        from experiments.store import NoRoomError, StoreUnavailableError

        try:
            if self._pending.outage:
                raise StoreUnavailableError(self._pending.outage)
            self._opened().finish(entry.ending())
        except NoRoomError as refusal:
            self._refuse(entry, refusal)
        except (StoreUnavailableError, OSError) as error:
            self._pending.put_off(entry, error)
        else:
            entry.let_go(stored=True)

    def _opened(self, *, at_once: bool = False) -> RunStore:
        """Return the store; a StoreUnavailableError says why there is none."""
        from experiments.store import StoreUnavailableError

        if at_once:
            self._tried_at = None
        if (store := self.store) is None:
            raise StoreUnavailableError(self.problem)
        return store
