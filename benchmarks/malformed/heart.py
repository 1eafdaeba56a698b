"""How long a thread of this process is kept from going on, which stands for everything else in a server."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep

_BEAT = 0.005
_TASKS = Path("/proc/self/task")


class Heart:
    """A thread that wants to do a little all the time, and notes how long it was kept from it.

    Waiting for a core, on a machine that has other things to do, is not counted where the system tells it:
    its own, and that of every other thread, which may hold the interpreter meanwhile.
    """

    def __init__(self) -> None:
        self._over = threading.Event()
        self._longest = 0.0
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def longest(self) -> float:
        """Return the longest wait since this was last asked."""
        longest, self._longest = self._longest, 0.0
        return longest

    def _beat(self) -> None:
        before, queued = perf_counter(), _queued()
        while not self._over.is_set():
            sleep(_BEAT)
            now, queue = perf_counter(), _queued()
            waited = sum(queue[thread] - queued[thread] for thread in queue.keys() & queued.keys())
            self._longest = max(self._longest, now - before - _BEAT - waited)
            before, queued = now, queue


def _queued() -> dict[str, float]:
    """Return the seconds that each thread of this process has waited for a core."""
    waited = {}
    for thread in _TASKS.glob("*"):
        with suppress(OSError, ValueError, IndexError):  # One that has ended meanwhile.
            waited[thread.name] = int((thread / "schedstat").read_text().split()[1]) / 1e9
    return waited
