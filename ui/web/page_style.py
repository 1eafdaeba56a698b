"""Our style stands in the page from its first byte: what Streamlit is told to add comes after words.

Without it all that is on the page by then would move.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.theme import page_style

_END = b"</head>"


class PageStyle:
    """Writes the style into the head of every page that is served."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, and its answer, with the style if it is a page."""
        if scope["type"] != "http" or not _may_ask_for_a_page(scope):
            await self._app(scope, receive, send)
            return
        page: list[Message] = []

        async def send_on(message: Message) -> None:
            if page or _begins_page(message):
                page.append(message)
                if message["type"] == "http.response.body" and not message.get("more_body"):
                    for changed in _styled(page):
                        await send(changed)
            else:
                await send(message)

        # A packed page could not be written into; it is small.
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self._app({**scope, "headers": headers}, receive, send_on)


def _may_ask_for_a_page(scope: Scope) -> bool:
    return scope["method"] == "GET" and "text/html" in Headers(scope=scope).get("accept", "")


def _begins_page(message: Message) -> bool:
    if message["type"] != "http.response.start":
        return False
    return MutableHeaders(scope=message).get("content-type", "").startswith("text/html")


def _styled(page: list[Message]) -> list[Message]:
    """Return the messages of a page with the style at the end of its head."""
    start, *pieces = page
    body = b"".join(piece.get("body", b"") for piece in pieces)
    body = body.replace(_END, page_style().encode() + _END, 1)
    headers = MutableHeaders(scope=start)
    headers["content-length"] = str(len(body))
    # They are those of Streamlit's file, and would outlive a change of ours.
    for name in ("etag", "last-modified"):
        if name in headers:
            del headers[name]
    return [start, {"type": "http.response.body", "body": body}]
