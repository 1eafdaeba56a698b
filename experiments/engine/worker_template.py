"""Workers are forked from a template: a process that has loaded what they need, and does nothing else.

A new Python takes over a second to import NumPy, SciPy, scikit-learn and all methods; a fork has them after
milliseconds, in memory that it shares with the template as long as nobody writes to it. A server process has
one template for each program; `template_process` is the other side.

Python's own `multiprocessing.forkserver` would not do: each of its processes imports the server's `__main__`
again, has the environment of the first one, and is signalled by a number that may be another's by then. The
fork server of `datasets.reading.sandbox` is another kind of thing: its children live for one job, are limited
in all they do and die with it, and where there is no fork it does what it can. A worker has pipes of its own
and outlives its template, and where there is no fork it is started like any other program.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

# The argument by which a program knows that it is to be a template.
AS_TEMPLATE = "--template"
# Where the outermost package lies.
_ROOT = Path(__file__).parents[__name__.count(".")]
_BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# More threads would compete with the other workers, and sum in an order that varies: runs would not be
# reproducible to the last digit.
ONE_THREAD = dict.fromkeys(_BLAS, "1")
# Arrow, which comes with pandas, tidies its memory in a thread. Threads do not survive a fork.
_NO_THREADS = ONE_THREAD | {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
# Linux has files that stand for processes: no other process that has got the number can be killed by mistake.
_CAN_FORK = sys.platform == "linux" and hasattr(os, "pidfd_open")
_LONGEST_REPORT = 1000
# The template tells how a process ended a moment after it has.
_STATUS_WITHIN = 5.0
_UNKNOWN = 1


def start_worker(program: Sequence[str], folder: Path) -> StartedWorker | ForkedWorker:
    """Return a new worker: forked, if its program is a module, which can be a template as well."""
    if _CAN_FORK and program[0] == "-m":
        # A template may have been killed a moment ago, without anybody having noticed.
        for _ in range(2):
            with suppress(OSError):
                return prepare_template(program).fork(folder)
    return StartedWorker(program, folder)


def prepare_template(program: Sequence[str]) -> Template:
    """Return the template of a program, which is started if there is none that lives."""
    with _preparing:
        template = _templates.get(tuple(program))
        if template is None or not template.alive:
            if template is not None:
                template.close()
            template = _templates[tuple(program)] = Template(program)
        return template


class StartedWorker(subprocess.Popen[str]):
    """A worker started as a program of its own."""

    greeting: dict[str, Any] | None = None
    has_begun = True

    def __init__(self, program: Sequence[str], folder: Path) -> None:
        super().__init__(
            [sys.executable, *program, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            cwd=_ROOT, env=os.environ | ONE_THREAD, text=True, bufsize=1,
        )  # fmt: skip

    @property
    def active_pid(self) -> int:
        """The number of the process."""
        return self.pid


class ForkedWorker:
    """A worker forked from a template: what `subprocess.Popen` is for one that was started.

    It can be written to at once, while the template still loads; the `greeting` is to be the first line.
    """

    def __init__(self, template: Template, folder: Path) -> None:
        self._template = template
        self._begun, self._end_noted = threading.Event(), threading.Event()
        self._pid, self._process, self._status = 0, -1, _UNKNOWN
        commands, to_worker = os.pipe()
        from_worker, news = os.pipe()
        # What the worker gets, closed here as soon as it is on its way.
        self.worker_files = (commands, news)
        self.stdin, self.stdout = os.fdopen(to_worker, "w", 1), os.fdopen(from_worker)
        self.greeting = {"environment": os.environ | ONE_THREAD, "folder": str(folder)}

    @property
    def pid(self) -> int:
        """The number of the process; waits until there is one."""
        self._begun.wait()
        return self._pid

    @property
    def has_begun(self) -> bool:
        """Whether the template has come to it."""
        return self._begun.is_set()

    @property
    def active_pid(self) -> int:
        """The number of the process that has something to do for this worker: at first the template."""
        return self._pid if self.has_begun else self._template.pid

    def poll(self) -> int | None:
        """Return the exit status, None while it lives."""
        return self._status if self._has_ended(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return the exit status; 1 if nobody knows it."""
        if not self._has_ended(timeout):
            raise subprocess.TimeoutExpired("a worker", timeout or 0)
        self._end_noted.wait(_STATUS_WITHIN)
        return self._status

    def kill(self) -> None:
        """End it at once; with the template, if that does not come to forking it."""
        if not self.has_begun:
            self._template.kill()
        elif self._process >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, signal.SIGKILL)

    def note_begin(self, pid: int, process: int) -> None:
        """Take the number of the process and the file that stands for it."""
        weakref.finalize(self, os.close, process)
        self._pid, self._process = pid, process
        self._begun.set()

    def note_end(self, status: int = _UNKNOWN) -> None:
        """Take the exit status, or note that nobody will tell it."""
        self._status = status
        self._end_noted.set()
        self._begun.set()

    def _has_ended(self, timeout: float | None) -> bool:
        if not self._begun.wait(timeout):
            return False
        if self._process < 0:  # The template ended before.
            return True
        end = select.poll()
        end.register(self._process, select.POLLIN)
        return bool(end.poll(None if timeout is None else timeout * 1000))


class Template:
    """A process that waits for orders to fork workers, and a thread that listens to it."""

    def __init__(self, program: Sequence[str]) -> None:
        self._owner = os.getpid()
        self._numbers = count()
        self._lock = threading.Lock()
        self._over = False
        self._workers: dict[int, ForkedWorker] = {}
        # One order and one report are one packet each.
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, *program, AS_TEMPLATE],
                stdin=theirs.fileno(), stdout=subprocess.DEVNULL, cwd=_ROOT, env=os.environ | _NO_THREADS,
            )  # fmt: skip
        threading.Thread(target=self._listen, daemon=True, name="worker-template").start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it takes orders from this process."""
        return self._owner == os.getpid() and not self._over and self._process.poll() is None

    def fork(self, folder: Path) -> ForkedWorker:
        """Return a worker, which begins as soon as the template has loaded; an OSError if that has ended."""
        worker, number = ForkedWorker(self, folder), next(self._numbers)
        order = json.dumps({"number": number}).encode()
        try:
            with self._lock:
                # What a worker has to complain of appears where this process says it.
                socket.send_fds(self._orders, [order], [*worker.worker_files, 2])
                self._workers[number] = worker
        except OSError:
            worker.stdin.close()
            worker.stdout.close()
            raise
        finally:
            for file in worker.worker_files:
                os.close(file)
        return worker

    def kill(self) -> None:
        """End it at once; the workers it has forked go on."""
        self._process.kill()

    def close(self) -> None:
        """End it, unless another process has started it; the workers it has forked go on."""
        if self._owner != os.getpid():
            return
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        """Pass on the reports until the template ends."""
        with suppress(ConnectionError):
            while True:
                report, files, *_ = socket.recv_fds(self._orders, _LONGEST_REPORT, 1)
                if not report:
                    break
                message = json.loads(report)
                with self._lock:  # The report may be here before the order has been noted.
                    worker = self._workers[message["number"]]
                if "pid" in message:
                    worker.note_begin(message["pid"], files[0])
                else:
                    worker.note_end(message["status"])
                    del self._workers[message["number"]]
        with self._lock:
            self._over = True
            self._orders.close()
            for worker in self._workers.values():
                worker.note_end()
            self._workers.clear()


_templates: dict[tuple[str, ...], Template] = {}
_preparing = threading.Lock()


def _close() -> None:
    for template in _templates.values():
        template.close()


atexit.register(_close)
