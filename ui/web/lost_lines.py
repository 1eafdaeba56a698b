"""A line lost while Streamlit writes to it is closed by it a second time, which is nobody's error."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected


class LostLines:
    """Ends such a line without a word in the server's log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request; nobody is left to answer on a line that is lost."""
        try:
            await self._app(scope, receive, send)
        except WebSocketDisconnected:
            if scope["type"] != "websocket":
                raise
