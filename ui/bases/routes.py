"""Addresses of the Bases page: parts in an order, a sample rebuilt without some of them, who uses one.

A run is named by its unguessable id; whoever does not know it is told nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ui.service import service

_MOST_OFF = 4000


def bases_routes() -> list[BaseRoute]:
    """Return the routes of this page."""
    return [Route("/partwise/basis/{run}/{what}", _answer)]


async def _answer(request: Request) -> Response:
    """Send what is asked of a run: parts, rebuilt or users."""
    handle = service().get(request.path_params["run"])
    if handle is None:
        return _no("This run is no longer kept. Reload the page to start it again.", 404)
    asked = request.query_params
    view, theme = asked.get("view"), "dark" if asked.get("theme") == "dark" else "light"
    answers = _answers()
    try:
        work: dict[str, Callable[[], bytes]] = {
            "parts": lambda: answers.sheet(handle, view, asked.get("order", "weight"), theme),
            "rebuilt": lambda: answers.rebuilt(
                handle, view, _number(asked.get("sample", "0")), _numbers(asked.get("off", "")), theme
            ),
            "users": lambda: answers.users(handle, view, _number(asked.get("part", "0")), theme),
        }
        body = await run_in_threadpool(work[request.path_params["what"]])
    except KeyError:
        return _no("Ask for parts, rebuilt or users.", 404)
    except ValueError as refusal:
        return _no(str(refusal), 400)
    return Response(body, media_type="application/octet-stream", headers={"Cache-Control": "no-store"})


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ValueError(f"A whole number of zero or more is needed, not {text[:20]!r}.")
    return int(text)


def _numbers(text: str) -> list[int]:
    parts = [part for part in text.split(",") if part]
    if len(parts) > _MOST_OFF:
        raise ValueError(f"At most {_MOST_OFF} parts can be named.")
    return [_number(part) for part in parts]


def _no(words: str, status: int) -> Response:
    return Response(words, status_code=status, media_type="text/plain")


def _answers() -> ModuleType:
    # Imported late: it needs NumPy, SciPy and Pillow, which must not delay the first page.
    return importlib.import_module("ui.bases.answers")
