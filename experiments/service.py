"""The server's side of running things: workers, the runs in them, and who still looks at them.

One `Service` serves a whole process. A run has an unguessable id: whoever knows it may watch
and steer it. Runs live in worker processes; no call of this class waits for a step to end.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.channel import Reader
from experiments.request import RunRequest

log = logging.getLogger(__name__)
_ROOT = Path(__file__).parent.parent
_ACKNOWLEDGED_WITHIN = 0.06
_BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
ENDED = frozenset({"done", "max_iter", "diverged", "stopped", "failed", "interrupted"})


@dataclass
class Handle:
    """A run as the server knows it. Its fields are set by the news from its worker."""

    id: str
    request: RunRequest
    folder: Path
    shared: bool = False
    status: str = "preparing"
    message: str = ""
    pace: float | None = None
    scores: dict[str, float] = field(default_factory=dict)
    snapshots: list[tuple[int, dict[str, float]]] = field(default_factory=list)
    ending: dict[str, Any] = field(default_factory=dict)
    reader: Reader | None = None
    seen_at: float = field(default_factory=monotonic)
    changed: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """Whether no further step will be taken."""
        return self.status in ENDED

    @property
    def version(self) -> tuple[Any, ...]:
        """Something that differs whenever there is anything new to show."""
        rows = self.reader.version if self.reader else (0, 0)
        return (*rows, self.status, len(self.snapshots))

    def look(self) -> None:
        """Note that somebody is watching."""
        self.seen_at = monotonic()

    def snapshot(self, iteration: int) -> dict[str, NDArray[Any]]:
        """Return the arrays kept at an iteration; a KeyError if none were."""
        if iteration not in {kept for kept, _ in self.snapshots}:
            raise KeyError(iteration)
        try:
            with np.load(self.folder / f"{iteration}.npz", allow_pickle=False) as kept:
                return {name: kept[name] for name in kept.files}
        except FileNotFoundError:
            raise KeyError(iteration) from None  # The run has been forgotten meanwhile.

    def hear(self, news: dict[str, Any]) -> None:
        """Take in one line of news."""
        event = news["event"]
        if self.ended:
            return
        if event == "opened":
            self.reader = Reader(Path(news["path"]))
        elif event == "snapshot":
            self.scores = news["scores"]
            self.snapshots.append((news["iteration"], news["scores"]))
        elif event == "ended":
            # The status comes last: whoever sees the end finds everything in place.
            self.ending, self.message, self.scores = news, news["message"], news["scores"]
            self.status = news["status"]
        else:
            self.status = event
        self.changed.set()


class _WorkerProcess:
    """One worker process and the thread that listens to it."""

    def __init__(self, folder: Path, threads: int, on_news: Callable[[dict[str, Any]], None]) -> None:
        self.runs: set[str] = set()
        self._on_news = on_news
        self._lock = threading.Lock()
        environment = os.environ | {name: str(threads) for name in _BLAS}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "experiments.worker", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=_ROOT, env=environment, text=True, bufsize=1,
        )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True, name="worker-news").start()

    @property
    def alive(self) -> bool:
        """Whether the process takes commands."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, command: dict[str, Any]) -> None:
        """Give a command; if the worker has just died, its runs are reported as interrupted."""
        assert self._process.stdin is not None
        try:
            with self._lock:
                self._process.stdin.write(json.dumps(command) + "\n")
        except (BrokenPipeError, ValueError):
            self._report_lost()

    def close(self) -> None:
        """End the process by closing its input, or by force if it does not listen."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(timeout=1)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        with self._process.stdout as lines:
            for line in lines:
                try:
                    self._on_news(json.loads(line))
                except (ValueError, OSError) as error:
                    # Half a line from a killed worker, or a file that has been removed: the next news counts.
                    log.warning("news of worker %s not understood: %s", self.pid, error)
        self._process.wait()
        with suppress(OSError):
            self._process.stdin.close()
        self._report_lost()

    def _report_lost(self) -> None:
        message = "The process that carried this run ended unexpectedly. Run starts it again."
        for run in list(self.runs):
            self._on_news(
                {"run": run, "event": "ended", "status": "interrupted", "message": message, "scores": {}}
            )


class Service:
    """Starts runs in worker processes and keeps a bounded number of them to look at.

    `most_runs` are kept, the ended ones that were looked at least recently making room for new
    ones. A run that nobody has looked at for `forgotten_after` seconds is stopped.
    """

    def __init__(
        self, workers: int | None = None, *, most_runs: int = 64, forgotten_after: float = 60.0
    ) -> None:
        self._most_runs, self._forgotten_after = most_runs, forgotten_after
        cores = os.cpu_count() or 1
        self._size = workers or max(1, min(4, cores))
        self._threads = max(1, cores // self._size)
        self._folder = Path(tempfile.mkdtemp(prefix="partwise-"))
        self._workers: list[_WorkerProcess] = []
        self._runs: OrderedDict[str, Handle] = OrderedDict()
        self._lock = threading.RLock()
        self._closed = threading.Event()
        atexit.register(self.close)
        threading.Thread(target=self._reap, daemon=True, name="run-reaper").start()

    def warm_up(self, dataset: str, method: str, workers: int | None = None) -> None:
        """Start workers (all if not said how many) and let them load what a run needs.

        Workers that are there already have done so.
        """
        with self._lock:
            while len(self._workers) < (workers or self._size):
                self._hire().send({"do": "warm", "dataset": dataset, "method": method})

    def submit(
        self, request: RunRequest, *, paused: bool = False, pace: float | None = None, sure: bool = False
    ) -> Handle:
        """Start a run of one's own. A request that makes no sense raises a ValueError at once.

        A request that is `sure` to make sense is left to the worker to check, who has its method loaded.
        """
        text = request.as_given() if sure else request.canonical()
        return self._start(request, text, paused=paused, pace=pace, shared=False)

    def shared(self, request: RunRequest) -> Handle:
        """Return the run of this request that everybody looks at and nobody steers, started if need be."""
        key = request.key
        with self._lock:
            for handle in self._runs.values():
                if (
                    handle.shared
                    and handle.request.key == key
                    and handle.status not in ("interrupted", "stopped")
                ):
                    handle.look()
                    self._runs.move_to_end(handle.id)
                    return handle
            return self._start(request, request.canonical(), paused=False, pace=None, shared=True)

    def get(self, id: str | None) -> Handle | None:
        """Return the run with this id while it is kept."""
        with self._lock:
            handle = self._runs.get(id or "")
            if handle is not None:
                handle.look()
                self._runs.move_to_end(handle.id)
            return handle

    def command(self, id: str, action: str, **details: Any) -> Handle | None:
        """Pass on pause, resume, step, pace or stop; wait a moment for the worker to say it has done so."""
        handle = self.get(id)
        if handle is None or handle.ended:
            return handle
        if action == "pace":
            handle.pace = details["pace"]
        handle.changed.clear()
        with self._lock:
            worker = next((worker for worker in self._workers if id in worker.runs), None)
        if worker is not None:
            worker.send({"do": action, "id": id, **details})
            handle.changed.wait(_ACKNOWLEDGED_WITHIN)
        return handle

    def close(self) -> None:
        """End all workers and remove everything they wrote."""
        if self._closed.is_set():
            return
        self._closed.set()
        atexit.unregister(self.close)
        with self._lock:
            for worker in self._workers:
                worker.runs.clear()
                worker.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def worker_pids(self) -> list[int]:
        """The process numbers of the workers."""
        return [worker.pid for worker in self._workers]

    def _start(
        self, request: RunRequest, text: str, *, paused: bool, pace: float | None, shared: bool
    ) -> Handle:
        if self._closed.is_set():
            raise RuntimeError("This service has been closed: nothing can be started any more.")
        id = secrets.token_urlsafe(12)
        handle = Handle(id, request, self._folder / id, shared=shared, pace=pace)
        with self._lock:
            worker = self._least_busy()
            self._make_room()
            self._runs[id] = handle
            worker.runs.add(id)
        worker.send({"do": "start", "id": id, "request": text, "paused": paused, "pace": pace})
        return handle

    def _least_busy(self) -> _WorkerProcess:
        self._workers = [worker for worker in self._workers if worker.alive]
        if len(self._workers) < self._size and all(worker.runs for worker in self._workers):
            return self._hire()
        return min(self._workers, key=lambda worker: len(worker.runs))

    def _hire(self) -> _WorkerProcess:
        self._workers.append(_WorkerProcess(self._folder, self._threads, self._hear))
        return self._workers[-1]

    def _hear(self, news: dict[str, Any]) -> None:
        if self._closed.is_set():
            return
        with self._lock:
            handle = self._runs.get(news["run"])
            if news["event"] == "ended":
                for worker in self._workers:
                    worker.runs.discard(news["run"])
        if handle is not None:
            handle.hear(news)

    def _make_room(self) -> None:
        ended = [handle for handle in self._runs.values() if handle.ended]
        for handle in ended[: max(0, len(self._runs) - self._most_runs + 1)]:
            self._forget(handle)

    def _forget(self, handle: Handle) -> None:
        del self._runs[handle.id]
        shutil.rmtree(handle.folder, ignore_errors=True)

    def _reap(self) -> None:
        """Stop runs that nobody has looked at for a while; what they found stays."""
        while not self._closed.wait(self._forgotten_after / 12):
            now = monotonic()
            with self._lock:
                lonely = [
                    h for h in self._runs.values() if not h.ended and now - h.seen_at > self._forgotten_after
                ]
            for handle in lonely:
                seen = handle.seen_at
                self.command(handle.id, "stop")
                handle.seen_at = seen
