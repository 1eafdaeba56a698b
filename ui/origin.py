"""Whose page is asking: Streamlit's own checks do not cover the routes we add."""

from __future__ import annotations

from urllib.parse import urlparse

from starlette.requests import HTTPConnection

UNKNOWN_RUN = 4404


def same_origin(connection: HTTPConnection) -> bool:
    """Return whether a connection comes from our own pages (or from no page at all)."""
    origin = connection.headers.get("origin")
    return origin is None or urlparse(origin).netloc == connection.headers.get("host")
