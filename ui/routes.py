"""Addresses of our own beside Streamlit's: frames of runs as they happen, kept frames, scripts.

Streamlit's checks do not cover these routes. A run is reached by its unguessable id alone, and a
WebSocket is refused when a page of another origin opens it.
"""

from __future__ import annotations

import asyncio
import importlib
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from types import ModuleType

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.bases_routes import bases_routes
from ui.documents_routes import documents_routes
from ui.origin import UNKNOWN_RUN, same_origin
from ui.robustness_routes import robustness_routes
from ui.service import service
from ui.views_routes import views_routes

STATIC = Path(__file__).parent / "static"
_FRAME_EVERY = 0.08
_LOOK_EVERY = 0.01


def routes() -> list[BaseRoute]:
    """Return the routes that `app.py` adds to Streamlit's."""
    return [
        WebSocketRoute("/partwise/live/{run}", _live),
        Route("/partwise/kept/{run}/{iteration:int}", _kept),
        *robustness_routes(),
        *views_routes(),
        *bases_routes(),
        *documents_routes(),
        Route("/partwise/samples/{dataset}", _samples),
        Route("/start", lambda request: RedirectResponse("./")),
        Mount("/partwise/static", StaticFiles(directory=STATIC)),
    ]


@lru_cache(maxsize=1)
def static_version() -> str:
    """Return a short name for the present state of our scripts, so that browsers never use old ones."""
    digest = sha256()
    for path in sorted(STATIC.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _theme(connection: HTTPConnection) -> str:
    return "dark" if connection.query_params.get("theme") == "dark" else "light"


async def _live(socket: WebSocket) -> None:
    """Send a frame for each message received, as soon as there is something new to see.

    The browser asks for the next frame when it has drawn the last one, so a slow browser gets
    fewer frames and the run never waits for it.
    """
    if not same_origin(socket):
        await socket.close(1008)
        return
    await socket.accept()
    handle = service().get(socket.path_params["run"])
    if handle is None:
        await socket.close(UNKNOWN_RUN)
        return
    wanted = asyncio.Event()
    listener = asyncio.create_task(_listen(socket, wanted))
    theme, seen = _theme(socket), None
    try:
        while not listener.done():
            handle.look()
            if wanted.is_set() and handle.version != seen:
                wanted.clear()
                seen, begun = handle.version, monotonic()
                await socket.send_bytes(await run_in_threadpool(_frames().frame, handle, theme))
                await asyncio.sleep(max(0.0, begun + _FRAME_EVERY - monotonic()))
            else:
                await asyncio.sleep(_LOOK_EVERY)
    except WebSocketDisconnect:
        return  # Closed by the browser while a frame was on its way.
    finally:
        listener.cancel()


async def _listen(socket: WebSocket, wanted: asyncio.Event) -> None:
    """Note each request for a frame until the browser goes away."""
    async for _ in socket.iter_text():
        wanted.set()


async def _kept(request: Request) -> Response:
    """Send the pictures of an iteration that a run has kept; they never change."""
    handle = service().get(request.path_params["run"])
    if handle is None:
        return Response("This run is no longer kept.", status_code=404)
    try:
        body = await run_in_threadpool(
            _frames().snapshot_frame, handle, request.path_params["iteration"], _theme(request)
        )
    except KeyError:
        return Response("This iteration was not kept.", status_code=404)
    return Response(
        body, media_type="application/octet-stream", headers={"Cache-Control": "max-age=86400, immutable"}
    )


async def _samples(request: Request) -> Response:
    """Send a picture of some samples of a data set; the query holds the options it is loaded with."""
    options = {name: value for name, value in request.query_params.items() if name != "theme"}
    try:
        picture = await run_in_threadpool(
            _frames().samples_picture, request.path_params["dataset"], options, _theme(request)
        )
    except ValueError as refusal:
        return Response(str(refusal), status_code=404)
    return Response(picture, media_type="image/webp", headers={"Cache-Control": "max-age=3600"})


def _frames() -> ModuleType:
    # Imported late: drawing needs NumPy and Pillow, which must not delay the first page.
    return importlib.import_module("ui.frames")
