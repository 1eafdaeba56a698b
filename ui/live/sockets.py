"""Runs to watch as they happen: a frame for each that the browser asks for, as soon as there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.live.drag import LONGEST_TURN, Drag, Turn, turn_in
from ui.live.turns import PictureTurns
from ui.web.checked_request import CheckedRequest, RefusedError, who_asks
from ui.web.sockets import message, opened

_FRAME_EVERY = 0.08
_RACE_EVERY = 0.15
_LOOK_EVERY = 0.01
# So many looks a second are taken in all: with thirty visitors each runs a little behind.
_LOOKS = 800
_MOST_RACERS, _MOST_DIGITS = 4, 9
_turns = PictureTurns()
_watching: set[object] = set()


class _Wishes:
    """What a browser has requested: another frame, which sample to show rebuilt, where a hand is."""

    def __init__(self, sample: int) -> None:
        self.frame = False
        self.sample = sample
        self.turn: Turn | None = None
        self.let_go = False

    async def listen(self, socket: WebSocket) -> RefusedError | None:
        """Take in each message until the browser goes away; return why it is sent away, if it is."""
        while True:
            try:
                received = await message(socket)
            except WebSocketDisconnect:
                return None
            except RefusedError as refusal:
                return refusal
            if isinstance(received, str):  # Anything else is not what a page would say.
                self._take(received[:LONGEST_TURN])

    def _take(self, received: str) -> None:
        word, _, rest = received.partition(" ")
        if word == "sample" and rest.isascii() and rest.isdecimal() and len(rest) <= _MOST_DIGITS:
            self.sample = int(rest)
        elif word == "next":
            self.frame = True
        elif word == "turn":
            self.turn, self.let_go = turn_in(rest) or self.turn, False
        elif word == "release":
            self.turn, self.let_go = None, True


async def live(socket: WebSocket) -> None:
    """Send a frame for each message received, as soon as there is something new to see.

    The browser asks for the next frame when it has drawn the last one, so a slow browser gets
    fewer frames and the run never waits for it.
    """
    async with opened(socket) as request:
        if request is not None:
            hand = Drag(request.run, request.visitor)
            try:
                await _send_frames(socket, request, partial(_frame, hand), _FRAME_EVERY, hand)
            finally:
                hand.let_go()


async def race(socket: WebSocket) -> None:
    """The same for the curves of several runs at once."""
    async with opened(socket, _MOST_RACERS) as request:
        if request is not None:
            await _send_frames(socket, request, _race_frame, _RACE_EVERY)


def _frame(hand: Drag, request: CheckedRequest, sample: int) -> bytes:
    from ui.live.frames import frame

    return frame(hand.displayed, request.theme, request.word("view") or None, sample, hand.problem)


def _race_frame(request: CheckedRequest, sample: int) -> bytes:
    from ui.live.race_frames import race_frame

    return race_frame(request.runs)


async def _follow(hand: Drag, wishes: _Wishes) -> None:
    """Pass on where the hand is, or that it has let go."""
    if wishes.let_go:
        wishes.let_go = False
        hand.let_go()
    if wishes.turn is not None:
        turn, wishes.turn = wishes.turn, None
        await run_in_threadpool(hand.turn, turn)


async def _send_frames(
    socket: WebSocket,
    request: CheckedRequest,
    make: Callable[[CheckedRequest, int], bytes],
    every: float,
    hand: Drag | None = None,
) -> None:
    wishes, sent, displayed = _Wishes(request.number("sample")), None, None
    listener = asyncio.create_task(wishes.listen(socket))
    _watching.add(wishes)
    next_at = 0.0
    awaited = True  # Nothing has been seen of these runs yet.
    try:
        while not listener.done():
            if hand is not None:
                await _follow(hand, wishes)
            for handle in request.runs if hand is None else hand.handles:
                handle.touch()
            seen = tuple(request.runs) if hand is None else (hand.displayed,)
            version: Any = (wishes.sample, hand and hand.problem, *(handle.version for handle in seen))
            # The first parts do not wait for what was sent while there were none.
            come = awaited and any(handle.reader for handle in request.runs)
            # A hand is followed between two pictures, too, and the first one that follows it does not wait.
            due = come or monotonic() >= next_at
            if wishes.frame and (seen != displayed or (version != sent and due)):
                wishes.frame = False
                sent, displayed, begun = version, seen, monotonic()
                draw = partial(make, request, wishes.sample)
                held = hand is not None and hand.displayed is not request.run
                picture = await _turns.draw(draw, visitor=who_asks(socket), urgent=awaited or held)
                awaited = awaited and not come
                await socket.send_bytes(picture)
                next_at = begun + every
            else:
                await asyncio.sleep(max(_LOOK_EVERY, len(_watching) / _LOOKS))
        if (refusal := await listener) is not None:
            raise refusal
    except RefusedError:
        raise
    except ValueError as gone:
        raise RefusedError(str(gone), 404) from gone  # The data of the run have been erased.
    finally:
        _watching.discard(wishes)
        listener.cancel()
