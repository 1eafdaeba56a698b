"""Slow work for the event loop: done in a bounded number of threads, waited for a bounded time."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")
_Job = tuple["Future[Any]", Callable[[], Any]]


class BusyError(Exception):
    """The work was not done in time, or too much of it is waiting already."""


class Threads:
    """At most `most` threads of its own: work that hangs here holds up nothing that is done elsewhere.

    Unlike those of an executor the threads do not keep the server from ending.
    """

    def __init__(self, most: int, *, name: str, patience: float, most_waiting: int = 400) -> None:
        self._most, self._name, self._patience, self._most_waiting = most, name, patience, most_waiting
        self._jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._pending = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return what `work` returns; a BusyError if that takes longer than the patience."""
        future: Future[Result] = Future()
        with self._lock:
            if self._pending >= self._most_waiting:
                raise BusyError
            self._pending += 1
            if self._threads < min(self._most, self._pending):
                self._threads += 1
                threading.Thread(target=self._serve, daemon=True, name=self._name).start()
        self._jobs.put((future, work))
        waiting = asyncio.wrap_future(future)
        # Not `wait_for`: a TimeoutError of the work itself is something else.
        await asyncio.wait([waiting], timeout=self._patience)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        raise BusyError

    def _serve(self) -> None:
        while True:
            future, work = self._jobs.get()
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)
            with self._lock:
                self._pending -= 1
            del future, work  # What was worked out must not be kept alive by an idle thread.
