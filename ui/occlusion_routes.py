"""Addresses of the occlusion page: the talk while a patch is dragged, the curves, and pictures of patches.

Runs are named by their unguessable ids, joined by commas; whoever does not know them is told nothing.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.origin import UNKNOWN_RUN, same_origin
from ui.service import service

if TYPE_CHECKING:
    from experiments.service import Handle

_NOT_UNDERSTOOD = 4400


def occlusion_routes() -> list[BaseRoute]:
    """Return the routes of this page."""
    return [
        WebSocketRoute("/partwise/occlusion/{runs}", _talk),
        Route("/partwise/accuracy/{runs}", _accuracy),
        Route("/partwise/patch/{kind}", _patch),
    ]


async def _talk(socket: WebSocket) -> None:
    """Answer one question after the other; the browser asks the next when it has drawn the last answer."""
    if not same_origin(socket):
        await socket.close(1008)
        return
    await socket.accept()
    handles = _handles(socket.path_params["runs"])
    if handles is None:
        await socket.close(UNKNOWN_RUN)
        return
    try:
        panel = await run_in_threadpool(_answers().Panel, handles)
        async for text in socket.iter_text():
            question = panel.understood(text)
            await socket.send_bytes(await run_in_threadpool(panel.answer, question))
    except ValueError:
        await socket.close(_NOT_UNDERSTOOD)
    except WebSocketDisconnect:
        return  # Closed by the browser while an answer was on its way.


async def _accuracy(request: Request) -> Response:
    """Send the curves as far as they are known."""
    handles = _handles(request.path_params["runs"])
    if handles is None:
        return JSONResponse({"error": "These runs are no longer kept."}, status_code=404)
    asked = request.query_params
    try:
        found: dict[str, Any] = await run_in_threadpool(
            _answers().accuracy, handles, asked.get("kind", "grey"), asked.get("metric", "euclidean")
        )
    except ValueError as refusal:
        return JSONResponse({"error": str(refusal)}, status_code=400)
    return JSONResponse(found, headers={"Cache-Control": "no-store"})


async def _patch(request: Request) -> Response:
    """Send the picture of a kind of patch; it never changes."""
    try:
        height, width = (int(request.query_params[name]) for name in ("height", "width"))
        body = await run_in_threadpool(_answers().patch_picture, request.path_params["kind"], height, width)
    except (ValueError, KeyError) as refusal:
        return Response(f"There is no such patch: {refusal}", status_code=400, media_type="text/plain")
    return Response(body, media_type="image/png", headers={"Cache-Control": "max-age=86400"})


def _handles(joined: str) -> list[Handle] | None:
    """Return the runs with these ids, None unless all of them are kept."""
    found = [service().get(id) for id in joined.split(",")]
    known = [handle for handle in found if handle is not None]
    return known if len(known) == len(found) else None


def _answers() -> ModuleType:
    # Imported late: it needs NumPy, SciPy and Pillow, which must not delay the first page.
    return importlib.import_module("ui.occlusion_answers")
