"""The workers of the app, which carry out trials when no run that somebody watches is due."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING

from experiments.engine.turns import ATTENDED, UNATTENDED
from experiments.engine.worker_jobs import WorkerLostError
from experiments.trials.carriers.carrier import Carrier, CarrierError, Loss
from experiments.trials.job_kinds import CHAIN

if TYPE_CHECKING:
    from experiments.engine.service import Service

# One in hand and one ahead for each worker, so that none waits; and so many owners at a time.
_AHEAD, _OWNERS = 2, 4


class AppWorkers(Carrier):
    """The workers of a service, whose program is that of `experiments.trials.worker`."""

    name = "the workers of this app"

    def __init__(self, service: Service) -> None:
        self._service = service
        self.width = _OWNERS * _AHEAD * service.worker_count

    @property
    def most_by_owner(self) -> int:
        """How many pieces of work it is given at a time for one owner."""
        return _AHEAD * self._service.worker_count

    def open(self) -> Executor:
        """Return who keeps the pieces of work together that were begun."""
        return _Begun()

    def submit(self, executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        """Give a chain to a worker."""
        priority = UNATTENDED if unattended else ATTENDED
        future = self._service.jobs.submit(CHAIN, text, owner=owner, priority=priority)
        assert isinstance(executor, _Begun)
        executor.add(future)
        return future

    def loss(self, error: BaseException) -> Loss:
        """A worker that ends takes along what it was given; what it had begun is tried again alone."""
        if isinstance(error, WorkerLostError):
            return "this one" if error.begun else "not begun"
        raise CarrierError(f"A worker could not go on ({error}).") from error

    def close(self, executor: Executor) -> None:
        """Take back what is under way."""
        executor.shutdown(cancel_futures=True)


class _Begun(Executor):
    """Jobs that were begun; those that are not finished can be taken back."""

    def __init__(self) -> None:
        self._futures: set[Future[str]] = set()

    def add(self, future: Future[str]) -> None:
        """Remember a job until it ends."""
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take back what has not ended."""
        for future in list(self._futures):
            future.cancel()
