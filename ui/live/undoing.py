"""Parameters moved by hand on the live run, and the way back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui import state

_MOVED, _NOW, _PAST = "_live.moved", "_live.params", "_live.past"
_MOST = 50


def moved() -> None:
    """Remember that a parameter has just been moved, as the callback of its control."""
    state.put(_MOVED, True)


def take_moved() -> bool:
    """Return, once, whether a parameter has just been moved."""
    was = bool(state.get(_MOVED))
    state.put(_MOVED, None)
    return was


def note(method: str, params: Mapping[str, Any]) -> None:
    """Remember the parameters of a method, and those before if they have just been moved."""
    before, now = state.get(_NOW), (method, dict(params))
    if before is not None and before[0] == method and before != now and state.get(_MOVED):
        state.put(_PAST, [*(state.get(_PAST) or []), before][-_MOST:])
    state.put(_NOW, now)


def button() -> None:
    """Show the button that takes back the last change."""
    past = [entry for entry in state.get(_PAST) or [] if entry[0] == (state.get(_NOW) or ("", {}))[0]]
    st.button(
        "Undo", key="live_undo", on_click=_undo, disabled=not past,
        help="Take back the last change of a parameter (Ctrl Z)",
    )  # fmt: skip


def _undo() -> None:
    past = list(state.get(_PAST) or [])
    method = state.get(_NOW)[0]
    while past:
        before = past.pop()
        if before[0] == method:
            break
    else:
        return
    state.choose({f"live.{method}.{name}": value for name, value in before[1].items()})
    state.put(_PAST, past)
    state.put(_NOW, before)
    moved()
