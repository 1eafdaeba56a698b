"""Sweeps kept by name: opened again, gone on with, shared, deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from experiments.store import StoreUnavailableError
from experiments.tuning import NamedSweep, Sweep, SweepShelf
from ui import owner, state
from ui.plain import as_text
from ui.runs import reopen
from ui.service import keeper
from ui.tune.setup import choices_of
from ui.uploads import belongs_to

_PROBLEM, _NAME = "_tune.shelf problem", "_tune.name"
_MOST_LISTED = 30


def menu(sweep: Sweep) -> None:
    """Offer to keep the sweep by a name, and those that are kept."""
    with st.popover("Named sweeps"):
        store = keeper().store
        if store is None:
            st.caption(as_text(keeper().problem))
            return
        if problem := state.get(_PROBLEM):
            st.error(as_text(problem))
        try:
            _named_sweeps(SweepShelf(store), sweep)
        except StoreUnavailableError as error:
            st.caption(as_text(str(error)))


def _named_sweeps(shelf: SweepShelf, sweep: Sweep) -> None:
    st.text_input("Keep this one as", key=_NAME, max_chars=80, placeholder="a name")
    st.button("Keep", on_click=_save, args=(shelf, sweep), key="tune keep")
    me = owner.token()
    mine, others = shelf.list(me), [named for named in shelf.list(me, shared=True) if not named.mine]
    for named in mine[:_MOST_LISTED]:
        _row(shelf, named)
    if others:
        st.markdown("**On the shared shelf**")
    for named in [named for named in others if belongs_to(named.sweep.dataset, me)][:_MOST_LISTED]:
        _row(shelf, named)


def _row(shelf: SweepShelf, named: NamedSweep) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            as_text(named.sweep.name), key=f"open {named.id}", on_click=_open, args=(named.sweep,),
            help=f"{named.sweep.method} on {as_text(named.sweep.dataset)}: all that was found is kept.",
        )  # fmt: skip
        if not named.mine:
            return
        label = "Take off the shared shelf" if named.shared else "Share"
        st.button(
            label, key=f"share {named.id}", on_click=_act, type="tertiary",
            args=(shelf.share, named.id, owner.token(), not named.shared),
        )  # fmt: skip
        st.button(
            "Delete", key=f"delete {named.id}", on_click=_act, type="tertiary",
            args=(shelf.delete, named.id, owner.token()),
        )  # fmt: skip


def _save(shelf: SweepShelf, sweep: Sweep) -> None:
    _act(lambda: shelf.save(replace(sweep, name=state.widget_value(_NAME)), owner.token()))


def _act(act: Callable[..., object], *args: object) -> None:
    problem = None
    try:
        act(*args)
    except (ValueError, StoreUnavailableError) as error:
        problem = str(error)
    state.put(_PROBLEM, problem)


def _open(sweep: Sweep) -> None:
    state.choose(choices_of(sweep))
    reopen.open_on("tune", sweep.request, "")
