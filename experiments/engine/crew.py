"""The worker processes of a service: as many as it needs, up to a number; the dead are replaced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets.private_folder import open_folder
from experiments.engine.worker_process import WorkerProcess


class Crew:
    """Workers and who carries out which run. Not for several threads at once."""

    def __init__(self, size: int, folder: Path, hear: Callable[[dict[str, Any]], None]) -> None:
        self.size, self._folder, self._hear = size, folder, hear
        self._workers: list[WorkerProcess] = []

    def fill(self, count: int) -> list[WorkerProcess]:
        """Hire until there are so many; return the new ones."""
        return [self._hire() for _ in range(len(self._workers), count)]

    def take_on(self, run: str, after: str | None = None) -> WorkerProcess:
        """Return who is to carry out a run: who has at hand what it goes on from, or else the least busy."""
        self._workers = [worker for worker in self._workers if worker.alive]
        chosen = self.of(after)
        if chosen is None:
            full = len(self._workers) >= self.size or not all(worker.runs for worker in self._workers)
            chosen = min(self._workers, key=lambda worker: len(worker.runs)) if full else self._hire()
        chosen.runs.add(run)
        return chosen

    def of(self, run: str | None) -> WorkerProcess | None:
        """Return who carries out a run, if anybody does."""
        return next((worker for worker in self._workers if run in worker.runs), None)

    def let_go(self, run: str) -> None:
        """Note that a run has ended."""
        for worker in self._workers:
            worker.runs.discard(run)

    @property
    def pids(self) -> list[int]:
        """The process numbers."""
        return [worker.pid for worker in self._workers]

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.runs.clear()
            worker.close()

    def _hire(self) -> WorkerProcess:
        open_folder()  # A worker learns from its environment where uploads are.
        self._workers.append(WorkerProcess(self._folder, self._hear))
        return self._workers[-1]
