"""The server's side of jobs: gives them to workers, takes in their answers, moves those that get no turn."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from hashlib import sha256
from itertools import count
from typing import Any

from experiments.engine.turns import ATTENDED
from experiments.engine.worker_pool import WorkerPool
from experiments.engine.worker_process import WorkerProcess

_CLOSED = "The workers have been closed."


class WorkerLostError(RuntimeError):
    """The worker of a job has ended. One that had `begun` may be to blame."""

    def __init__(self, message: str, *, begun: bool = False) -> None:
        super().__init__(message)
        self.begun = begun


class JobError(RuntimeError):
    """The job ended with an error that it did not expect."""


class WorkerJobs:
    """The jobs that the workers of a pool have; each is a future of its answer, which may be cancelled.

    A job is carried out when no watched run of its worker is due, owners in turn. `is_active` tells whether a
    run is under way and not paused. The lock is the service's.
    """

    def __init__(self, pool: WorkerPool, lock: threading.RLock, is_active: Callable[[str], bool]) -> None:
        self._pool, self._lock, self._is_active = pool, lock, is_active
        self._futures: dict[str, Future[str]] = {}
        self._commands: dict[str, dict[str, Any]] = {}
        self._begun: set[str] = set()
        self._numbers = count()
        self._closed = False

    def submit(
        self, kind: str, text: str, *, owner: str = "", priority: int = ATTENDED, apart: bool = False
    ) -> Future[str]:
        """Give a job to the worker that has least to do, or to one that has no runs and is kept `apart`."""
        id, future = f"job {next(self._numbers)}", Future[str]()
        command = {"do": "job", "id": id, "kind": kind, "text": text, "priority": priority}
        command["owner"] = sha256(owner.encode()).hexdigest()[:16] if owner else id
        with self._lock:
            if self._closed:
                raise WorkerLostError(_CLOSED)
            self._futures[id], self._commands[id] = future, command
            self._pool.take_on_job(id, apart=apart).send(command)
        future.add_done_callback(lambda done: self._drop(id) if done.cancelled() else None)
        return future

    def hear(self, worker: WorkerProcess, news: dict[str, Any]) -> None:
        """Take in the news of a job."""
        with self._lock:
            if news["run"] not in worker.jobs:
                return  # It was moved or dropped meanwhile.
            if news["event"] == "job begun":
                self._begun.add(news["run"])
                return
            future = self._forget(news["run"])
        if future is not None and future.set_running_or_notify_cancel():
            if news["problem"]:
                future.set_exception(JobError(news["problem"]))
            else:
                future.set_result(news["text"])

    def lose(self, worker: WorkerProcess, reason: str) -> None:
        """Take note that a worker has ended with all its jobs."""
        with self._lock:
            lost = [(id in self._begun, self._forget(id)) for id in sorted(worker.jobs)]
        for begun, future in lost:
            _fail(future, WorkerLostError(reason, begun=begun))

    def balance(self) -> None:
        """Move one job from a worker that has no time for it to one that has nothing to do."""
        with self._lock:
            workers = [worker for worker in self._pool.workers if not worker.apart]
            idle = [worker for worker in workers if not worker.jobs and not self._active(worker)]
            burdened = [worker for worker in workers if len(worker.jobs) > (0 if self._active(worker) else 1)]
            if idle and burdened:
                source = max(burdened, key=lambda worker: len(worker.jobs))
                id = max(source.jobs, key=lambda id: int(id.rpartition(" ")[2]))
                source.jobs.discard(id)
                source.send({"do": "drop", "id": id})
                self._begun.discard(id)
                idle[0].jobs.add(id)
                idle[0].send(self._commands[id])

    def close(self) -> None:
        """Tell whoever waits that no answer will come."""
        with self._lock:
            self._closed = True
            futures = [self._forget(id) for id in list(self._futures)]
        for future in futures:
            _fail(future, WorkerLostError(_CLOSED))

    def _active(self, worker: WorkerProcess) -> bool:
        return any(self._is_active(run) for run in worker.runs)

    def _drop(self, id: str) -> None:
        with self._lock:
            worker = self._pool.of_job(id)
            if worker is not None:
                worker.send({"do": "drop", "id": id})
            self._forget(id)

    def _forget(self, id: str) -> Future[str] | None:
        self._pool.let_go_job(id)
        self._commands.pop(id, None)
        self._begun.discard(id)
        return self._futures.pop(id, None)


def _fail(future: Future[str] | None, error: WorkerLostError) -> None:
    if future is not None and future.set_running_or_notify_cancel():
        future.set_exception(error)
