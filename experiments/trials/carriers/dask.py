"""A Dask cluster: a scheduler that listens somewhere, with workers on any number of machines."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from experiments.engine.record import versions
from experiments.trials.carriers.carrier import Carrier, CarrierError, Loss

_PATIENCE = 10
_INSTALL = "Dask is not installed: pip install -r requirements-cluster.txt"
_AHEAD = 2


class Dask(Carrier):
    """The workers of a scheduler. It gives lost workers' work to others by itself, a few times."""

    def __init__(self, address: str) -> None:
        self.address, self.name, self.width = address, f"the cluster at {address}", 1
        self._client: Any = None

    def open(self) -> Executor:
        """Return the cluster as an executor, once it has been found to be of use."""
        try:
            import distributed
        except ImportError:
            raise CarrierError(_INSTALL) from None
        client: Any = distributed.Client  # Published without types.
        try:
            self._client = client(self.address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise CarrierError(
                f"Nobody answers at {self.address} ({type(error).__name__}). Start `dask scheduler` there, "
                "`dask worker` on the machines that are to work, or leave --cluster out."
            ) from None
        try:
            self.width = _AHEAD * self._check()
        except BaseException:
            self._client.close()
            raise
        executor: Executor = self._client.get_executor(pure=False)
        return executor

    def loss(self, error: BaseException) -> Loss:
        """Work that ended several workers is given up; a cluster that is gone ends everything."""
        name = type(error).__name__
        if name == "KilledWorker":
            return "given up"
        raise CarrierError(
            f"The cluster at {self.address} no longer answers ({name}: {error}). What was finished is kept: "
            "start the same again when the cluster is back."
        ) from error

    def close(self, executor: Executor) -> None:
        """Take back what is under way and hang up."""
        executor.shutdown(wait=False)
        self._client.close()

    def _check(self) -> int:
        """Return how many threads work there; a CarrierError says if they cannot be of use."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise CarrierError(
                f"The cluster at {self.address} has no workers. Start `dask worker {self.address}` on the "
                "machines that are to work."
            )
        try:
            theirs = self._client.run(versions)
        except Exception as error:
            raise CarrierError(
                f"The workers at {self.address} do not know this Partwise ({type(error).__name__}: {error}). "
                "Start `dask worker` in its folder, with the packages of requirements.txt installed."
            ) from None
        ours = _ours()
        for worker, installed in theirs.items():
            differing = [
                f"{name} {installed.get(name)} there, {ours[name]} here"
                for name in ours
                if installed.get(name) != ours[name]
            ]
            if differing:
                raise CarrierError(
                    f"The worker at {worker} has other versions, and would give other numbers: "
                    f"{'; '.join(differing)}. Install the pins of requirements.txt there."
                )
        return sum(worker["nthreads"] for worker in workers.values())


def _ours() -> dict[str, str]:
    return versions()
