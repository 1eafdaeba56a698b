"""The socket over which a face is spoiled by hand.

An uploaded picture stays with the socket that sent it: no address leads to it.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket

from ui.robustness import CURVES, MAPS, MOST_METHODS
from ui.service import let_go
from ui.web.checked_request import CheckedRequest, who_asks
from ui.web.questions import working
from ui.web.sockets import message, opened

if TYPE_CHECKING:
    from ui.robustness.answers import Panel


async def robustness(socket: WebSocket) -> None:
    """Answer one question after the other; the browser asks the next when it has drawn the last answer."""
    async with opened(socket, MOST_METHODS) as request:
        if request is None:
            return
        who = who_asks(socket)
        panel = await working.run(partial(_panel, request), who)
        try:
            while True:
                received = await message(socket)
                if received == "still here":
                    continue
                if isinstance(received, bytes):
                    panel.take_own(received)
                    continue
                question = panel.understood(received)
                await socket.send_bytes(await working.run(partial(panel.answer, question), who))
        finally:
            # In a thread, since a lock may be held.
            left = (request.looker, CURVES, MAPS)
            threading.Thread(target=let_go, args=left, daemon=True, name="let-go").start()


def _panel(request: CheckedRequest) -> Panel:
    from ui.robustness.answers import Panel

    return Panel(request.runs)
