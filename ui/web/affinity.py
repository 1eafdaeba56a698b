"""A cookie with the name of this server, by which a proxy before several brings a visitor back to it.

Without `PARTWISE_SERVER_NAME` there is none. A visitor whose server is away is answered by another, and the
cookie has its name from then on: so the page and all it asks are always with one server.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from experiments.server_name import configured_name

COOKIE = "partwise_server"


class ServerCookie:
    """Adds it to every answer to who comes with none or with that of another server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._name = configured_name()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, and its answer with the cookie."""
        named = scope["type"] == "http" and HTTPConnection(scope).cookies.get(COOKIE)
        if not self._name or scope["type"] != "http" or named == self._name:
            await self._app(scope, receive, send)
            return

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                cookie = f"{COOKIE}={self._name}; Path=/; HttpOnly; SameSite=Lax"
                MutableHeaders(scope=message).append("Set-Cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_on)
