"""Slow work for the event loop: done in a bounded number of threads, waited for a bounded time."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from ui.web.served import Served, Visitor

Result = TypeVar("Result")


class BusyError(Exception):
    """The work was not done in time, or too much of it is waiting already."""


@dataclass(frozen=True, eq=False)
class _Job:
    future: Future[Any]
    work: Callable[[], Any]
    visitor: Visitor


class Threads:
    """At most `most` threads of its own: work that hangs here holds up nothing that is done elsewhere.

    Visitors take turns, and half of what may wait is for those behind other addresses, as is one thread.
    Unlike those of an executor the threads do not keep the server from ending.
    """

    def __init__(self, most: int, *, name: str, patience: float, most_waiting: int = 400) -> None:
        self._most, self._name, self._patience, self._most_waiting = most, name, patience, most_waiting
        self._changed = threading.Condition()
        self._threads = 0
        self._waiting: list[_Job] = []
        self._served = Served()
        # Jobs under way or waiting, and those under way, by address; what nobody asked for has none.
        self._pending: Counter[Visitor] = Counter()
        self._running: Counter[Visitor] = Counter()

    async def run(self, work: Callable[[], Result], visitor: Visitor = ()) -> Result:
        """Return what `work` returns; a BusyError if that takes longer than the patience."""
        future: Future[Result] = Future()
        with self._changed:
            self._admit(_Job(future, work, visitor))
        waiting = asyncio.wrap_future(future)
        # Not `wait_for`: a TimeoutError of the work itself is something else.
        await asyncio.wait([waiting], timeout=self._patience)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        raise BusyError

    def _admit(self, job: _Job) -> None:
        address, pending = job.visitor[:1], self._pending.total()
        if pending >= self._most_waiting or (address and self._pending[address] >= self._most_waiting // 2):
            raise BusyError
        self._pending[address] += 1
        self._waiting.append(job)
        if self._threads < min(self._most, pending + 1):
            self._threads += 1
            threading.Thread(target=self._serve, daemon=True, name=self._name).start()
        self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                while (job := self._next()) is None:
                    self._changed.wait()
            if job.future.set_running_or_notify_cancel():
                try:
                    job.future.set_result(job.work())
                except BaseException as error:
                    job.future.set_exception(error)
            with self._changed:
                for count in (self._pending, self._running):
                    count[job.visitor[:1]] -= 1
                    if not count[job.visitor[:1]]:
                        del count[job.visitor[:1]]
                self._changed.notify()
            del job  # What was worked out must not be kept alive by an idle thread.

    def _next(self) -> _Job | None:
        """Take the job whose visitor was served longest ago, None if none may begin."""
        most = max(1, self._most - 1)
        free = [job for job in self._waiting if not job.visitor or self._running[job.visitor[:1]] < most]
        if not free:
            return None
        job = min(free, key=lambda job: self._served.rank(job.visitor))
        self._waiting.remove(job)
        self._served.note(job.visitor)
        self._running[job.visitor[:1]] += 1
        return job
