"""Processes of this machine, each on one thread."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from multiprocessing import util
from queue import Empty
from weakref import WeakSet

from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.backend.synchronize import SemLock

from datasets.private_folder import open_folder
from experiments.engine.worker_template import ONE_THREAD
from experiments.trials.carriers.carrier import Carrier, CarrierError, Loss

_LOOK_EVERY = 0.5
# A little ahead, so that no process waits while a result is being written down.
_AHEAD = 1


class Processes(Carrier):
    """So many processes (by default one a core), started by loky and ended with the one that started them."""

    def __init__(self, jobs: int | None = None) -> None:
        if jobs is not None and jobs < 1:
            raise ValueError(f"--jobs must be at least 1, not {jobs}")
        self.jobs = jobs or os.cpu_count() or 1
        self.name = f"{self.jobs} processes here"
        self.width = self.jobs + _AHEAD

    def open(self) -> Executor:
        """Return a new pool; its processes start with the first piece of work."""
        open_folder()  # They learn from their environment where uploads are.
        pool: Executor = ProcessPoolExecutor(
            self.jobs, env=ONE_THREAD, initializer=_settle_in, initargs=(os.getpid(),)
        )
        _open_pools.add(pool)
        return pool

    def loss(self, error: BaseException) -> Loss:
        """A process that dies takes the pool with it."""
        if isinstance(error, BrokenExecutor):
            return "all under way"
        raise CarrierError(f"A process could not work ({type(error).__name__}: {error}).") from error

    def close(self, executor: Executor) -> None:
        """End the processes."""
        # What was handed in a moment ago must not be looked for once loky has forgotten it: that ends its
        # thread with a KeyError.
        handed_in = executor._work_ids  # type: ignore[attr-defined]  # loky's own
        with suppress(Empty):
            while True:
                handed_in.get_nowait()
        executor.shutdown(wait=True, kill_workers=True)  # type: ignore[call-arg]  # loky's own
        _open_pools.discard(executor)
        if not _open_pools:
            _release_semaphores()


# The pools of this process that are not closed.
_open_pools: WeakSet[Executor] = WeakSet()


def _release_semaphores() -> None:
    """Unlink the named semaphores of closed pools now: a process that a signal ends runs no finalizers."""
    for finalizer in list(util._finalizer_registry.values()):  # type: ignore[attr-defined]  # no public way
        if finalizer._callback is SemLock._cleanup:
            finalizer()


def _settle_in(parent: int) -> None:
    # Ctrl-C in a terminal reaches every process; the one that was started by hand says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when the one that started it is gone, however it went."""
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY)
    os._exit(1)
