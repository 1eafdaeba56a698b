"""The talk as a face is spoiled by hand.

A picture of one's own comes and stays in the line of the page that sent it: no address leads to it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket

from ui.robustness import MOST_METHODS
from ui.web.asked import Asked
from ui.web.questions import working
from ui.web.sockets import message, opened

if TYPE_CHECKING:
    from ui.robustness.answers import Panel


async def robustness(socket: WebSocket) -> None:
    """Answer one question after the other; the browser asks the next when it has drawn the last answer."""
    async with opened(socket, MOST_METHODS) as asked:
        if asked is None:
            return
        panel = await working.run(partial(_panel, asked))
        while True:
            said = await message(socket)
            if said == "still here":
                continue
            if isinstance(said, bytes):
                panel.take_own(said)
                continue
            question = panel.understood(said)
            await socket.send_bytes(await working.run(partial(panel.answer, question)))


def _panel(asked: Asked) -> Panel:
    from ui.robustness.answers import Panel

    return Panel(asked.runs)
