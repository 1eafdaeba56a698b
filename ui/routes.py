"""Addresses of our own beside Streamlit's: what concerns runs, and the scripts of our components.

Streamlit's checks do not cover these routes: `ui.web` has its own.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from streamlit import config
from streamlit.url_util import make_url_path

from ui.run_routes import nothing_here, run_routes

STATIC = Path(__file__).parent / "static"


def routes() -> list[BaseRoute]:
    """Return the routes that `app.py` adds to Streamlit's, under the same path as those."""
    prefix = make_url_path(config.get_option("server.baseUrlPath"), "").rstrip("/")
    return [
        *run_routes(prefix),
        Route(f"{prefix}/start", lambda request: RedirectResponse("./")),
        # The version is in the path, so that what scripts import from each other is of that version, too.
        Mount(f"{prefix}/partwise/static/{static_version()}", _Unchanging(directory=STATIC)),
        Route(f"{prefix}/partwise/{{rest:path}}", nothing_here),
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
