"""The server whose half-open connections are closed is known before it is taken out of garbage collection."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import suppress

import pytest
from uvicorn import Config, Server

from ui.web import half_open


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that nobody has looked for yet."""
    monkeypatch.setattr(half_open, "_servers", [])
    yield Server(Config("nothing:at_all"))
    gc.unfreeze()


def test_the_server_is_found_before_it_is_frozen(server: Server) -> None:
    async def begin() -> None:
        closing = asyncio.create_task(half_open.close_half_open())
        await asyncio.sleep(0)
        gc.freeze()
        half_open._connections()
        closing.cancel()
        with suppress(asyncio.CancelledError):
            await closing

    asyncio.run(begin())
    assert server in half_open._servers
