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
    """One thing to work out: `value` once it is `done`, or a `message` that says why there is none.

    Who would rather wait a moment than show something unfinished may wait for `finished`.
    """

    make: Callable[[], Any]
    value: Any = None
    message: str = ""
    asked_at: float = field(default_factory=monotonic)
    taken: bool = False
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def done(self) -> bool:
        """Whether there is a value or a message."""
        return self.finished.is_set()


class Background:
    """Works in a few threads, on the tasks asked for last first; a slow one does not hold up the quick ones.

    Results are kept under their keys, at most `most` of them. A task that nobody has asked for during
    `forgotten_after` seconds before its turn comes is dropped: whoever wanted it has left.
    """

    def __init__(self, *, threads: int = 2, most: int = 32, forgotten_after: float = 5.0) -> None:
        self._threads, self._most, self._forgotten_after = threads, most, forgotten_after
        self._tasks: OrderedDict[Hashable, BackgroundJob] = OrderedDict()
        self._changed = threading.Condition()
        self._working = 0

    def ask(self, key: Hashable, make: Callable[[], Any]) -> BackgroundJob:
        """Return the task of this key, begun if it is new."""
        with self._changed:
            task = self._tasks.setdefault(key, BackgroundJob(make))
            task.asked_at = monotonic()
            self._tasks.move_to_end(key)
            self._make_room()
            if not task.taken:
                if self._working < self._threads:
                    self._working += 1
                    threading.Thread(target=self._work, daemon=True, name="behind-the-page").start()
                self._changed.notify()
            return task

    def _make_room(self) -> None:
        finished = [key for key, task in self._tasks.items() if task.done]
        for key in finished[: max(0, len(finished) - self._most)]:
            del self._tasks[key]

    def _work(self) -> None:
        while True:
            with self._changed:
                while (task := self._next()) is None:
                    self._changed.wait()
                task.taken = True
            try:
                task.value = task.make()
            except ValueError as refusal:
                task.message = str(refusal)
            except Exception as error:
                log.exception("Something could not be worked out behind the page")
                task.message = f"This could not be worked out ({type(error).__name__}: {error})."
            # Results may be large, and so may be what they are made from.
            task.make = _nothing
            task.finished.set()

    def _next(self) -> BackgroundJob | None:
        """Return the task asked for last; drop those nobody waits for any more."""
        oldest = monotonic() - self._forgotten_after
        for key in [key for key, task in self._tasks.items() if not task.taken and task.asked_at < oldest]:
            del self._tasks[key]
        return next((task for task in reversed(self._tasks.values()) if not task.taken), None)


def _nothing() -> None:
    """Stand in for work that has been done."""
