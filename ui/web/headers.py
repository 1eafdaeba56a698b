"""Security headers of every response: where scripts may come from, and who may embed the page."""

from __future__ import annotations

import logging
import os
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

log = logging.getLogger(__name__)
EMBED_ORIGINS = "PARTWISE_EMBED_ORIGINS"
_ORIGIN = re.compile(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?", re.ASCII | re.IGNORECASE)
# Streamlit writes styles into the page, and makes modules and pictures of what it has been sent (blob:).
_PAGE = {
    "default-src": "'self'",
    "script-src": "'self' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "connect-src": "'self' data: blob:",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
_ANSWER = "default-src 'none'; frame-ancestors 'none'; sandbox"


class SecurityHeaders:
    """Adds them to every answer, ours and Streamlit's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        policy = _PAGE | {"frame-ancestors": " ".join(["'self'", *embed_origins()])}
        policy["script-src"] += "".join(f" '{digest}'" for digest in _inline_scripts())
        self._page = "; ".join(f"{name} {value}" for name, value in policy.items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, and its answer with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        ours = "/partwise/" in scope["path"]

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                # The address of a page may hold the id of a run.
                headers["Referrer-Policy"] = "same-origin"
                headers["Content-Security-Policy"] = _ANSWER if ours else self._page
                if ours:
                    headers["Cross-Origin-Resource-Policy"] = "same-origin"
            await send(message)

        await self._app(scope, receive, send_on)


def _inline_scripts() -> list[str]:
    """Return the digests of the scripts that stand in Streamlit's page itself: those alone may."""
    page = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return [f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}" for script in scripts]


def embed_origins() -> list[str]:
    """Return whose pages may embed ours; what the environment names and is no origin counts for nothing."""
    named = re.split(r"[\s,]+", os.environ.get(EMBED_ORIGINS, "").strip())
    origins = [origin for origin in named if _ORIGIN.fullmatch(origin)]
    for odd in set(named) - {*origins, ""}:
        log.warning("%s: %r is not an origin such as https://lab.example.org.", EMBED_ORIGINS, odd[:80])
    return origins
