"""WebSockets of our own: opened for whom they are meant, closed with a code and a sentence for the page."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.web.checked_request import CheckedRequest, RefusedError, who_asks
from ui.web.questions import checked
from ui.web.threads import BusyError

# 4000 and a status of HTTP; what the page does about each is in `static/socket.js`.
NOT_UNDERSTOOD, NOT_OURS, UNKNOWN_RUN, SILENT, TOO_MANY, BUSY = 4400, 4403, 4404, 4408, 4429, 4503
_LONGEST_REASON = 120  # Bytes; the protocol allows 123.
# A page opens two or three; somebody with a dozen tabs is still well within.
MOST_A_VISITOR = 32
# Whoever takes many names, and a whole school behind one address.
MOST_AN_ADDRESS = 400
# A page says something every 45 seconds, a hidden one every minute.
SILENT_AFTER = 180.0
# A picture of one's own is the longest, a byte a pixel; Streamlit lets through far more.
_LONGEST_MESSAGE = 1_000_000
# A page says a dozen things a second at most; who says more waits, and the server need not keep up.
_PAUSE = 0.005
_open: Counter[str] = Counter()


@asynccontextmanager
async def opened(socket: WebSocket, most_runs: int = 1) -> AsyncIterator[CheckedRequest | None]:
    """Accept a socket for the length of a block, which gets what it asks; None if it has been refused.

    A refusal within the block (or any ValueError) closes it, too. A refused one is accepted first: a browser
    tells a page nothing of why a handshake failed.
    """
    await socket.accept()
    address, token = who_asks(socket)
    # A visitor whose browser has no token yet is known by the address.
    limits = {f"address {address}": MOST_AN_ADDRESS} | ({f"token {token}": MOST_A_VISITOR} if token else {})
    crowded = any(_open[name] >= most for name, most in limits.items())
    _open.update(limits.keys())
    try:
        yield await _checked_request(socket, most_runs, crowded)
    except WebSocketDisconnect:
        return  # Closed by the browser while an answer was on its way.
    except RefusedError as refusal:
        await _close(socket, refusal)
    except BusyError:
        await _close(socket, RefusedError("The server is very busy.", 503))
    except ValueError as refusal:
        await _close(socket, RefusedError(str(refusal)))
    finally:
        _open.subtract(limits.keys())
        for name in limits:
            if not _open[name]:
                del _open[name]


async def _checked_request(socket: WebSocket, most_runs: int, crowded: bool) -> CheckedRequest | None:
    try:
        if crowded:
            raise RefusedError("You are watching very many runs. Close some pages and reload this.", 429)
        return await checked(socket, most_runs)
    except RefusedError as refusal:
        await _close(socket, refusal)
        return None


async def message(socket: WebSocket) -> str | bytes:
    """Return the next message; a RefusedError if none comes for very long, or one that is very long."""
    try:
        async with asyncio.timeout(SILENT_AFTER):
            await asyncio.sleep(_PAUSE)
            heard: dict[str, Any] = dict(await socket.receive())
    except TimeoutError:
        raise RefusedError("Nothing has been heard of this page for long.", 408) from None
    if heard["type"] != "websocket.receive":
        raise WebSocketDisconnect(heard.get("code", 1000))
    content: str | bytes = heard["bytes"] if heard.get("bytes") is not None else heard["text"]
    if len(content) > _LONGEST_MESSAGE:
        raise RefusedError("The message is too long.")
    return content


async def _close(socket: WebSocket, refusal: RefusedError) -> None:
    reason = str(refusal).encode()[:_LONGEST_REASON].decode(errors="ignore")
    try:
        await socket.close(4000 + refusal.status, reason)
    except (RuntimeError, WebSocketDisconnect):
        return  # The browser was faster.
