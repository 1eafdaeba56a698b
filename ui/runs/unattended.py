"""Tables that go on without their visitor: how far they are, to stop, to go on with, to open."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from experiments.store import StoreUnavailableError, UnattendedRow
from experiments.trials.unattended import Unattended
from ui import owner, state
from ui.plain import as_text
from ui.runs import reopen
from ui.service import unattended
from ui.words import counted, number

_PROBLEM = "_runs unattended problem"
_WORDS = {
    "going": "{done} of {whole} so far",
    "done": "all {whole} there",
    "stopped": "stopped at {done} of {whole}",
    "interrupted": "its server ended at {done} of {whole}",
}


def show() -> bool:
    """Show the visitor's tables, if there are any, and return whether one of them is going on."""
    left = unattended()
    rows = [] if left is None else left.listed(owner.token())
    if left is None or not rows:
        return False
    st.header("Tables that go on without you")
    if problem := state.get(_PROBLEM):
        st.error(as_text(problem))
        state.put(_PROBLEM, None)
    for row in rows:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            _one(left, row)
    return any(row.status == "going" for row in rows)


def _one(left: Unattended, row: UnattendedRow) -> None:
    status = _WORDS[row.status].format(done=number(row.done), whole=counted(row.whole, "fit"))
    st.markdown(f"**{as_text(row.title)}** · {status}", width="stretch")
    if row.status == "going":
        st.progress(row.done / max(1, row.whole), width=160)
        _button("Stop", row, left.stop)
    elif row.status != "done":
        _button("Go on", row, left.go_on)
    st.button("Open", key=f"unattended open {row.id}", on_click=_open, args=(row,))
    if row.status != "going":
        _button("Take off the list", row, left.delete)


def _button(label: str, row: UnattendedRow, act: Callable[[str, str], None]) -> None:
    st.button(label, key=f"unattended {label} {row.id}", on_click=_act, args=(act, row.id))


def _act(act: Callable[[str, str], None], id: str) -> None:
    try:
        act(owner.token(), id)
    except (ValueError, StoreUnavailableError) as refusal:
        state.put(_PROBLEM, str(refusal))


def _open(row: UnattendedRow) -> None:
    state.take_over(row.choices)
    reopen.go(row.page)
