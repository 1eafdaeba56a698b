"""Whose page is asking: Streamlit's own checks do not cover the routes we add.

The rule is Streamlit's: a page of the same host, or of an origin that `server.corsAllowedOrigins` names.
"""

from __future__ import annotations

from urllib.parse import urlparse

from starlette.requests import HTTPConnection
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

_THIS_MACHINE = {"localhost", "127.0.0.1", "0.0.0.0"}


def from_our_pages(connection: HTTPConnection) -> bool:
    """Return whether a connection comes from our own pages, or from no page at all."""
    if not is_host_allowed(connection.headers.get("host")):
        return False
    origin = connection.headers.get("origin")
    if origin is None:
        # Pictures and scripts are asked for without an origin; the browser then says where they are shown.
        return connection.headers.get("sec-fetch-site") != "cross-site"
    try:
        page = urlparse(origin)
    except ValueError:  # Such as an address with half a bracket.
        return False
    if page.netloc and page.netloc == connection.headers.get("host"):
        return True
    return not config.get_option("server.enableCORS") or page.hostname in _allowed_hosts()


def _allowed_hosts() -> set[str | None]:
    named = {urlparse(origin.strip()).hostname for origin in config.get_option("server.corsAllowedOrigins")}
    return (named | _THIS_MACHINE) - {None}
