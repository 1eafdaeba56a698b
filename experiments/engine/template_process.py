"""The process from which workers are forked: it has one thread, and computes nothing.

Its standard input is a socket. An order is a packet, with the three files that a worker is to have for its
own; the worker answers with its number and a file that stands for it, the template tells how it ended. When
the socket closes the server is gone, and the template goes as well.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import select
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import numpy as np

_LONGEST_ORDER = 1000
# The first worker is waited for: what others will need is loaded when it has begun its work.
_CHORES_AFTER = 2.0
_NAME = b"partwise-worker"
_SET_NAME = 15


def become_worker(chores: Iterator[object]) -> Path:
    """Fork workers as ordered; returns in each of them, with the folder that it is to use.

    While nothing is ordered the template takes steps of `chores`, which load what workers will need.
    """
    # What is loaded stays, and a collection would write to memory that is to be shared.
    gc.disable()
    files = _Template(chores).serve()
    gc.enable()
    return _settle_in(files)


class _Template:
    def __init__(self, chores: Iterator[object]) -> None:
        self._chores: Iterator[object] | None = chores
        self._chores_at = monotonic() + _CHORES_AFTER
        self._orders = socket.socket(fileno=os.dup(0))
        self._events = select.poll()
        self._events.register(self._orders, select.POLLIN)
        # The files that stand for the workers, and the numbers of their orders and processes.
        self._workers: dict[int, tuple[int, int]] = {}

    def serve(self) -> list[int]:
        """Serve until the server goes away; returns in a worker, with its files."""
        while True:
            ready = self._events.poll(self._patience())
            if not ready and self._chores is not None and next(self._chores, self) is self:
                self._chores = None
            for file, _ in ready:
                if file in self._workers:
                    self._bury(file)
                elif (files := self._obey()) is not None:
                    return files

    def _patience(self) -> float | None:
        """Return the milliseconds until there is something to do without an order."""
        return None if self._chores is None else 1000 * max(0.0, self._chores_at - monotonic())

    def _obey(self) -> list[int] | None:
        """Fork a worker; returns its files there, None in the template."""
        order, files, *_ = socket.recv_fds(self._orders, _LONGEST_ORDER, 3)
        if not order:
            os._exit(0)
        number = json.loads(order)["number"]
        gc.freeze()
        if (pid := os.fork()) == 0:
            self._say_begun(number)
            return files
        for file in files:
            os.close(file)
        process = os.pidfd_open(pid)
        self._workers[process] = number, pid
        self._events.register(process, select.POLLIN)
        return None

    def _say_begun(self, number: int) -> None:
        """Tell the server of this worker, and let go of what only the template has to do with."""
        for other in self._workers:
            os.close(other)
        with suppress(OSError):  # The worker will notice as well that the server is gone.
            report = json.dumps({"number": number, "pid": os.getpid()}).encode()
            socket.send_fds(self._orders, [report], [own := os.pidfd_open(os.getpid())])
            os.close(own)
        self._orders.close()

    def _bury(self, file: int) -> None:
        """Tell the server how a worker has ended."""
        self._events.unregister(file)
        os.close(file)
        number, pid = self._workers.pop(file)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with suppress(OSError):
            self._orders.send(json.dumps({"number": number, "status": status}).encode())


def _settle_in(files: list[int]) -> Path:
    """Take over the files and the environment as if this process had been started with them."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(_SET_NAME, _NAME, 0, 0, 0)
    line = sys.stdin.readline()
    if not line:  # The server has ended before.
        os._exit(0)
    greeting = json.loads(line)
    os.environ.clear()
    os.environ.update(greeting["environment"])
    # What was drawn or looked up in the template would be the same in all workers.
    np.random.seed()  # noqa: NPY002 - estimators without a seed draw from this one
    tempfile.tempdir = None
    return Path(greeting["folder"])
