"""A browser of a few lines: asks routes for pages and talks to their WebSockets, without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from tests.waiting import PATIENCE


@dataclass
class Answer:
    """What a page was answered with."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Socket:
    """A WebSocket: what came through it, and the code it was closed with (None: left open)."""

    def __init__(
        self, app: ASGIApp, address: str, headers: Mapping[str, str] | None = None, client: str = "here"
    ) -> None:
        self._app = app
        self._scope = _scope("websocket", address, headers or {}) | {"client": (client, 1)}
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._waiting.put_nowait({"type": "websocket.connect"})
        self.received: list[bytes] = []
        self.accepted = False
        self.code: int | None = None
        self.reason = ""

    def say(self, text: str | bytes) -> None:
        """Send a text or a block of bytes."""
        kind = "text" if isinstance(text, str) else "bytes"
        self._waiting.put_nowait({"type": "websocket.receive", kind: text})

    def leave(self) -> None:
        """Go away when all that was said has been heard."""
        self._waiting.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def serve(self) -> None:
        """Let the app serve it to its end."""
        await self._app(self._scope, self._waiting.get, self._send)

    async def _send(self, message: Any) -> None:
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.send":
            self.received.append(message["bytes"])
        else:
            self.code, self.reason = message["code"], message.get("reason") or ""


def get(routes: Sequence[BaseRoute], address: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Ask for an address."""
    return asyncio.run(ask(Starlette(routes=routes), address, headers or {}))


async def ask(app: ASGIApp, address: str, headers: Mapping[str, str] | None = None) -> Answer:
    """The same of a whole app, from within an event loop."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(_scope("http", address, headers or {}) | {"method": "GET"}, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))


def talk(
    routes: Sequence[BaseRoute],
    address: str,
    texts: Sequence[str | bytes],
    headers: Mapping[str, str] | None = None,
) -> Socket:
    """Say one text or block of bytes after the other, when all before have been dealt with, then go away."""

    async def conversation() -> Socket:
        line = Socket(Starlette(routes=routes), address, headers)
        for text in texts:
            line.say(text)
        line.leave()
        await line.serve()
        return line

    return asyncio.run(conversation())


def watch(
    routes: Sequence[BaseRoute],
    address: str,
    texts: Sequence[str | bytes],
    frames: int,
    headers: Mapping[str, str] | None = None,
) -> Socket:
    """Say the texts, and stay until so many frames have come; every "next" waits for its frame."""

    async def conversation() -> Socket:
        line, asked = Socket(Starlette(routes=routes), address, headers), 0
        serving = asyncio.create_task(line.serve())
        for text in texts:
            line.say(text)
            asked += text == "next"
            async with asyncio.timeout(PATIENCE):
                while len(line.received) < min(asked, frames) and not serving.done():
                    await asyncio.sleep(0.005)
        line.leave()
        await serving
        return line

    return asyncio.run(conversation())


def _scope(kind: str, address: str, headers: Mapping[str, str]) -> dict[str, Any]:
    path, _, query = address.partition("?")
    named = {"host": "here", **headers}
    return {
        "type": kind,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in named.items()],
        "root_path": "",
        "subprotocols": [],
    }
