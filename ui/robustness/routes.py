"""Addresses of the occlusion and noise pages: the talk as a face is spoiled, surveys, pictures of patches.

Runs are named by their unguessable ids, joined by commas; whoever does not know them is told nothing. A
picture of one's own comes and stays in the line of the page that sent it: no address leads to it.
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
    from experiments.engine.handle import Handle

_NOT_UNDERSTOOD = 4400


def robustness_routes() -> list[BaseRoute]:
    """Return the routes of these pages."""
    return [
        WebSocketRoute("/partwise/robustness/{runs}", _talk),
        Route("/partwise/accuracy/{runs}", _accuracy),
        Route("/partwise/places/{runs}", _places),
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
        while (message := await socket.receive())["type"] == "websocket.receive":
            if message.get("bytes") is not None:
                panel.take_own(message["bytes"])
                continue
            question = panel.understood(message["text"])
            await socket.send_bytes(await run_in_threadpool(panel.answer, question))
    except ValueError:
        await socket.close(_NOT_UNDERSTOOD)
    except WebSocketDisconnect:
        return  # Closed by the browser while an answer was on its way.


async def _accuracy(request: Request) -> Response:
    """Send the curves as far as they are known."""
    asked = request.query_params
    return await _survey(
        request, "accuracy", asked.get("kind", ""), asked.get("metric", ""), asked.get("how", "")
    )


async def _places(request: Request) -> Response:
    """Send the maps as far as they are known."""
    asked = request.query_params
    size = asked.get("size", "")
    return await _survey(
        request, "places", asked.get("kind", ""), int(size) if size.isdecimal() else 0,
        asked.get("metric", ""), asked.get("how", ""),
    )  # fmt: skip


async def _survey(request: Request, what: str, *asked: Any) -> Response:
    handles = _handles(request.path_params["runs"])
    if handles is None:
        return JSONResponse({"error": "These runs are no longer kept."}, status_code=404)
    # Imported late, as all that needs NumPy.
    survey = getattr(importlib.import_module("ui.robustness.surveys"), what)
    try:
        found: dict[str, Any] = await run_in_threadpool(survey, handles, *asked)
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
    return importlib.import_module("ui.robustness.answers")
