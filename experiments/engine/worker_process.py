"""The server's end of one worker: commands go in, news comes out, its death is noticed."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)
_ROOT = Path(__file__).parents[2]
_BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# More threads would get in the way of the other workers, and add up in an order that differs from time to
# time: a run could not be found again to its last digit, on this machine or on another.
ONE_THREAD = dict.fromkeys(_BLAS, "1")


class WorkerProcess:
    """One worker process and the thread that listens to it."""

    def __init__(self, folder: Path, on_news: Callable[[dict[str, Any]], None]) -> None:
        self.runs: set[str] = set()
        self._on_news = on_news
        self._lock = threading.Lock()
        environment = os.environ | ONE_THREAD
        self._process = subprocess.Popen(
            [sys.executable, "-m", "experiments.engine.worker", str(folder)],
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
