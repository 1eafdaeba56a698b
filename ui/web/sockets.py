"""WebSockets of our own: opened for whom they are meant, closed with a code and a sentence for the page."""

from __future__ import annotations

from starlette.websockets import WebSocket

from ui.web.asked import Asked, RefusedError
from ui.web.questions import checked

# Each stands for a status of HTTP; what the page does about it is in `static/socket.js`.
NOT_UNDERSTOOD, NOT_OURS, UNKNOWN_RUN, BUSY = 4400, 4403, 4404, 4503
_LONGEST_REASON = 120  # Bytes; the protocol allows 123.


async def opened(socket: WebSocket, most_runs: int = 1) -> Asked | None:
    """Accept a socket and return what it asks; None if it has been refused and closed.

    A refused one is accepted first: a browser tells a page nothing of why a handshake failed.
    """
    await socket.accept()
    try:
        return await checked(socket, most_runs)
    except RefusedError as refusal:
        await close(socket, refusal)
        return None


async def close(socket: WebSocket, refusal: RefusedError) -> None:
    """Close a socket for a reason."""
    reason = str(refusal).encode()[:_LONGEST_REASON].decode(errors="ignore")
    await socket.close(4000 + refusal.status, reason)
