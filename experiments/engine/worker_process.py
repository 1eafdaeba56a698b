"""The server's side of one worker process: sends commands, receives messages, notices its end."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from experiments.engine.worker_template import start_worker

log = logging.getLogger(__name__)
PROGRAM = ("-m", f"{__package__}.worker")
# A process that does nothing but blink uses less of the processor than this.
_HARDLY = 0.05
_UNEXPECTED = "The process that carried this run ended unexpectedly."
# Nobody else kills a process so: Linux does when there is no memory left.
_OUT_OF_MEMORY = (
    "The system has ended the process that carried this run: most likely the machine ran out of memory. "
    "Fewer samples or parts take less."
)


class WorkerProcess:
    """One worker process, a thread that listens to it, and one that speaks to it.

    Sending a command does not block: a worker that does not read blocks the sending thread alone. Its
    heartbeats (the first says that it is `ready`) say which runs are `busy` taking a turn just now, whether
    that is `late` to be over, and what owners have `spent`. `on_lost` is called once, with a reason, when the
    process has ended. The `program` is one that does what `experiments.engine.worker` does. One that is
    `apart` has no runs.
    """

    def __init__(
        self,
        folder: Path,
        on_news: Callable[[WorkerProcess, dict[str, Any]], None],
        on_lost: Callable[[WorkerProcess, str], None],
        program: Sequence[str] | None = None,
        *,
        apart: bool = False,
    ) -> None:
        self.apart = apart
        self.runs: set[str] = set()
        self.jobs: set[str] = set()
        self.busy: list[str] = []
        self.late = self.ready = False
        self.spent: Counter[str] = Counter()
        self.beat_at = monotonic()
        self._on_news, self._on_lost = on_news, on_lost
        self._reason = ""
        self._commands: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._worked: float | None = None
        self._process = start_worker(program or PROGRAM, folder)
        self._looked_at = self._process.active_pid
        if self._process.greeting is not None:
            self.send(self._process.greeting)
        threading.Thread(target=self._receive_news, daemon=True, name="worker-news").start()
        threading.Thread(target=self._send_commands, daemon=True, name="worker-commands").start()

    @property
    def alive(self) -> bool:
        """Whether the process takes commands."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, command: dict[str, Any]) -> None:
        """Queue a command for the worker, without waiting for it to arrive."""
        self._commands.put(command)

    def kill(self, reason: str) -> None:
        """Kill the process; `on_lost` gets the reason."""
        self._reason = reason
        self._process.kill()

    def stands_still(self, stopped: float, silent: float) -> bool:
        """Return whether it has been silent for so many seconds, being stopped or not computing at all.

        A process that computes without letting Python go is silent as well, but uses the processor.
        """
        if self._looked_at != self._process.active_pid:  # It is being forked just now.
            self._looked_at, self.beat_at = self._process.active_pid, monotonic()
        silence = monotonic() - self.beat_at
        if silence < stopped:
            self._worked = None
            return False
        state, worked = _state(self._looked_at)
        if self._worked is None:
            self._worked = worked
        return state == "T" or (silence > silent and worked - self._worked < _HARDLY)

    def take_spent(self) -> Counter[str]:
        """Return what owners have used in this worker since this was asked last."""
        spent, self.spent = self.spent, Counter()
        return spent

    def close(self) -> None:
        """End the process by closing its input, or by force if it does not listen."""
        self._commands.put(None)
        if not self._process.has_begun:
            return  # It will find its input closed.
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def retire(self) -> None:
        """Have the process end by itself, once nothing is expected of it any more."""
        self._commands.put({"do": "retire"})

    def _send_commands(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # Whoever listens notices that it has ended.
            while (command := self._commands.get()) is not None:
                self._process.stdin.write(json.dumps(command) + "\n")
        with suppress(OSError):
            self._process.stdin.close()

    def _receive_news(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                try:
                    self._hear(json.loads(line))
                except (ValueError, OSError) as error:
                    # Half a line from a killed worker, or a file that has been removed: the next news counts.
                    log.warning("news of worker %s not understood: %s", self.pid, error)
        status = self._process.wait()
        self._commands.put(None)
        self._on_lost(self, self._reason or (_OUT_OF_MEMORY if status == -signal.SIGKILL else _UNEXPECTED))

    def _hear(self, news: dict[str, Any]) -> None:
        if news["event"] == "beat":
            self.busy, self.late, self.beat_at = news["busy"], news["late"], monotonic()
            self.spent.update(news["spent"])
            self.ready = True
        else:
            self._on_news(self, news)


def _state(pid: int) -> tuple[str, float]:
    """Return the state of a process and how long it has computed; where nobody tells, a time that goes on."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return fields[0], (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return "", monotonic()
