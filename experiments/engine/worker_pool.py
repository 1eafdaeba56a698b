"""The worker processes of a service: started as needed up to a limit, replaced when they end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from datasets.private_folder import open_folder
from experiments.engine.worker_process import WorkerProcess

# So many more are hired while all others are busy with turns that take too long.
_SPARES = 2
# A worker with runs is given a job when the others have so many more.
_BURDEN = 2


class WorkerPool:
    """Workers and the runs they carry out. Not thread-safe.

    One more is hired for jobs of which a single step takes seconds: beside runs in one process such a step
    would hold up Python for them, however little of the processor it is given.
    """

    def __init__(
        self,
        size: int,
        folder: Path,
        hear: Callable[[WorkerProcess, dict[str, Any]], None],
        lose: Callable[[WorkerProcess, str], None],
        program: Sequence[str] | None = None,
    ) -> None:
        self.size, self._folder, self._hear, self._lose = size, folder, hear, lose
        self._program = program
        self._workers: list[WorkerProcess] = []

    def fill(self, count: int) -> list[WorkerProcess]:
        """Start workers until there are `count`; return the new ones."""
        return [self._hire() for _ in range(len(self._shared), count)]

    def take_on(self, run: str, after: str | None = None) -> WorkerProcess:
        """Return the worker for a run: the one that has the run it goes on from, or else the least busy.

        Workers with a turn that takes too long are avoided if there are others.
        """
        self._workers = [worker for worker in self._workers if worker.alive]
        chosen = self.of(after)
        if chosen is None or chosen.late:
            chosen = self._least_busy()
        chosen.runs.add(run)
        return chosen

    def of(self, run: str | None) -> WorkerProcess | None:
        """Return the worker that carries out a run, None if there is none."""
        return next((worker for worker in self._workers if run in worker.runs), None)

    def let_go(self, run: str) -> None:
        """Note that a run has ended, and retire idle spare workers."""
        for worker in self._workers:
            worker.runs.discard(run)
        self._retire()

    def take_on_job(self, job: str, *, apart: bool = False) -> WorkerProcess:
        """Return the worker for a job: the one with fewest, those without runs first, or the one `apart`."""
        self._workers = [worker for worker in self._workers if worker.alive]
        chosen = self._apart() if apart else self._least_burdened()
        chosen.jobs.add(job)
        return chosen

    def of_job(self, job: str) -> WorkerProcess | None:
        """Return the worker that has a job, None if there is none."""
        return next((worker for worker in self._workers if job in worker.jobs), None)

    def let_go_job(self, job: str) -> None:
        """Note that a job has ended, and retire idle spare workers."""
        for worker in self._workers:
            worker.jobs.discard(job)
        self._retire()

    def _retire(self) -> None:
        shared = self._shared
        idle = [worker for worker in shared if not (worker.runs or worker.jobs or worker.late)]
        for worker in idle[: max(0, len(shared) - self.size)]:
            self._workers.remove(worker)
            worker.retire()

    def forget(self, worker: WorkerProcess) -> None:
        """Note that a worker has gone."""
        if worker in self._workers:
            self._workers.remove(worker)

    @property
    def workers(self) -> list[WorkerProcess]:
        """The current workers."""
        return list(self._workers)

    @property
    def pids(self) -> list[int]:
        """The process numbers."""
        return [worker.pid for worker in self._workers]

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.runs.clear()
            worker.jobs.clear()
            worker.close()

    @property
    def _shared(self) -> list[WorkerProcess]:
        """The workers that have runs, and jobs beside them."""
        return [worker for worker in self._workers if not worker.apart]

    def _least_busy(self) -> WorkerProcess:
        shared = self._shared
        free = [worker for worker in shared if not worker.late]
        most = self.size if free else self.size + _SPARES
        if len(shared) < most and all(worker.runs for worker in free):
            return self._hire()
        return min(free or shared, key=lambda worker: len(worker.runs))

    def _least_burdened(self) -> WorkerProcess:
        shared = self._shared
        if len(shared) < self.size and all(worker.jobs or worker.runs for worker in shared):
            return self._hire()
        return min(shared, key=lambda worker: len(worker.jobs) + _BURDEN * bool(worker.runs))

    def _apart(self) -> WorkerProcess:
        return next((worker for worker in self._workers if worker.apart), None) or self._hire(apart=True)

    def _hire(self, *, apart: bool = False) -> WorkerProcess:
        open_folder()  # A worker learns from its environment where uploads are.
        worker = WorkerProcess(self._folder, self._hear, self._lose, self._program, apart=apart)
        self._workers.append(worker)
        return worker
