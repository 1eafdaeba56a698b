"""Who fills in the tables behind the pages: the workers of the app, or a cluster."""

from __future__ import annotations

import os
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING

from datasets.uploads import is_from_file
from experiments.engine.worker_jobs import WorkerLostError
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.trials.carriers.carrier import Carrier, Loss
from experiments.trials.carriers.choice import CLUSTER, chosen
from experiments.trials.trial import Chain

if TYPE_CHECKING:
    from experiments.engine.service import Service


def for_visitors(service: Service) -> Carrier:
    """Return who fills in tables; whoever watches a run of the service comes first on this machine."""
    here = AppWorkers(service)
    return UploadsHere(chosen(), here) if os.environ.get(CLUSTER) else here


class UploadsHere(Carrier):
    """A cluster for data that can be had anywhere; what was read from a file stays on this machine."""

    def __init__(self, cluster: Carrier, here: Carrier) -> None:
        self._cluster, self._here = cluster, here
        self.name, self.width = cluster.name, cluster.width

    def open(self) -> Executor:
        """Return both as one."""
        both = _Both(self._cluster.open(), self._here.open())
        self.width = self._cluster.width
        return both

    def submit(self, executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        """Hand work to whoever it is for."""
        assert isinstance(executor, _Both)
        if any(is_from_file(trial.request.dataset) for trial in Chain.from_json(text).trials):
            return self._here.submit(executor.here, text, owner, unattended)
        return self._cluster.submit(executor.cluster, text, owner, unattended)

    def loss(self, error: BaseException) -> Loss:
        """Tell a worker of this app from one of the cluster."""
        return (self._here if isinstance(error, WorkerLostError) else self._cluster).loss(error)

    def close(self, executor: Executor) -> None:
        """End both."""
        assert isinstance(executor, _Both)
        self._cluster.close(executor.cluster)
        self._here.close(executor.here)


class _Both(Executor):
    def __init__(self, cluster: Executor, here: Executor) -> None:
        self.cluster, self.here = cluster, here
