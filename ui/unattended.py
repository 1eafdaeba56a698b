"""The offer to fill in a long table without its visitor, on every page that has one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from experiments.store import StoreUnavailableError
from experiments.trials import Chain, Trial
from experiments.trials.unattended import table_id
from ui import owner, state
from ui.plain import as_text
from ui.service import unattended

# Shorter tables are there before one has left.
LONG = 12
_PROBLEM = "_unattended.problem"
Work = Sequence[Trial | Chain]


def offer(title: str, page: str, work: Callable[[], Work], *, key: str) -> None:
    """Offer to go on without the visitor; once they have accepted, say where it is listed.

    `work` lays out the table, `title` is what it is called on Runs.
    """
    left = unattended()
    if left is None:
        return
    try:
        going = any(
            row.id == table_id(work()) and row.status == "going" for row in left.listed(owner.token())
        )
    except (ValueError, StoreUnavailableError):
        return  # The page itself says what is the matter.
    if going:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("This goes on without you: you may leave the page.")
            st.page_link("../pages/runs.py", label="See it on Runs")
        return
    st.button(
        "Go on without me", key=key, on_click=_leave, args=(title, page, work),
        help="Leaving the page stops what is not finished. This has it worked out to its end, after all that "
        "somebody looks at; Runs lists how far it is, and there you can stop it.",
    )  # fmt: skip
    if problem := state.get(_PROBLEM):
        st.error(as_text(problem))
        state.put(_PROBLEM, None)


def _leave(title: str, page: str, work: Callable[[], Work]) -> None:
    left = unattended()
    try:
        if left is not None:
            left.leave(owner.token(), title, page, state.query(), work())
    except (ValueError, StoreUnavailableError) as refusal:
        state.put(_PROBLEM, str(refusal))
