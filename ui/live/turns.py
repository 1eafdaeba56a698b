"""Who may draw next, when many look on: clicks and sliders must not wait for pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from experiments.engine.turns import Lead
from ui.web.served import Served, Visitor

Made = TypeVar("Made")
# Urgent pictures go before all others until they have had so many seconds more than these.
_MOST_LEAD = 0.25


@dataclass(frozen=True, eq=False)
class _Wish:
    visitor: Visitor
    urgent: bool
    number: int
    turn: asyncio.Future[None]


class PictureTurns:
    """Has one picture drawn at a time, everybody's in turn, and rests after each as long as it took.

    So half of the interpreter's time is left to everything else. Who looks on alone does not notice:
    ten pictures a second leave more time than that. Urgent pictures come first, up to half of the time.
    """

    def __init__(self) -> None:
        self._waiting: list[_Wish] = []
        self._served = Served()
        self._lead = Lead(_MOST_LEAD, 1)
        self._number = count(1)
        self._busy = False
        self._rested_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None

    async def draw(self, make: Callable[[], Made], *, visitor: Visitor = (), urgent: bool = False) -> Made:
        """Return what `make` returns, made in a thread when its turn has come."""
        wish = _Wish(visitor, urgent, next(self._number), asyncio.get_running_loop().create_future())
        self._waiting.append(wish)
        self._let_in()
        try:
            await wish.turn
        except asyncio.CancelledError:
            if wish.turn.done() and not wish.turn.cancelled():
                self._leave(0.0, wish)
            raise
        begun = monotonic()
        try:
            return await run_in_threadpool(make)
        finally:
            self._leave(monotonic() - begun, wish)

    def _leave(self, spent: float, wish: _Wish) -> None:
        self._lead.charge(spent, awaited=wish.urgent)
        self._busy, self._rested_at = False, monotonic() + spent
        self._let_in()

    def _wake(self) -> None:
        self._alarm = None
        self._let_in()

    def _let_in(self) -> None:
        self._waiting = [wish for wish in self._waiting if not wish.turn.cancelled()]
        if self._busy or not self._waiting:
            return
        wish = self._next()
        rest = self._rested_at - monotonic()
        if not wish.urgent and rest > 0:
            if self._alarm is None:
                self._alarm = asyncio.get_running_loop().call_later(rest, self._wake)
            return
        self._waiting.remove(wish)
        self._busy = True
        self._served.note(wish.visitor)
        wish.turn.set_result(None)

    def _next(self) -> _Wish:
        """Return the wish of whose address, and then of who of it, has waited longest; the urgent first."""
        urgent = [wish for wish in self._waiting if wish.urgent]
        others = [wish for wish in self._waiting if not wish.urgent]
        first = urgent if urgent and (self._lead.free or not others) else others
        return min(first, key=lambda wish: (*self._served.rank(wish.visitor), wish.number))
