"""Supervises the workers of a service: ends those that ignore a stop or hang, shares usage by owner."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from time import monotonic

from experiments.engine.worker_pool import WorkerPool
from experiments.engine.worker_process import WorkerProcess

_LOOK_EVERY = 0.1
# A Stop that the worker has not obeyed by then is carried out without it.
_STOPPED_WITHIN = 0.8
# So long may a worker go on with what has been stopped before it is ended.
_GRACE = 6.0
# One that has stopped for a debugger or a signal, and one that does nothing at all.
_FROZEN_FOR, _SILENT_FOR = 2.0, 8.0
# One that computes without ever letting Python go: its other runs go on elsewhere.
_DEAF_FOR = 3.0
_SHARE_EVERY = 5
_STOOD_STILL = "The process that carried this run stood still and was replaced."
_WENT_ON = "The process that carried this run had to be ended."


class Supervisor:
    """A thread that looks at the workers ten times a second.

    `stop` is called with a run that its worker does not end in time, `move` with runs that are to begin again
    in another worker, `balance` now and then, to move jobs. The lock is the service's.
    """

    def __init__(
        self,
        pool: WorkerPool,
        lock: threading.RLock,
        closed: threading.Event,
        stop: Callable[[str], None],
        move: Callable[[WorkerProcess, str], None],
        balance: Callable[[], None],
    ) -> None:
        self._pool, self._lock, self._closed = pool, lock, closed
        self._stop, self._move, self._balance = stop, move, balance
        self._stopping: dict[str, float] = {}
        self._stopped: dict[str, tuple[WorkerProcess, float]] = {}
        threading.Thread(target=self._watch, daemon=True, name="supervisor").start()

    def expect_end(self, run: str) -> None:
        """Note that a stop command was sent to a run."""
        self._stopping.setdefault(run, monotonic() + _STOPPED_WITHIN)

    def note_end(self, run: str) -> None:
        """Note that a run has ended."""
        self._stopping.pop(run, None)

    @property
    def stopping(self) -> set[str]:
        """The runs that were sent a stop command and have not ended yet."""
        return set(self._stopping)

    def _watch(self) -> None:
        last_look, round_ = monotonic(), 0
        while not self._closed.wait(_LOOK_EVERY):
            now, round_ = monotonic(), round_ + 1
            with self._lock:
                if now - last_look > _FROZEN_FOR / 2:
                    for worker in self._pool.workers:
                        worker.beat_at = now  # This machine or process was asleep itself.
                self._end_what_was_stopped(now)
                for worker in self._pool.workers:
                    self._look_at(worker, now)
                self._balance()
                if round_ % _SHARE_EVERY == 0:
                    self._share()
            last_look = now

    def _end_what_was_stopped(self, now: float) -> None:
        for run, deadline in list(self._stopping.items()):
            if now > deadline:
                worker = self._pool.of(run)
                self._stop(run)
                if worker is not None:
                    self._stopped[run] = worker, now + _GRACE
        for run, (worker, deadline) in list(self._stopped.items()):
            heard = worker.beat_at > deadline - _GRACE
            # One that is still being started finds the stop behind the start.
            if not worker.ready or (heard and run not in worker.busy):
                del self._stopped[run]
            elif now > deadline:
                del self._stopped[run]
                worker.kill(_WENT_ON)

    def _look_at(self, worker: WorkerProcess, now: float) -> None:
        if worker.stands_still(_FROZEN_FOR, _SILENT_FOR):
            worker.kill(_STOOD_STILL)
        elif now - worker.beat_at > _DEAF_FOR and worker.busy:
            worker.late = True
            for run in worker.runs - set(worker.busy):
                self._move(worker, run)

    def _share(self) -> None:
        """Tell each worker what owners have used in the others."""
        workers = self._pool.workers
        spent = {worker: worker.take_spent() for worker in workers}
        together: Counter[str] = sum(spent.values(), Counter())
        for worker in workers:
            elsewhere = together - spent[worker]
            if elsewhere and worker.runs:
                worker.send({"do": "used", "spent": dict(elsewhere)})
