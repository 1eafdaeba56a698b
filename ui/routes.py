"""Addresses of our own beside Streamlit's: what concerns runs, and the scripts of our components.

Streamlit's checks do not cover these routes: `ui.web` has its own.
"""

from __future__ import annotations

from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Mount, Route
from streamlit import config
from streamlit.url_util import make_url_path

from ui.run_routes import nothing_here, run_routes
from ui.static_files import STATIC, UnchangingFiles, static_version


def routes() -> list[BaseRoute]:
    """Return the routes that `app.py` adds to Streamlit's, under the same path as those."""
    prefix = make_url_path(config.get_option("server.baseUrlPath"), "").rstrip("/")
    return [
        *run_routes(prefix),
        Route(f"{prefix}/start", lambda request: RedirectResponse("./")),
        # The version is in the path, so that what scripts import from each other is of that version, too.
        Mount(f"{prefix}/partwise/static/{static_version()}", UnchangingFiles(directory=STATIC)),
        Route(f"{prefix}/partwise/{{rest:path}}", nothing_here),
    ]
