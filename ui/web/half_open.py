"""Connections that begin a request and never end it: closed, for each takes up a descriptor of the server."""

from __future__ import annotations

import asyncio
import gc
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

_LOOK_EVERY = 5.0
# Seconds for the head of a request to arrive.
PATIENCE = 20.0


async def close_half_open() -> None:
    """Look through the connections of this server again and again, for as long as it runs."""
    since: WeakKeyDictionary[Any, tuple[Any, float]] = WeakKeyDictionary()
    # Looked for at once: what is taken out of garbage collection later is not listed any more.
    _connections()
    while True:
        await asyncio.sleep(_LOOK_EVERY)
        for connection in _connections():
            waits_after = getattr(connection, "cycle", None)
            if waits_after is not None and not waits_after.response_complete:
                since.pop(connection, None)  # A request is being answered.
                continue
            before, begun = since.get(connection, (None, 0.0))
            if connection not in since or before is not waits_after:
                since[connection] = (waits_after, monotonic())
            elif monotonic() - begun > PATIENCE:
                connection.transport.abort()


def _connections() -> list[Any]:
    """Return the HTTP connections of the uvicorn server we run in; whoever speaks WebSocket is left alone."""
    from uvicorn import Server

    servers = [object_ for object_ in _servers if isinstance(object_, Server)]
    if not servers:
        servers = [object_ for object_ in gc.get_objects() if isinstance(object_, Server)]
        _servers.extend(servers)
    return [
        connection
        for server in servers
        for connection in list(server.server_state.connections)
        if hasattr(connection, "cycle") and connection.transport is not None
    ]


_servers: list[Any] = []
