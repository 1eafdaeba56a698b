"""Who writes runs down: told of them by the service, in a thread of its own, and asked for old ones.

Kept are the runs that somebody started on data of the catalogue. Runs of uploaded data are kept only
if their owner says so; what nobody owns (the demonstration, runs that everybody looks at) is not kept.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from datasets.uploads import is_upload
from experiments.engine.handle import ENDED, Handle
from experiments.engine.record import versions
from experiments.persistence.stored_handle import handle_of

if TYPE_CHECKING:
    from experiments.engine.service import Service

    # SQLAlchemy takes a third of a second to load: not before the first run is kept.
    from experiments.store import Content, Outcome, RunStore, StoredRun

log = logging.getLogger(__name__)
_SAVE_EVERY = 1.0
# A run that a moving slider has ended by then leaves no trace.
_BEGUN_AFTER = 2.0
_BEAT_EVERY = 5.0
_PASSING = 2.0  # Seconds of work.
_TRY_AGAIN_AFTER = 30.0


@dataclass
class _Kept:
    """A run under way that is to be kept; it is written down (`begun`) when it is not just passing by."""

    handle: Handle
    owner: str
    saved_at: float
    begun: bool = False
    before: tuple[Content, StoredRun] | None = None


class RunKeeper:
    """Writes runs to the store as they begin, go on and end; does without one that cannot be used."""

    def __init__(self) -> None:
        self.problem = ""
        self._store: RunStore | None = None
        self._tried_at: float | None = None
        self._opening = threading.Lock()
        self._writing = threading.RLock()
        self._kept: dict[str, _Kept] = {}
        self._resumed: dict[str, StoredRun] = {}
        # Runs that another one goes on from while they are still under way: a slider was moved.
        self._overtaken: set[str] = set()
        self._closed = threading.Event()

    @property
    def store(self) -> RunStore | None:
        """The store, opened when first asked for; None if it cannot be used (`problem` says why)."""
        with self._opening:
            waits = self._tried_at is not None and monotonic() - self._tried_at < _TRY_AGAIN_AFTER
            if self._store is None and not waits and not self._closed.is_set():
                self._open()
            return self._store

    def began(self, handle: Handle) -> None:
        """Write down that a run has begun, if it is one to keep."""
        follows = self._resumed.pop(handle.warm_from or "", None)
        if handle.warm_from in self._kept:
            self._overtaken.add(handle.warm_from)
        catalogued = not is_upload(handle.request.dataset)
        if handle.owner and not handle.shared and (catalogued or follows):
            if follows:
                self.keep(handle, handle.owner, follows=follows)
            else:
                with self._writing:
                    self._kept[handle.id] = _Kept(handle, handle.owner, monotonic())

    def resume(self, service: Service, run: StoredRun, owner: str) -> Handle:
        """Go on with an interrupted run from what it had kept last; a ValueError says why that cannot be."""
        try:
            assert self._store is not None
            start = self._store.start_file(run)
        except KeyError:
            raise ValueError("Of this run nothing was kept that it could go on from.") from None
        params = dict(run.request.params)
        if params.get("max_iter"):
            params["max_iter"] = max(1, params["max_iter"] - int(run.details["iteration"]))
        self._resumed[str(start)] = run
        return service.submit(replace(run.request, params=params), warm_from=start, owner=owner)

    def keep(self, handle: Handle, owner: str, *, name: str = "", follows: StoredRun | None = None) -> None:
        """Keep a run, under way or ended, for its owner; it may take the place of an interrupted one."""
        store = self.store
        if store is None:
            return
        with self._writing:
            kept = self._kept.get(handle.id)
            if (kept is not None and kept.begun) or store.get(handle.id) is not None:
                return
            request = follows.request if follows else handle.request
            store.begin(handle.id, request, owner, follows=follows, name=name)
            before = (store.content(follows), follows) if follows else None
            self._kept[handle.id] = _Kept(handle, owner, monotonic(), begun=True, before=before)
            if before is not None and follows is not None:
                # From here on the new run stands for the old one, even if it is cut off at once.
                store.save(handle.id, before[0], _outcome_of(follows))
                store.forget(follows.id)
            if handle.ended:
                self.ended(handle)

    def kept(self, handle: Handle) -> None:
        """Save how far a run has come, about every second at most."""
        with self._writing:
            kept = self._kept.get(handle.id)
            if kept is None:
                return
            if monotonic() - kept.saved_at > (_SAVE_EVERY if kept.begun else _BEGUN_AFTER):
                self._save(kept)
                kept.saved_at = monotonic()

    def ended(self, handle: Handle) -> None:
        """Save what a run has found."""
        with self._writing:
            kept = self._kept.pop(handle.id, None)
            if kept is None:
                return
            overtaken = handle.id in self._overtaken and handle.status == "stopped"
            self._overtaken.discard(handle.id)
            if overtaken and not kept.begun and handle.ending.get("seconds", 0.0) < _PASSING:
                return  # No trace is kept of a run that lived for a moment while a slider was on its way.
            self._save(kept)
            if overtaken and self._store is not None:
                self._drop_if_passing(handle.id, self._store)
            if kept.before is not None and handle.warm_from is not None:
                Path(handle.warm_from).unlink(missing_ok=True)

    def _drop_if_passing(self, id: str, store: RunStore) -> None:
        """The same for one that has been written down."""
        run = store.get(id)
        if run is not None and run.seconds < _PASSING and not (run.name or run.tags or run.shared):
            store.forget(id)

    def recall(self, id: str, folder: Path) -> Handle | None:
        """Return an ended run from the store, its files laid out in a folder; None if there is none."""
        store = self.store
        if store is None:
            return None
        try:
            run = store.get(id)
            # A run under way is told by the server that carries it.
            return None if run is None or not run.ended else handle_of(store, run, folder)
        except Exception as error:
            log.warning("The stored run %s could not be opened: %s", id, error)
            return None

    def close(self) -> None:
        """Let go of the store; what is still under way is listed as interrupted."""
        self._closed.set()
        with self._opening:
            if self._store is not None:
                self._store.close()
            self._store = None

    def _open(self) -> None:
        from experiments.store import StoreUnavailableError, open_store

        self._tried_at = monotonic()
        try:
            self._store, self.problem = open_store(), ""
        except StoreUnavailableError as error:
            if str(error) != self.problem:
                log.warning("%s Runs are not kept.", error)
            self.problem = str(error)
        else:
            threading.Thread(target=self._beat, daemon=True, name="store-beat").start()

    def _beat(self) -> None:
        """Tell the other servers that the runs written down here are being carried on."""
        while not self._closed.wait(_BEAT_EVERY):
            if self._kept and self._store is not None:
                try:
                    self._begin_late_ones()
                    self._store.beat()
                except Exception as error:
                    log.warning("The run store did not answer (%s).", type(error).__name__)

    def _begin_late_ones(self) -> None:
        """Write down runs that take their time over each iteration, or have been paused from the start."""
        with self._writing:
            for kept in self._kept.values():
                if not kept.begun and monotonic() - kept.saved_at > _BEGUN_AFTER:
                    self._begin(kept)

    def _begin(self, kept: _Kept) -> RunStore | None:
        store = self.store
        if store is not None and not kept.begun:
            store.begin(kept.handle.id, kept.handle.request, kept.owner)
            kept.begun = True
        return store

    def _save(self, kept: _Kept) -> None:
        store, handle = self._begin(kept), kept.handle
        if store is None:
            return
        content, outcome = content_of(handle), outcome_of(handle)
        if kept.before is not None:
            content, outcome = _joined(*kept.before, content, outcome)
        store.save(handle.id, content, outcome)


def content_of(handle: Handle, *, arrays: bool = True) -> Content:
    """Return the curve of a run and the arrays it kept last, or the curve alone, which is quick."""
    from experiments.store import Content

    if handle.reader is None:
        return Content((), np.empty((0, 2)))
    layout = handle.reader.layout
    curve = np.array(handle.reader.curve())
    for iteration, _ in reversed(handle.snapshots) if arrays else ():
        try:
            kept = handle.snapshot(iteration)
        except (KeyError, OSError, ValueError):
            continue  # Its file is gone, or not whole yet: the one before will do.
        return Content(layout.terms, curve, kept, iteration, layout.tracked)
    return Content(layout.terms, curve, tracked=layout.tracked)


def outcome_of(handle: Handle) -> Outcome:
    """Return what is known of a run besides its arrays."""
    from experiments.store import Outcome

    return Outcome(
        status=handle.status if handle.status in ENDED else "running",
        message=handle.message,
        scores=handle.scores,
        snapshots=list(handle.snapshots),
        versions=handle.ending.get("versions") or versions(),
        ending={
            "elapsed": handle.ending.get("elapsed"),
            "discriminative": handle.discriminative,
            "note": handle.note,
            "flags": list(handle.flags),
            "warm": handle.warm_from is not None and not handle.note,
            "reading": handle.ending.get("reading", {}),
        },
    )


def _outcome_of(run: StoredRun) -> Outcome:
    """Return what is known of an interrupted run, as that of one under way."""
    from experiments.store import Outcome

    details = run.details
    return Outcome(
        "running", "", run.scores, run.snapshots, details.get("versions", {}), details.get("ending", {})
    )


def _joined(before: Content, run: StoredRun, content: Content, outcome: Outcome) -> tuple[Content, Outcome]:
    """Return a resumed run as one: what it had found until it was cut off, and what it found since."""
    at = before.iteration
    earlier = [(number, scores) for number, scores in run.snapshots if number <= at]
    later = [(number + at, scores) for number, scores in outcome.snapshots if number > 0]
    outcome = replace(outcome, snapshots=earlier + later, ending={**outcome.ending, "resumed_at": at})
    curve = before.curve[: at + 1]
    if len(content.curve) > 1 and content.curve.shape[1] == curve.shape[1]:
        rest = content.curve[1:].copy()
        rest[:, 1] += curve[-1, 1]
        curve = np.concatenate([curve, rest])
    arrays, iteration = content.arrays or before.arrays, at + max(0, content.iteration)
    return replace(before, curve=curve, arrays=arrays, iteration=iteration), outcome
