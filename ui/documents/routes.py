"""Addresses of the documents page: topics as they form, lists of documents, one document, search.

A run is reached by its unguessable id alone; whoever does not know it is told nothing.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ui.origin import same_origin
from ui.service import service

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

_LOOK_EVERY = 0.03
# A question about something new is answered at the latest after this long, with what there is.
_PATIENCE = 8.0


def documents_routes() -> list[BaseRoute]:
    """Return the routes of this page."""
    return [
        Route("/partwise/topics/{run}", _overview),
        Route("/partwise/topics/{run}/documents", _documents),
        Route("/partwise/topics/{run}/document/{row:int}", _document),
        Route("/partwise/topics/{run}/search", _search),
    ]


async def _overview(request: Request) -> Response:
    """Send the topics as soon as they differ from what the browser has `seen`."""
    handle = _handle(request)
    if handle is None:
        return _gone()
    asked = request.query_params
    until = monotonic() + _PATIENCE
    while _answers().seen(handle) == asked.get("seen") and monotonic() < until and not handle.ended:
        handle.look()
        await asyncio.sleep(_LOOK_EVERY)
    return await _answer(_answers().overview, handle, asked.get("beside", ""))


async def _documents(request: Request) -> Response:
    """Send a page of the documents of a topic, a class, or both."""
    handle = _handle(request)
    if handle is None:
        return _gone()
    try:
        topic, group, start = (_number(request, name) for name in ("topic", "class", "start"))
    except ValueError as refusal:
        return JSONResponse({"error": str(refusal)}, status_code=400)
    taken = request.query_params.get("taken") == "1"
    return await _answer(_answers().documents, handle, topic, group, taken, start or 0)


async def _document(request: Request) -> Response:
    """Send one document."""
    handle = _handle(request)
    if handle is None:
        return _gone()
    try:
        topic = _number(request, "topic")
    except ValueError as refusal:
        return JSONResponse({"error": str(refusal)}, status_code=400)
    row, beside = request.path_params["row"], request.query_params.get("beside", "")
    return await _answer(_answers().document, handle, row, topic, beside)


async def _search(request: Request) -> Response:
    """Send the words and documents that a query finds."""
    handle = _handle(request)
    if handle is None:
        return _gone()
    return await _answer(_answers().search, handle, request.query_params.get("q", ""))


async def _answer(ask: Callable[..., dict[str, Any]], *about: Any) -> Response:
    try:
        found = await run_in_threadpool(ask, *about)
    except KeyError:
        return JSONResponse({"error": "There is no such document."}, status_code=404)
    except ValueError as refusal:
        return JSONResponse({"error": str(refusal)}, status_code=400)
    return JSONResponse(found, headers={"Cache-Control": "no-store"})


def _handle(request: Request) -> Handle | None:
    return service().get(request.path_params["run"]) if same_origin(request) else None


def _gone() -> Response:
    return JSONResponse({"error": "This run is no longer kept."}, status_code=404)


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ValueError(f"{name} must be a whole number of 0 or more.")
    return int(text)


def _answers() -> ModuleType:
    # Imported late: it needs NumPy and SciPy, which must not delay the first page.
    return importlib.import_module("ui.documents.answers")
