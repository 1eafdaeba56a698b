"""What Streamlit does on a line that was lost while it wrote to it leaves nothing in the log."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ui.web.lost_lines import LostLines

LINE: Scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "query_string": b""}


async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
    """Write while another waits to read, and close what cannot be read, as Streamlit's own route does."""
    line = WebSocket(scope, receive, send)
    await line.accept()
    with suppress(Exception):
        await line.send_bytes(b"an update")
    try:
        await line.receive_bytes()
    except RuntimeError:
        await line.close()


async def connect() -> Message:
    return {"type": "websocket.connect"}


async def lost(message: Message) -> None:
    if message["type"] == "websocket.send":
        raise OSError("The tab is closed.")


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError("something else")


def test_a_line_lost_while_streamlit_writes_ends_without_a_word() -> None:
    with pytest.raises(RuntimeError, match="close message"):
        asyncio.run(streamlit(dict(LINE), connect, lost))
    asyncio.run(LostLines(streamlit)(dict(LINE), connect, lost))


def test_every_other_error_is_told() -> None:
    with pytest.raises(RuntimeError, match="something else"):
        asyncio.run(LostLines(broken)(dict(LINE), connect, lost))
