"""The offer to fill in a long table without its visitor, on every page that has one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from experiments.store import StoreUnavailableError
from experiments.trials.plan import FixedPlan, Plan, Work
from ui import owner, state
from ui.plain import as_text
from ui.service import unattended

# Shorter tables are there before one has left.
LONG = 12
_PROBLEM = "_unattended.problem"


def offer_table(title: str, page: str, work: Callable[[], Work], *, key: str) -> None:
    """Offer to go on without the visitor with a table all of whose trials are known at the start."""
    offer(title, page, lambda: FixedPlan(tuple(work())), key=key)


def offer(title: str, page: str, plan: Callable[[], Plan], *, key: str) -> None:
    """Offer to go on without the visitor; once they have accepted, say where it is listed.

    `plan` lays out the table, `title` is what it is called on Runs.
    """
    going = goes_on(plan)
    if going is None:
        return
    if going:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("This goes on without you: you may leave the page.")
            st.page_link("../pages/runs.py", label="See it on Runs")
        return
    st.button(
        "Go on without me", key=key, on_click=_leave, args=(title, page, plan),
        help="Leaving the page stops what is not finished. This has it worked out to its end, after all that "
        "somebody looks at; Runs lists how far it is, and there you can stop it.",
    )  # fmt: skip
    if problem := state.get(_PROBLEM):
        st.error(as_text(problem))
        state.put(_PROBLEM, None)


def goes_on(plan: Callable[[], Plan]) -> bool | None:
    """Return whether a table of the visitor goes on without them; None while it could not."""
    left = unattended()
    try:
        if left is None:
            return None
        going = [row.id for row in left.listed(owner.token()) if row.status == "going"]
        return bool(going) and plan().id in going
    except (ValueError, StoreUnavailableError):
        return None  # The page itself says what is the matter.


def stop(plan: Plan) -> None:
    """Do no more for a table that was left, if it was."""
    left = unattended()
    try:
        if left is not None and goes_on(lambda: plan):
            left.stop(owner.token(), plan.id)
    except StoreUnavailableError as refusal:
        state.put(_PROBLEM, str(refusal))


def _leave(title: str, page: str, plan: Callable[[], Plan]) -> None:
    left = unattended()
    try:
        if left is not None:
            left.leave(owner.token(), title, page, state.query(), plan())
    except (ValueError, StoreUnavailableError) as refusal:
        state.put(_PROBLEM, str(refusal))
