"""The talk as a face is spoiled by hand.

A picture of one's own comes and stays in the line of the page that sent it: no address leads to it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.web.asked import Asked, RefusedError
from ui.web.questions import working
from ui.web.sockets import close, opened
from ui.web.threads import BusyError

if TYPE_CHECKING:
    from ui.robustness.answers import Panel

MOST_METHODS = 7


async def robustness(socket: WebSocket) -> None:
    """Answer one question after the other; the browser asks the next when it has drawn the last answer."""
    asked = await opened(socket, MOST_METHODS)
    if asked is None:
        return
    try:
        panel = await working.run(partial(_panel, asked))
        while (message := await socket.receive())["type"] == "websocket.receive":
            if message.get("bytes") is not None:
                panel.take_own(message["bytes"])
                continue
            question = panel.understood(message["text"])
            await socket.send_bytes(await working.run(partial(panel.answer, question)))
    except ValueError as refusal:
        await close(socket, RefusedError(str(refusal)))
    except BusyError:
        await close(socket, RefusedError("The server is very busy.", 503))
    except WebSocketDisconnect:
        return  # Closed by the browser while an answer was on its way.


def _panel(asked: Asked) -> Panel:
    from ui.robustness.answers import Panel

    return Panel(asked.runs)
