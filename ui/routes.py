"""Addresses of our own beside Streamlit's: frames of runs as they happen, kept frames, scripts.

Streamlit's checks do not cover these routes. A run is reached by its unguessable id alone, and a
WebSocket is refused when a page of another origin opens it.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ui.bases.routes import bases_routes
from ui.documents.routes import documents_routes
from ui.live.routes import live_routes, theme_of
from ui.robustness.routes import robustness_routes
from ui.views.routes import views_routes

STATIC = Path(__file__).parent / "static"


def routes() -> list[BaseRoute]:
    """Return the routes that `app.py` adds to Streamlit's."""
    return [
        *live_routes(),
        *bases_routes(),
        *documents_routes(),
        *robustness_routes(),
        *views_routes(),
        Route("/partwise/samples/{dataset}", _samples),
        Route("/start", lambda request: RedirectResponse("./")),
        # The version is in the path, so that what scripts import from each other is of that version, too.
        Mount(f"/partwise/static/{static_version()}", _Unchanging(directory=STATIC)),
    ]


class _Unchanging(StaticFiles):
    """Files that never change under their address: browsers need not ask again."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return the file, to be kept."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "max-age=31536000, immutable"
        return response


@lru_cache(maxsize=1)
def static_version() -> str:
    """Return a short name for the present state of our scripts, so that browsers never use old ones."""
    digest = sha256()
    for path in sorted(STATIC.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


async def _samples(request: Request) -> Response:
    """Send a picture of some samples of a data set; the query holds the options it is loaded with."""
    options = {name: value for name, value in request.query_params.items() if name != "theme"}
    try:
        picture = await run_in_threadpool(
            _frames().samples_picture, request.path_params["dataset"], options, theme_of(request)
        )
    except ValueError as refusal:
        return Response(str(refusal), status_code=404)
    return Response(picture, media_type="application/octet-stream", headers={"Cache-Control": "max-age=3600"})


def _frames() -> ModuleType:
    # Imported late: drawing needs NumPy and Pillow, which must not delay the first page.
    return importlib.import_module("ui.live.frames")
