"""A browser of a few lines: asks routes for pages and talks to their WebSockets, without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp


@dataclass
class Answer:
    """What a page was answered with."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Talk:
    """What came through a WebSocket: blocks of bytes, and the code it was closed with (None: left open)."""

    received: list[bytes] = field(default_factory=list)
    accepted: bool = False
    code: int | None = None


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
) -> Talk:
    """Say one text or block of bytes after the other, when all before have been dealt with, then go away."""
    heard = Talk()
    waiting = [
        {"type": "websocket.connect"},
        *(
            {"type": "websocket.receive", "text" if isinstance(text, str) else "bytes": text}
            for text in texts
        ),
        {"type": "websocket.disconnect", "code": 1001},
    ]

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        if message["type"] == "websocket.accept":
            heard.accepted = True
        elif message["type"] == "websocket.send":
            heard.received.append(message["bytes"])
        else:
            heard.code = message["code"]

    asyncio.run(Starlette(routes=routes)(_scope("websocket", address, headers or {}), receive, send))
    return heard


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
