"""Roads for watching runs: frames as they happen, frames that were kept, who the samples are, races."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.live.turns import Turns
from ui.origin import UNKNOWN_RUN, same_origin
from ui.service import service

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

_FRAME_EVERY = 0.08
_RACE_EVERY = 0.15
_LOOK_EVERY = 0.01
# So many looks a second are taken in all: with thirty visitors each runs a little behind.
_LOOKS = 800
_MOST_RACERS = 4
_FOR_EVER = {"Cache-Control": "max-age=86400, immutable"}
_turns = Turns()
_watching: set[object] = set()


def live_routes() -> list[BaseRoute]:
    """Return the routes for the live page and all others that show a run."""
    return [
        WebSocketRoute("/partwise/live/{run}", _live),
        WebSocketRoute("/partwise/race/{runs}", _race),
        Route("/partwise/kept/{run}/{iteration:int}", _kept),
        Route("/partwise/cast/{run}", _cast),
    ]


def theme_of(connection: HTTPConnection) -> str:
    """Return the theme a picture is asked for in."""
    return "dark" if connection.query_params.get("theme") == "dark" else "light"


class _Wishes:
    """What a browser has asked for: another frame, and which sample it wants to see rebuilt."""

    def __init__(self, sample: int) -> None:
        self.frame = False
        self.sample = sample

    async def listen(self, socket: WebSocket) -> None:
        """Take in each message until the browser goes away."""
        async for text in socket.iter_text():
            word, _, number = text.partition(" ")
            if word == "sample" and number.isdecimal():
                self.sample = int(number)
            else:
                self.frame = True


async def _live(socket: WebSocket) -> None:
    """Send a frame for each message received, as soon as there is something new to see.

    The browser asks for the next frame when it has drawn the last one, so a slow browser gets
    fewer frames and the run never waits for it.
    """
    handles = await _accepted(socket, [socket.path_params["run"]])
    if handles:
        handle, theme, view = handles[0], theme_of(socket), socket.query_params.get("view")
        await _send_frames(
            socket,
            handles,
            lambda sample: _frames().frame(handle, theme, view, sample),
            _FRAME_EVERY,
        )


async def _race(socket: WebSocket) -> None:
    """The same for the curves of several runs at once."""
    handles = await _accepted(socket, socket.path_params["runs"].split(",")[:_MOST_RACERS])
    if handles:
        race = importlib.import_module("ui.live.race_frames")
        await _send_frames(socket, handles, lambda sample: race.race_frame(handles), _RACE_EVERY)


async def _accepted(socket: WebSocket, runs: Sequence[str]) -> list[Handle]:
    if not same_origin(socket):
        await socket.close(1008)
        return []
    await socket.accept()
    found = [await run_in_threadpool(service().get, run) for run in runs]
    handles = [handle for handle in found if handle is not None]
    if len(handles) < len(found):
        await socket.close(UNKNOWN_RUN)
        return []
    return handles


async def _send_frames(
    socket: WebSocket, handles: Sequence[Handle], make: Callable[[int], bytes], every: float
) -> None:
    first = socket.query_params.get("sample", "0")
    wishes, seen = _Wishes(int(first) if first.isdecimal() else 0), None
    listener = asyncio.create_task(wishes.listen(socket))
    _watching.add(wishes)
    awaited = True  # Nothing has been seen of these runs yet.
    try:
        while not listener.done():
            for handle in handles:
                handle.look()
            now: Any = (wishes.sample, *(handle.version for handle in handles))
            if wishes.frame and now != seen:
                wishes.frame = False
                seen, begun = now, monotonic()
                picture = await _turns.draw(partial(make, wishes.sample), urgent=awaited)
                awaited = awaited and not any(handle.reader for handle in handles)
                await socket.send_bytes(picture)
                await asyncio.sleep(max(0.0, begun + every - monotonic()))
            else:
                await asyncio.sleep(max(_LOOK_EVERY, len(_watching) / _LOOKS))
    except WebSocketDisconnect:
        return  # Closed by the browser while a frame was on its way.
    except ValueError:
        if not _of_an_upload(handles):
            raise
        await socket.close(UNKNOWN_RUN)  # Its data have been erased.
    finally:
        _watching.discard(wishes)
        listener.cancel()


async def _kept(request: Request) -> Response:
    """Send the pictures of an iteration that a run has kept; they never change."""
    handle = await run_in_threadpool(service().get, request.path_params["run"])
    if handle is None:
        return Response("This run is no longer kept.", status_code=404)
    sample = request.query_params.get("sample", "0")
    try:
        body = await run_in_threadpool(
            _frames().snapshot_frame,
            handle,
            request.path_params["iteration"],
            theme_of(request),
            request.query_params.get("view"),
            int(sample) if sample.isdecimal() else 0,
        )
    except KeyError:
        return Response("This iteration was not kept.", status_code=404)
    except ValueError as erased:
        if not _of_an_upload([handle]):
            raise
        return Response(str(erased), status_code=404)
    return Response(body, media_type="application/octet-stream", headers=_FOR_EVER)


async def _cast(request: Request) -> Response:
    """Send who the points of a run are; that never changes either."""
    handle = await run_in_threadpool(service().get, request.path_params["run"])
    if handle is None:
        return Response("This run is no longer kept.", status_code=404)
    cast = importlib.import_module("ui.live.cloud").cast
    try:
        return JSONResponse(await run_in_threadpool(cast, handle), headers=_FOR_EVER)
    except ValueError as erased:
        if not _of_an_upload([handle]):
            raise
        return Response(str(erased), status_code=404)


def _of_an_upload(handles: Sequence[Handle]) -> bool:
    """Whether runs are of data that their owner may take away while they are watched."""
    is_upload = importlib.import_module("experiments.intake").is_upload
    return any(is_upload(handle.request.dataset) for handle in handles)


def _frames() -> ModuleType:
    # Imported late: drawing needs NumPy and Pillow, which must not delay the first page.
    return importlib.import_module("ui.live.frames")
