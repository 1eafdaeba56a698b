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
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from experiments.engine.fairness import fair_order
from experiments.engine.handle import ENDED, NOBODY, Handle
from experiments.engine.keeper import Keeper, Reporter
from experiments.engine.memory import give_back
from experiments.engine.run_cache import Rooms, RunCache, RunRefusedError
from experiments.engine.run_folder import make_run_folder
from experiments.engine.supervisor import Supervisor
from experiments.engine.worker_jobs import WorkerJobs
from experiments.engine.worker_pool import WorkerPool
from experiments.engine.worker_process import WorkerProcess
from experiments.requests.request import RunRequest

__all__ = ["ENDED", "NOBODY", "Handle", "Keeper", "RunRefusedError", "Service"]

_MOST_WORKERS = 4
# Paused ones take no processor, but memory.
_MOST_UNDER_WAY = 64
_DROPPED_WITHIN = 5.0
_ACKNOWLEDGED_WITHIN = 0.06
_LAST_WORDS = 5.0
_BEGAN_AGAIN = "This run began again from its start: the process that carried it could not go on."
_STOPPED = {"event": "ended", "status": "stopped", "message": "", "scores": {}}
_CLOSED = {
    "event": "ended", "status": "interrupted", "message": "The app was closed while this ran.", "scores": {},
}  # fmt: skip


class Service:
    """Starts runs in worker processes and keeps a bounded number of them to look at.

    Each worker has `at_once` runs take turns; further ones wait, everybody's in turn. An owner has
    `most_by_owner` runs under way or waiting, and never all places. `rooms` limits
    the runs cached for each owner. A run that nobody has looked at for `forgotten_after` seconds is stopped.
    The `keeper` is notified of every run, to store those that are to outlive the service. The workers also
    carry out `jobs`, if their `program` has any kinds of them.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        at_once: int = 16,
        most_by_owner: int = 16,
        rooms: Rooms | None = None,
        forgotten_after: float = 60.0,
        keeper: Keeper | None = None,
        program: Sequence[str] | None = None,
    ) -> None:
        self._at_once, self._most_by_owner = at_once, most_by_owner
        self._forgotten_after = forgotten_after
        self._folder, self._in_use = make_run_folder()
        self._pool = WorkerPool(
            workers or max(1, min(_MOST_WORKERS, os.cpu_count() or 1)),
            self._folder, self._hear_worker, self._lose, program,
        )  # fmt: skip
        self._runs = RunCache(rooms or Rooms())
        self._waiting: dict[str, dict[str, Any]] = {}
        # The start commands of the runs under way.
        self._begun: dict[str, dict[str, Any]] = {}
        self._report = Reporter(keeper)
        self._lock = threading.RLock()
        self.jobs = WorkerJobs(self._pool, self._lock, self._is_active)
        self._closed = threading.Event()
        self._untidy = False
        self._endings: list[Callable[[], None]] = []
        self._supervisor = Supervisor(
            self._pool, self._lock, self._closed, self._stop_at_once, self._move, self.jobs.balance
        )
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

    def shared(self, request: RunRequest) -> Handle:
        """Return the shared run of this request, which nobody steers; it is started if there is none."""
        with self._lock:
            handle = self.shared_before(request)
            return self._start(request, request.canonical(), shared=True) if handle is None else handle

    def shared_before(self, request: RunRequest) -> Handle | None:
        """Return the shared run of this request, None if it has not been started."""
        with self._lock:
            return self._runs.shared(request.key)

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
            return handle

    def command(
        self, id: str, action: str, *, owner: str | None = None, wait: bool = True, **details: Any
    ) -> Handle | None:
        """Pass on pause, resume, step (`steps`), until (`iteration`), pace or stop.

        With `wait`, waits a moment for the worker to acknowledge it. A command by anybody but the owner
        of a run that has one is ignored.
        """
        handle = self.get(id)
        if handle is not None and not handle.ended and handle.may_steer(owner):
            self._command(handle, action, details, wait)
        return handle

    def drop(self, dataset: str) -> None:
        """Stop and forget the runs on a data set that is withdrawn."""
        with self._lock:
            runs = [handle for handle in self._runs if handle.request.dataset == dataset]
        for handle in runs:
            if not handle.ended:
                self._command(handle, "stop", {}, wait=False)
        for handle in runs:
            # Time for the keeper to store the run.
            handle.persisted.wait(_DROPPED_WITHIN)
            with self._lock:
                self._runs.remove(handle)  # Without the store, its files are removed later.

    def before_closing(self, end: Callable[[], None]) -> None:
        """Register a function that `close` calls first, to end work that depends on runs of the service."""
        self._endings.append(end)

    def close(self) -> None:
        """End all workers and remove everything they wrote."""
        if self._closed.is_set():
            return
        for end in self._endings:
            end()
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
    ) -> Handle:
        if self._closed.is_set():
            raise RuntimeError("This service has been closed: nothing can be started any more.")
        id = secrets.token_urlsafe(12)
        source = None if warm_from is None else str(warm_from)
        handle = Handle(
            id, request, self._folder / id, shared, owner, warm_from=source, held=paused, pace=pace
        )
        command = {"do": "start", "id": id, "request": text, "paused": paused, "pace": pace, "queued": []}
        command["owner"] = sha256(owner.encode()).hexdigest()[:16] if owner else id
        with self._lock:
            self._check_number(owner)
            self._runs.add(handle)
            self._waiting[id] = command | self._warmth(warm_from)
            self._report.began(handle)
            self._admit()
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

    def _warmth(self, warm_from: str | Path | None) -> dict[str, Any]:
        """Return the part of a start command that says where the worker finds the factors to go on from."""
        if warm_from is None:
            return {}
        if isinstance(warm_from, Path):
            return {"warm": {"file": str(warm_from)}}
        if (begins := self._waiting.get(warm_from)) is not None:  # It has no factors of its own yet.
            return {"warm": begins["warm"]} if "warm" in begins else {}
        source = self._runs.get(warm_from)
        if source is None:
            return {"warm": {"file": str(self._folder / "gone")}}
        return {"warm": {"run": source.id, "file": str(source.folder), "request": source.request.as_given()}}

    def _admit(self, leaving: Handle | None = None) -> None:
        """Start the runs whose turn it is, and update the queue positions of the others.

        A run that is just `leaving` still counts for its owner, who thus does not get its place at once.
        """
        while ready := [waiting for waiting in self._in_turn(leaving) if self._room(waiting)]:
            handle = ready[0]
            command = self._waiting.pop(handle.id)
            handle.before, handle.status = 0, "preparing"
            queued = command.pop("queued")
            self._begun[handle.id] = command
            worker = self._pool.take_on(handle.id, after=command.get("warm", {}).get("run"))
            for message in (command, *queued):
                worker.send(message)
        for place, handle in enumerate(self._in_turn()):
            handle.status, handle.before = "waiting", place

    def _in_turn(self, leaving: Handle | None = None) -> list[Handle]:
        running = self._under_way() + ([leaving] if leaving else [])
        return fair_order((self._runs[id] for id in self._waiting), running)

    def _room(self, newcomer: Handle) -> bool:
        """Return whether a run may begin; no owner's runs take all places."""
        under_way, places = self._under_way(), self._at_once * self._pool.size
        busy = [handle for handle in under_way if handle.status != "paused"]
        own = sum(bool(handle.owner) and handle.owner == newcomer.owner for handle in busy)
        share = max(1, places * 3 // 4)
        return len(busy) < places and own < share and len(under_way) < _MOST_UNDER_WAY

    def _check_number(self, owner: str | None) -> None:
        if not owner:
            return
        own = [run for run in self._runs if run.owner == owner and not run.ended]
        if sum(not self._supervisor.is_stopping(run.id) for run in own) >= self._most_by_owner:
            raise RunRefusedError(
                f"{self._most_by_owner} of your runs are under way or wait, as many as one visitor may have. "
                "Stop one, or wait until one has ended."
            )

    @property
    def worker_count(self) -> int:
        """How many workers share the work."""
        return self._pool.size

    def _is_active(self, id: str) -> bool:
        handle = self._runs.get(id)
        return handle is not None and not handle.ended and handle.status != "paused"

    def _under_way(self) -> list[Handle]:
        here = (run for run in self._runs if not run.elsewhere)
        return [run for run in here if not run.ended and run.id not in self._waiting]

    def _command(self, handle: Handle, action: str, details: dict[str, Any], wait: bool) -> None:
        if action == "pace":
            handle.pace = details["pace"]
        elif action in ("pause", "resume", "step", "until"):
            handle.until = details.get("iteration")
        handle.changed.clear()
        with self._lock:
            if (command := self._waiting.get(handle.id)) is not None:
                self._queue_command(handle, command, action, details)
                return
            worker = self._pool.of(handle.id)
            if action == "stop":
                self._supervisor.expect_end(handle.id)
        if worker is not None:
            worker.send({"do": action, "id": handle.id, **details})
            if wait:
                handle.changed.wait(_ACKNOWLEDGED_WITHIN)

    def _queue_command(
        self, handle: Handle, command: dict[str, Any], action: str, details: dict[str, Any]
    ) -> None:
        """Store a command for a waiting run; it is sent as soon as the run begins."""
        if action == "stop":
            del self._waiting[handle.id]
            self._hear(_STOPPED | {"run": handle.id})
        elif action == "pace":
            command["pace"] = handle.pace
        elif action in ("pause", "resume") and not command["queued"]:
            command["paused"] = handle.held = action == "pause"
        else:
            handle.held = action in ("pause", "step")
            command["paused"] = True  # It must not run on before it has the queued commands.
            command["queued"].append({"do": action, "id": handle.id, **details})

    def _hear_worker(self, worker: WorkerProcess, news: dict[str, Any]) -> None:
        if news["run"] in worker.jobs:
            self.jobs.hear(worker, news)
            return
        with self._lock:
            # A run that is not there has been moved, or stopped without waiting for the worker.
            if news["run"] in worker.runs:
                self._hear(news)

    def _stop_at_once(self, id: str) -> None:
        """Mark a run as stopped whose worker has not stopped it in time."""
        self._supervisor.note_end(id)
        self._hear(_STOPPED | {"run": id})

    def _lose(self, worker: WorkerProcess, reason: str) -> None:
        """End the runs that a lost worker was computing; restart its other runs, once."""
        self.jobs.lose(worker, reason)
        with self._lock:
            self._pool.forget(worker)
            for id in sorted(worker.runs):
                handle = self._runs.get(id)
                if handle is None or handle.ended:
                    continue
                if self._supervisor.is_stopping(id):
                    self._stop_at_once(id)
                elif id in worker.busy or handle.restarted:
                    message = f"{reason} Run starts it again."
                    self._hear(_STOPPED | {"run": id, "status": "interrupted", "message": message})
                else:
                    self._move(worker, id)

    def _move(self, worker: WorkerProcess, id: str) -> None:
        """Restart a run in another worker; a paused run is computed up to its last iteration."""
        handle = self._runs[id]
        if handle.restarted or self._closed.is_set():
            return
        worker.runs.discard(id)
        worker.send({"do": "drop", "id": id})
        iteration, old_folder = handle.version[0] - 1, handle.folder
        folder_name = f"{id}-{secrets.token_hex(4)}"
        handle.begin_again(self._folder / folder_name, _BEGAN_AGAIN)
        shutil.rmtree(old_folder, ignore_errors=True)
        until = max(0, iteration) if handle.held else handle.until
        queued = [] if until is None else [{"do": "until", "id": id, "iteration": until}]
        restart = {"folder": folder_name, "paused": bool(queued), "pace": handle.pace, "queued": queued}
        self._waiting[id] = self._begun[id] | restart
        self._admit()

    def _hear(self, news: dict[str, Any]) -> None:
        with self._lock:
            handle = self._runs.get(news["run"])
            if self._closed.is_set() or handle is None or handle.status in ENDED:
                return
            handle.hear(news)
            if news["event"] == "snapshot":
                self._report.kept(handle)
            if handle.ended:
                self._pool.let_go(handle.id)
                self._supervisor.note_end(handle.id)
                self._begun.pop(handle.id, None)
                self._report.ended(handle)
                self._untidy = True
            if handle.ended or handle.status == "paused":
                self._admit(leaving=handle if handle.ended else None)

    def _look_away(self, handle: Handle) -> None:
        """Forget a run that another server carries; it goes on there."""
        with self._lock:
            handle.persisted.set()
            self._runs.remove(handle)

    def _reap(self) -> None:
        """Stop runs that nobody has looked at for a while; their results stay on the disk."""
        while not self._closed.wait(self._forgotten_after / 12):
            now = monotonic()
            runs = self.runs
            for handle in runs:
                if now - handle.seen_at <= self._forgotten_after:
                    continue
                if handle.elsewhere:
                    self._look_away(handle)
                elif not handle.ended:
                    self._command(handle, "stop", {}, wait=False)
                elif handle.reader is not None:
                    handle.reader.rest()
            if self._untidy and all(handle.ended for handle in runs):
                self._untidy = False
                give_back()
