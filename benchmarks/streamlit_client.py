"""A visitor without a browser: speaks Streamlit's own protocol, so that thirty of them fit on one machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

_SLIDER = "partwise_param_slider"


@dataclass(frozen=True)
class Widget:
    """A widget as the page shows it; `given` is what one of our own components was given."""

    id: str
    fragment: str
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Visitor:
    """One session: the widgets on its page by label, and what its own components were given."""

    line: ClientConnection
    widgets: dict[str, Widget] = field(default_factory=dict)
    components: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    _moves: int = 0

    @classmethod
    async def arrive(cls, url: str, page: str, query: str, token: str = "") -> Self:
        """Open a page and wait until it has been drawn; a `token` says who it is that comes."""
        address = url.replace("http", "ws") + "/_stcore/stream"
        known = {"Cookie": f"partwise_owner={token}"} if token else {}
        line = await connect(
            address, subprotocols=["streamlit"], max_size=None, additional_headers=known,  # type: ignore[list-item]
        )  # fmt: skip
        visitor = cls(line)
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        await visitor._say(message)
        return visitor

    async def press(self, label: str) -> None:
        """Press a button and wait for the page."""
        widget = self.widgets[label]
        message = BackMsg()
        message.rerun_script.fragment_id = widget.fragment
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = widget.id, True
        await self._say(message)

    async def slide(self, label: str, share: float) -> None:
        """Let go of the slider of a parameter at this share of its way, and wait for the page."""
        widget = self.widgets[label]
        low, high = widget.given["low"], widget.given["high"]
        value = low * (high / low) ** share if widget.given["log"] else low + share * (high - low)
        self._moves += 1
        moved = {
            "number": widget.given["heard"] + self._moves, "start": widget.given["start"],
            "value": round(value) if widget.given["whole"] else value,
        }  # fmt: skip
        message = BackMsg()
        message.rerun_script.fragment_id = widget.fragment
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.json_value = widget.id, json.dumps({"moved": moved})
        await self._say(message)

    async def leave(self) -> None:
        """Close the tab."""
        await self.line.close()

    async def _say(self, message: BackMsg) -> None:
        await self.line.send(message.SerializeToString())
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(await self.line.recv(decode=False))
            if self._ended(answer):
                return

    def _ended(self, answer: ForwardMsg) -> bool:
        kind = answer.WhichOneof("type")
        if kind == "delta":
            self._note(answer.delta)
        return kind == "script_finished"

    def _note(self, delta: Any) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "button":
            self.widgets[element.button.label] = Widget(element.button.id, delta.fragment_id)
        elif kind == "bidi_component":
            given = element.bidi_component
            if given.json:
                told = json.loads(given.json)
                self.components[given.component_name] = told
                if given.component_name == _SLIDER:
                    self.widgets[told["label"]] = Widget(given.id, delta.fragment_id, told)
        elif kind == "exception":
            self.errors.append(element.exception.message)
