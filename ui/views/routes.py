"""Addresses of the page of several views: the course of a run by view, and the contest.

A run is named by its unguessable id; whoever does not know it is told nothing.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from ui.service import service

_MOST_SHOWN = 2
_FRESH = {"Cache-Control": "no-store"}


def views_routes() -> list[BaseRoute]:
    """Return the routes of this page."""
    return [Route("/partwise/views/{run}", _course), Route("/partwise/contest/{key}", _contest)]


async def _course(request: Request) -> Response:
    """Send weights and errors of every view; `words` (up to twice) asks for the topics of a view."""
    handle = await run_in_threadpool(service().get, request.path_params["run"])
    if handle is None:
        return Response("This run is no longer kept.", status_code=404)
    shown = tuple(request.query_params.getlist("words")[:_MOST_SHOWN])
    return JSONResponse(await run_in_threadpool(_answers().course, handle, shown), headers=_FRESH)


async def _contest(request: Request) -> Response:
    """Send how far a contest is; asking moves it on."""
    told = await run_in_threadpool(_answers().contest, request.path_params["key"])
    if told is None:
        return Response("This comparison is no longer kept.", status_code=404)
    return JSONResponse(told, headers=_FRESH)


def _answers() -> ModuleType:
    # Imported late: it needs NumPy and scikit-learn, which must not delay the first page.
    return importlib.import_module("ui.views.answers")
