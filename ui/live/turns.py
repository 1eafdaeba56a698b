"""Who may draw next, when many look on: clicks and sliders must not wait for pictures."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

Made = TypeVar("Made")


class Turns:
    """Has one picture drawn at a time, the urgent ones first, and rests after each as long as it took.

    So half of the interpreter's time is left to everything else. Who looks on alone does not notice:
    ten pictures a second leave more time than that.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._number = count()
        self._busy = False
        self._rested_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    async def draw(self, make: Callable[[], Made], *, urgent: bool = False) -> Made:
        """Return what `make` returns, made in a thread when its turn has come."""
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not urgent, next(self._number), turn))
        self._let_in()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(0.0)
            raise
        begun = monotonic()
        try:
            return await run_in_threadpool(make)
        finally:
            self._leave(monotonic() - begun)

    def _leave(self, spent: float) -> None:
        self._busy, self._rested_at = False, monotonic() + spent
        self._let_in()

    def _wake(self) -> None:
        self._alarm = None
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._waiting[0][2].cancelled():
            heapq.heappop(self._waiting)
        if self._busy or not self._waiting:
            return
        calm, _, turn = self._waiting[0]
        rest = self._rested_at - monotonic()
        if calm and rest > 0:
            if self._alarm is None:
                self._alarm = asyncio.get_running_loop().call_later(rest, self._wake)
            return
        heapq.heappop(self._waiting)
        self._busy = True
        turn.set_result(None)
