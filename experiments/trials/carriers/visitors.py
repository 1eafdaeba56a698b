"""Who fills in the tables behind the pages: processes with what the machine has left over, or a cluster."""

from __future__ import annotations

import os
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

from datasets.uploads import is_upload
from experiments.trials.carriers.carrier import Carrier, Loss
from experiments.trials.carriers.choice import CLUSTER, chosen
from experiments.trials.carriers.processes import Processes
from experiments.trials.trial import Chain

_MOST = 4
# A little beyond that of the processes that carry out runs somebody watches (10): the system gives turns of
# milliseconds by it, also to what cannot be broken off, such as one clustering. Much more would starve them.
_COURTESY = 13


def for_visitors() -> Carrier:
    """Return who fills in tables; whoever watches a run or waits for a page comes first on this machine."""
    here = Processes(min(_MOST, os.cpu_count() or 1), courtesy=_COURTESY)
    return UploadsHere(chosen(), here) if os.environ.get(CLUSTER) else here


class UploadsHere:
    """A cluster for data that can be had anywhere; what a visitor handed over stays on this machine."""

    def __init__(self, cluster: Carrier, here: Carrier) -> None:
        self._cluster, self._here = cluster, here
        self.name = cluster.name

    @property
    def width(self) -> int:
        """How many pieces of work it is given at a time."""
        return self._cluster.width

    def open(self) -> Executor:
        """Return both as one."""
        return _Both(self._cluster.open(), self._here.open())

    def loss(self, error: BaseException) -> Loss:
        """Only processes of this machine break all at once."""
        return (self._here if isinstance(error, BrokenExecutor) else self._cluster).loss(error)

    def close(self, executor: Executor) -> None:
        """End both."""
        assert isinstance(executor, _Both)
        self._cluster.close(executor.cluster)
        self._here.close(executor.here)


class _Both(Executor):
    def __init__(self, cluster: Executor, here: Executor) -> None:
        self.cluster, self.here = cluster, here

    def submit(self, act: Any, /, *args: Any, **named: Any) -> Future[Any]:
        """Hand work to whoever it is for; it comes as the text of a chain."""
        own = any(is_upload(trial.request.dataset) for trial in Chain.from_json(args[0]).trials)
        return (self.here if own else self.cluster).submit(act, *args, **named)
