"""Parts of the run on show that are kept as they are, or taken away, by a click on one of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.edits import Edit, checked_edits, count_fixed, edits_in, in_short
from experiments.requests.library import Spec, method_spec
from ui import state
from ui.live import buttons

_EDITS, _GROUND = "edits", "_live.edits_of"
_WORDS = {
    "hint": "Click one to keep it as it is, or to take it away.",
    "part": "Part {}", "keep": "Keep as it is", "free": "Let it change again", "erase": "Take away",
}  # fmt: skip
_DONE = {"keep": "kept as it is", "free": "free to change again", "erase": "taken away"}


def with_edits(request: RunRequest, spec: Spec) -> RunRequest:
    """Return the request with the edits that were made; they are forgotten when it is about other parts."""
    ground = replace(request, params={"n_components": request.params.get("n_components")}).as_given()
    text = state.get(_EDITS, "")
    before, before_on = state.get(_GROUND) or ("", "")
    # What has just come, by a click, an address or a run opened again, is about what is chosen now.
    outlived = before == text and before_on != ground
    edits = _read(text) if "parts" in spec.takes and not outlived else ()
    state.put(_EDITS, in_short(edits), "")
    state.put(_GROUND, (in_short(edits), ground))
    return replace(request, edits=edits)


def offer(handle: Handle | None) -> dict[str, Any] | None:
    """Return what the view of a run needs to offer edits of its parts; None if there can be none."""
    if handle is None or not buttons.mine(handle) or "parts" not in method_spec(handle.request.method).takes:
        return None
    return {"kept": count_fixed(handle.request.edits), "words": _WORDS}


def take(key: str) -> None:
    """Go on from the run on show with the edit that its view, the component with this key, has reported."""
    message, handle = state.component_value(key, "edited"), buttons.present()
    if not message or handle is None or handle.id != message["run"] or not buttons.mine(handle):
        return
    held = handle.held and not handle.ended
    if not handle.ended:
        buttons.tell("pause")  # Where it stands when it is edited is part of the request.
    edit = (max(0, handle.version[0] - 1), message["what"], message["part"])
    edits = checked_edits([*handle.request.edits, edit])
    reproducible = not handle.warm and not buttons.went_on()
    if buttons.start(
        replace(handle.request, edits=edits), paused=held, warm_from=handle.id, reproducible=reproducible
    ):
        state.put(_EDITS, in_short(edits), "")


def show_edits(request: RunRequest) -> None:
    """Say what was done to single parts, with a button that forgets it."""
    if not request.edits:
        return
    words = [f"part {part + 1} {_DONE[what]} after {after}" for after, what, part in request.edits]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"On the way: {', '.join(words)} iterations. Parts count as they lay then.")
        st.button("All parts again", key="live_all_parts", on_click=_forget, args=(request,))


def _forget(request: RunRequest) -> None:
    state.put(_EDITS, "", "")
    buttons.start(replace(request, edits=()))


def _read(text: str) -> tuple[Edit, ...]:
    try:
        return edits_in(text)
    except ValueError:  # From an address that somebody has changed.
        return ()
