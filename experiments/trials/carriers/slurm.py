"""A SLURM partition, by way of submitit: a job for every piece of work."""

from __future__ import annotations

import tempfile
import threading
from concurrent.futures import Executor, Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.trials.carriers.carrier import Carrier, CarrierError, Loss

_INSTALL = "submitit is not installed: pip install -r requirements-cluster.txt"
_LOOK_EVERY = 0.2
_WIDTH = 64
_MINUTES, _GIGABYTES = 60, 4


class Slurm(Carrier):
    """Jobs of one core. `cluster` is "slurm", or "local" to have submitit start processes here instead.

    The folder of the jobs must be one that all machines see; it is the one the command is started in.
    """

    def __init__(self, partition: str, *, cluster: str = "slurm", folder: Path | None = None) -> None:
        self.name, self.width = f"the SLURM partition {partition or '(usual)'}", _WIDTH
        self._partition, self._cluster, self._folder = partition, cluster, folder

    def open(self) -> Executor:
        """Return the partition as an executor."""
        try:
            import submitit
        except ImportError:
            raise CarrierError(_INSTALL) from None
        folder = Path(tempfile.mkdtemp(prefix=".partwise-jobs-", dir=self._folder or Path.cwd()))
        try:
            jobs = submitit.AutoExecutor(folder=folder, cluster=self._cluster)
        except RuntimeError as error:
            folder.rmdir()
            raise CarrierError(
                f"There is no SLURM here ({error}). Start this where `sbatch` works, or leave --cluster out."
            ) from None
        settings: dict[str, Any] = {"timeout_min": _MINUTES, "cpus_per_task": 1, "name": "partwise"}
        if self._cluster == "slurm":
            settings |= {"mem_gb": _GIGABYTES}
            if self._partition:
                settings |= {"slurm_partition": self._partition}
        jobs.update_parameters(**settings)
        return _SlurmJobs(jobs, folder)

    def loss(self, error: BaseException) -> Loss:
        """A job that ended without a result can be tried again."""
        if type(error).__name__ in ("UncompletedJobError", "FailedJobError", "FailedSubmissionError"):
            return "this one"
        raise CarrierError(f"A job could not be carried out ({type(error).__name__}: {error}).") from error

    def close(self, executor: Executor) -> None:
        """Cancel the jobs under way."""
        executor.shutdown(wait=False, cancel_futures=True)


class _SlurmJobs(Executor):
    """Jobs of submitit as futures: one thread looks which of them have ended."""

    def __init__(self, jobs: Any, folder: Path) -> None:
        self._jobs, self._folder = jobs, folder
        self._under_way: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        threading.Thread(target=self._look, daemon=True, name="slurm-jobs").start()

    def submit(self, act: Any, /, *args: Any, **named: Any) -> Future[Any]:
        """Hand in a job."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        try:
            job = self._jobs.submit(act, *args, **named)
        except Exception as error:
            future.set_exception(error)
        else:
            with self._lock:
                self._under_way[future] = job
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Cancel what has not ended, and remove the folder of the jobs."""
        import shutil

        self._closed.set()
        with self._lock:
            for job in self._under_way.values():
                with suppress(Exception):
                    job.cancel()
            self._under_way.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _look(self) -> None:
        while not self._closed.wait(_LOOK_EVERY):
            with self._lock:
                under_way = list(self._under_way.items())
            for future, job in under_way:
                if not job.done():
                    continue
                with self._lock:
                    self._under_way.pop(future, None)
                try:
                    future.set_result(job.result())
                except Exception as error:
                    future.set_exception(error)
