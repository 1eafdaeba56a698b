"""Runs slow work in threads; poll by key for the result."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

log = logging.getLogger(__name__)


@dataclass(eq=False)
class BackgroundJob:
    """One computation: `value` once it is `done`, or a `message` that says why there is none.

    The event `finished` allows waiting for it.
    """

    make: Callable[[], Any]
    value: Any = None
    message: str = ""
    requested_at: float = field(default_factory=monotonic)
    started: bool = False
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def done(self) -> bool:
        """Whether there is a value or a message."""
        return self.finished.is_set()


class Background:
    """Works in a few threads, on the job requested last first; a slow one does not hold up the quick ones.

    Results are stored under their keys, at most `most` of them. A job that has not been requested again for
    `forgotten_after` seconds before its turn comes is dropped.
    """

    def __init__(self, *, threads: int = 2, most: int = 32, forgotten_after: float = 5.0) -> None:
        self._threads, self._most, self._forgotten_after = threads, most, forgotten_after
        self._jobs: OrderedDict[Hashable, BackgroundJob] = OrderedDict()
        self._changed = threading.Condition()
        self._working = 0

    def ask(self, key: Hashable, make: Callable[[], Any]) -> BackgroundJob:
        """Return the job of this key, begun if it is new."""
        with self._changed:
            job = self._jobs.setdefault(key, BackgroundJob(make))
            job.requested_at = monotonic()
            self._jobs.move_to_end(key)
            self._make_room()
            if not job.started:
                if self._working < self._threads:
                    self._working += 1
                    threading.Thread(target=self._work, daemon=True, name="behind-the-page").start()
                self._changed.notify()
            return job

    def _make_room(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.done]
        for key in finished[: max(0, len(finished) - self._most)]:
            del self._jobs[key]

    def _work(self) -> None:
        while True:
            with self._changed:
                while (job := self._next()) is None:
                    self._changed.wait()
                job.started = True
            try:
                job.value = job.make()
            except ValueError as refusal:
                job.message = str(refusal)
            except Exception as error:
                log.exception("Something could not be worked out behind the page")
                job.message = f"This could not be worked out ({type(error).__name__}: {error})."
            # Results may be large, and so may be what they are made from.
            job.make = _nothing
            job.finished.set()

    def _next(self) -> BackgroundJob | None:
        """Return the job requested last; drop those that have not been requested for too long."""
        oldest = monotonic() - self._forgotten_after
        for key in [key for key, job in self._jobs.items() if not job.started and job.requested_at < oldest]:
            del self._jobs[key]
        return next((job for job in reversed(self._jobs.values()) if not job.started), None)


def _nothing() -> None:
    """Replace the function of a finished job."""
