"""The server's side of runs: the queue, the workers, the runs in memory, and the end of abandoned runs.

One `Service` serves a whole process. A run has an unguessable id, which is enough to watch
it; only its owner may steer it. Runs live in worker processes; no call of this class waits for a step to end.
"""

from __future__ import annotations

import atexit
import os
import secrets
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any

from datasets.environment import whole_number
from experiments.engine.dispatcher import Dispatcher
from experiments.engine.handle import ENDED, NOBODY, Handle
from experiments.engine.keeper import Keeper, Reporter
from experiments.engine.memory import give_back
from experiments.engine.run_cache import Rooms, RunCache, RunRefusedError
from experiments.engine.run_folder import make_run_folder
from experiments.requests.memory import allowed_bytes
from experiments.requests.request import RunRequest

__all__ = ["ENDED", "NOBODY", "Handle", "Keeper", "RunRefusedError", "Service"]

UNWATCHED = "PARTWISE_UNWATCHED_SECONDS"
_UNWATCHED_SECONDS = 60
# Pages ask every second or two. What nobody has looked at for so long leaves the processor to others, and
# after so long its place in memory if somebody waits for one.
_UNSEEN_SECONDS, _CROWDED_SECONDS = 5.0, 15.0
_LOOK_EVERY, _ASLEEP = 1.0, 2.0
_MOST_WORKERS = 4
_DROPPED_WITHIN = 5.0
_LAST_WORDS = 5.0
_CLOSED = {
    "event": "ended", "status": "interrupted", "message": "The app was closed while this ran.", "scores": {},
}  # fmt: skip


class Service:
    """Starts runs in worker processes and keeps a bounded number of them to look at.

    Each worker has `at_once` runs take turns; further ones wait, everybody's in turn. An owner has
    `most_by_owner` runs under way or waiting, and never all places. `address` says where whoever asks comes
    from (empty: that says nothing), so that nobody has more by taking many names. `rooms` limits the runs
    cached for each owner. A run that nobody has looked at for `forgotten_after` seconds (or as many as
    `PARTWISE_UNWATCHED_SECONDS` says) is stopped; others go before it after a few seconds already. The
    `keeper` is notified of every run, to store those that are to outlive the service. The workers also
    carry out `jobs`, if their `program` has any kinds of them.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        at_once: int = 32,
        most_by_owner: int = 16,
        rooms: Rooms | None = None,
        forgotten_after: float | None = None,
        keeper: Keeper | None = None,
        address: Callable[[], str] = str,
        program: Sequence[str] | None = None,
    ) -> None:
        allowed_bytes()  # Nonsense in the environment is refused here, and not by one worker after another.
        self._forgotten_after = forgotten_after or whole_number(UNWATCHED, _UNWATCHED_SECONDS)
        self._folder, self._in_use = make_run_folder()
        self._address = address
        self._runs = RunCache(rooms or Rooms())
        self._report = Reporter(keeper)
        self._lock = threading.RLock()
        self._closed = threading.Event()
        self._dispatcher = Dispatcher(
            self._runs, self._report, self._lock, self._closed, self._folder,
            workers=workers or max(1, min(_MOST_WORKERS, os.cpu_count() or 1)),
            at_once=at_once, most_by_owner=most_by_owner, program=program,
        )  # fmt: skip
        self._pool, self.jobs = self._dispatcher.pool, self._dispatcher.jobs
        atexit.register(self.close)
        threading.Thread(target=self._reap, daemon=True, name="run-reaper").start()

    def warm_up(self, dataset: str, method: str, workers: int | None = None) -> None:
        """Start workers (by default all) and let them load what a run needs.

        Workers that already run have done so.
        """
        with self._lock:
            for worker in self._pool.fill(workers or self._pool.size):
                worker.send({"do": "warm", "dataset": dataset, "method": method})

    def submit(
        self,
        request: RunRequest,
        *,
        paused: bool = False,
        pace: float | None = None,
        validated: bool = False,
        warm_from: str | Path | None = None,
        owner: str | None = None,
    ) -> Handle:
        """Start a private run. An invalid request raises a ValueError at once.

        A `validated` request is not checked here but by the worker, which has its method loaded.
        With `warm_from` the run goes on from the factors of another run, or from a file of them; where they
        do not fit it starts afresh and its `note` says so. Only calls with the same `owner` can steer it.
        """
        text = request.as_given() if validated else request.canonical()
        return self._start(request, text, paused=paused, pace=pace, warm_from=warm_from, owner=owner)

    def preview(self, request: RunRequest, *, of: str, turn: int, owner: str | None = None) -> Handle:
        """Start a fit that goes on from a run and whose parameters can then be changed by "turn".

        It counts as one of the owner's runs and nothing of it is kept. As long as it is there, the run
        waits, and one that is to go on from that run goes on from this fit; a shared run is not touched by
        it. It ends when it is told to stop.
        """
        source = self.at_hand(of)
        waits = "" if source is not None and source.shared else of
        how = {"preview": True, "turn": turn, "instead_of": waits}
        return self._start(request, request.canonical(), warm_from=of, owner=owner, preview_of=of, how=how)

    def shared(self, request: RunRequest) -> Handle:
        """Return the shared run of this request, which nobody steers; it is started if there is none."""
        with self._lock:
            handle = self.shared_before(request)
            return self._start(request, request.canonical(), shared=True) if handle is None else handle

    def shared_before(self, request: RunRequest) -> Handle | None:
        """Return the shared run of this request, None if it has not been started."""
        with self._lock:
            return self._runs.shared(request.key, self._dispatcher.stopping)

    def get(self, id: str | None) -> Handle | None:
        """Return the run with this id, restored by the keeper if it is no longer cached."""
        handle = self.at_hand(id)
        return self._recalled(id) if handle is None and id else handle

    def at_hand(self, id: str | None) -> Handle | None:
        """Return the cached run with this id, without a query to the keeper, which may be slow."""
        with self._lock:
            handle = self._runs.get(id)
            if handle is not None:
                handle.touch()
                if handle.unseen:
                    self._dispatcher.attend(handle, unseen=False)
            return handle

    def command(
        self, id: str, action: str, *, owner: str | None = None, wait: bool = True, **details: Any
    ) -> Handle | None:
        """Pass on pause, resume, step (`steps`), until (`iteration`), pace or stop.

        To a preview also turn, with the next `request` and its number. With `wait`, waits a moment for the
        worker to acknowledge it. A command by anybody but the owner of a run that has one is ignored.
        """
        handle = self.get(id)
        if handle is not None and not handle.ended and handle.may_steer(owner):
            self._dispatcher.command(handle, action, details, wait)
        return handle

    def drop(self, dataset: str) -> None:
        """Stop and forget the runs on a data set that is withdrawn."""
        with self._lock:
            runs = [handle for handle in self._runs if handle.request.dataset == dataset]
        for handle in runs:
            if not handle.ended:
                self._dispatcher.command(handle, "stop", {}, wait=False)
        for handle in runs:
            # Time for the keeper to store the run.
            handle.persisted.wait(_DROPPED_WITHIN)
            with self._lock:
                self._runs.remove(handle)  # Without the store, its files are removed later.

    def close(self) -> None:
        """End all workers and remove everything they wrote."""
        if self._closed.is_set():
            return
        self._closed.set()
        atexit.unregister(self.close)
        with self._lock:
            for handle in self._runs:
                if not handle.ended and not handle.elsewhere:
                    handle.hear(_CLOSED)
                    self._report.ended(handle)
        self._report.close(_LAST_WORDS)
        self.jobs.close()
        with self._lock:
            self._pool.close()
            shutil.rmtree(self._folder, ignore_errors=True)
            self._in_use.close()

    @property
    def runs(self) -> list[Handle]:
        """The cached runs, the newest last."""
        with self._lock:
            return list(self._runs)

    @property
    def worker_count(self) -> int:
        """How many workers share the work."""
        return self._pool.size

    @property
    def worker_pids(self) -> list[int]:
        """The process numbers of the workers."""
        with self._lock:
            return self._pool.pids

    def _start(
        self,
        request: RunRequest,
        text: str,
        *,
        paused: bool = False,
        pace: float | None = None,
        shared: bool = False,
        warm_from: str | Path | None = None,
        owner: str | None = None,
        preview_of: str | None = None,
        how: Mapping[str, Any] = MappingProxyType({}),
    ) -> Handle:
        if self._closed.is_set():
            raise RuntimeError("This service has been closed: nothing can be started any more.")
        id = secrets.token_urlsafe(12)
        source = None if warm_from is None else str(warm_from)
        handle = Handle(
            id, request, self._folder / id, shared, owner, self._address(), warm_from=source, held=paused,
            pace=pace, preview_of=preview_of,
        )  # fmt: skip
        command = {"do": "start", "id": id, "request": text, "paused": paused, "pace": pace, **how}
        command["owner"] = sha256(owner.encode()).hexdigest()[:16] if owner else id
        self._dispatcher.start(handle, command, warm_from)
        return handle

    def _recalled(self, id: str) -> Handle | None:
        # Not under the lock, since a database may be slow; two simultaneous calls must not share files.
        recalled = self._report.recall(id, self._folder / f"{id}-{secrets.token_hex(4)}")
        if recalled is None:
            return None
        with self._lock:
            handle = self._runs.add(recalled)
        if handle is not recalled:
            shutil.rmtree(recalled.folder, ignore_errors=True)
        return handle

    def _look_away(self, handle: Handle) -> None:
        """Forget a run that another server carries; it goes on there."""
        with self._lock:
            handle.persisted.set()
            self._runs.remove(handle)

    def _reap(self) -> None:
        """Stop runs that nobody has looked at for a while; their results stay on the disk."""
        last, pause, waste = monotonic(), min(_LOOK_EVERY, self._forgotten_after / 12), False
        while not self._closed.wait(pause):
            now, runs, patience = monotonic(), self.runs, self._forgotten_after
            if (asleep := now - last - pause) > _ASLEEP:
                for handle in runs:
                    handle.seen_at += asleep  # This machine stood still, and nobody has gone.
            last = now
            with self._lock:
                if self._dispatcher.queue.crowded:
                    patience = min(patience, _CROWDED_SECONDS)
            for handle in runs:
                unseen = now - handle.seen_at > _UNSEEN_SECONDS
                if unseen != handle.unseen and not handle.ended and not handle.elsewhere:
                    self._dispatcher.attend(handle, unseen)
                if now - handle.seen_at <= patience:
                    continue
                if handle.elsewhere:
                    self._look_away(handle)
                elif not handle.ended:
                    self._dispatcher.command(handle, "stop", {}, wait=False)
                elif handle.reader is not None:
                    handle.reader.rest()
            if all(handle.ended for handle in runs):
                if waste and not self._dispatcher.untidy:
                    give_back()  # It takes a moment, and nobody has come for a while.
                waste, self._dispatcher.untidy = self._dispatcher.untidy, False
