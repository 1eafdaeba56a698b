"""Has runs carried out: gives them to workers in turn, passes on commands, takes in what workers tell."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.engine.handle import ENDED, Handle
from experiments.engine.keeper import Reporter
from experiments.engine.run_cache import RunCache
from experiments.engine.run_queue import RunQueue
from experiments.engine.supervisor import Supervisor
from experiments.engine.worker_jobs import WorkerJobs
from experiments.engine.worker_pool import WorkerPool
from experiments.engine.worker_process import WorkerProcess

_ACKNOWLEDGED_WITHIN = 0.06
_BEGAN_AGAIN = "This run began again from its start: the process that carried it could not go on."
_STOPPED = {"event": "ended", "status": "stopped", "message": "", "scores": {}}


class Dispatcher:
    """The workers of a service and the runs that they have or will get; no call waits for a step to end.

    The lock is the service's, `closed` says that it takes in nothing any more. `untidy` is set when a run has
    ended. Notifies the keeper by `report` of what becomes of runs.
    """

    def __init__(
        self,
        runs: RunCache,
        report: Reporter,
        lock: threading.RLock,
        closed: threading.Event,
        folder: Path,
        *,
        workers: int,
        at_once: int,
        most_by_owner: int,
        program: Sequence[str] | None,
    ) -> None:
        self._runs, self._report, self._lock, self._closed = runs, report, lock, closed
        self._folder = folder
        self.untidy = False
        self.pool = WorkerPool(workers, folder, self._hear_worker, self._lose, program)
        self.jobs = WorkerJobs(self.pool, lock, self._is_active)
        self._supervisor = Supervisor(
            self.pool, lock, closed, self._stop_at_once, self._move, self.jobs.balance
        )
        self.queue = RunQueue(
            runs, self.pool, folder, lambda: self._supervisor.stopping,
            at_once=at_once, most_by_owner=most_by_owner,
        )  # fmt: skip

    @property
    def stopping(self) -> set[str]:
        """The runs that were sent a stop command and have not ended yet."""
        return self._supervisor.stopping

    def start(self, handle: Handle, command: dict[str, Any], warm_from: str | Path | None) -> None:
        """Cache a run and queue its start command; a RunRefusedError says why not."""
        with self._lock:
            self.queue.check_number(handle.owner, handle.address)
            self._runs.add(handle)
            self._report.began(handle)
            self.queue.add(command, warm_from)

    def command(self, handle: Handle, action: str, details: dict[str, Any], wait: bool) -> None:
        """Pass a command on, or keep it for a run that waits; with `wait`, until the worker has answered."""
        if action == "pace":
            handle.pace = details["pace"]
        elif action in ("pause", "resume", "step", "until"):
            handle.until = details.get("iteration")
        handle.changed.clear()
        with self._lock:
            if self.queue.waits(handle.id):
                if action == "stop":
                    self.queue.forget(handle.id)
                    self._hear(_STOPPED | {"run": handle.id})
                else:
                    self.queue.hold_for(handle, action, details)
                return
            worker = self.pool.of(handle.id)
            if action == "stop":
                self._supervisor.expect_end(handle.id)
                self.queue.admit()
        if worker is not None:
            worker.send({"do": action, "id": handle.id, **details})
            if wait:
                handle.changed.wait(_ACKNOWLEDGED_WITHIN)

    def attend(self, handle: Handle, unseen: bool) -> None:
        """Note whether somebody looks at a run, and tell its worker."""
        with self._lock:
            handle.unseen = unseen
            if (worker := self.pool.of(handle.id)) is not None:
                worker.send({"do": "unseen" if unseen else "seen", "id": handle.id})
            if unseen:
                self.queue.admit()

    def _is_active(self, id: str) -> bool:
        handle = self._runs.get(id)
        return handle is not None and not handle.ended and handle.status != "paused"

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
            self.pool.forget(worker)
            for id in sorted(worker.runs):
                handle = self._runs.get(id)
                if handle is None or handle.ended:
                    continue
                # The turn in which a run is paused may last a little longer than it takes to say so.
                computed = id in worker.busy and handle.status != "paused"
                if id not in self._supervisor.stopping and (computed or handle.restarted):
                    message = f"{reason} Run starts it again."
                    self._hear(_STOPPED | {"run": id, "status": "interrupted", "message": message})
                else:
                    self._move(worker, id)

    def _move(self, worker: WorkerProcess, id: str) -> None:
        """Restart a run in another worker; a paused run is computed up to its last iteration.

        One that is to end ends here.
        """
        handle = self._runs[id]
        if id in self._supervisor.stopping:
            self._stop_at_once(id)  # Another worker would not know that it is to end.
            return
        if handle.restarted or self._closed.is_set():
            return
        worker.runs.discard(id)
        worker.send({"do": "drop", "id": id})
        old_folder = handle.folder
        handle.begin_again(self._folder / f"{id}-{secrets.token_hex(4)}", _BEGAN_AGAIN)
        shutil.rmtree(old_folder, ignore_errors=True)
        self.queue.put_back(handle)

    def _hear(self, news: dict[str, Any]) -> None:
        with self._lock:
            handle = self._runs.get(news["run"])
            if self._closed.is_set() or handle is None or handle.status in ENDED:
                return
            handle.hear(news)
            if news["event"] == "snapshot":
                self._report.progressed(handle)
            if handle.ended:
                self.pool.let_go(handle.id)
                self._supervisor.note_end(handle.id)
                self.queue.forget(handle.id)
                self._report.ended(handle)
                if handle.preview_of is not None:
                    self._runs.remove(handle)
                self.untidy = True
            if handle.ended or handle.status == "paused":
                self.queue.admit(leaving=handle if handle.ended else None)
