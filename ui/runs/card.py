"""What can be done with the runs picked: name, tag, open elsewhere, share, resume, take away, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from experiments.engine.handle import Handle
from experiments.store import RunStore, StoredRun
from ui import owner, run_words, state, take_away
from ui.plain import as_text
from ui.runs import ask_again, reopen
from ui.service import keeper, service

_DELETED, _PROBLEM = "_runs deleted", "_runs problem"


def actions(store: RunStore, runs: Sequence[StoredRun]) -> None:
    """Show what can be done with the runs picked."""
    if problem := state.get(_PROBLEM):
        st.error(problem)
        state.put(_PROBLEM, None)
    if len(runs) == 1:
        _one(store, runs[0])
        return
    st.header(f"{len(runs)} runs compared")
    own = [run.id for run in runs if run.mine]
    if own:
        label = "Delete them" if len(own) == len(runs) else f"Delete the {len(own)} of mine"
        st.button(label, on_click=_delete, args=(store, own))


def undo_bar(store: RunStore) -> None:
    """Offer to bring back what has just been deleted."""
    gone = state.get(_DELETED, [])
    if gone:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{'The run is' if len(gone) == 1 else f'{len(gone)} runs are'} deleted.")
            st.button("Undo", on_click=_undo, args=(store, gone))


def _one(store: RunStore, run: StoredRun) -> None:
    st.header(as_text(run_words.called(run)))
    if run.message:
        st.caption(as_text(run.message))
    if run.imported:
        st.caption("Brought in from a bundle: its numbers are what the bundle says, not computed here.")
    if run.status == "interrupted":
        st.caption("Its server ended while it ran. " + _prospect(run))
    if run.mine:
        _labels(store, run)
    # Without its data a run would open on others, under the old title.
    needs_data = ask_again.is_needed(run)
    if needs_data:
        ask_again.offer(run)
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.mine and run.resumable and not needs_data:
            st.button("Resume", type="primary", on_click=_resume, args=(run,))
        for page, title in ({} if needs_data else reopen.pages(run)).items():
            st.button(
                f"Open in {title}", on_click=reopen.open_on, args=(page, run.request, run.id),
                key=f"open on {page}",
            )  # fmt: skip
        take_away.menu(run)
        if run.mine:
            st.toggle(
                "On the shared shelf", value=run.shared, key=f"shared {run.id}",
                on_change=_change, args=(store.share, run.id, f"shared {run.id}"),
                help="Everybody who uses this server sees it there, with its name and tags.",
            )  # fmt: skip
            st.button("Delete", on_click=_delete, args=(store, [run.id]))


def _prospect(run: StoredRun) -> str:
    if not run.resumable:
        return "Nothing was kept that it could go on from."
    return f"It can go on from iteration {run.details['iteration']}, which was kept last."


def _labels(store: RunStore, run: StoredRun) -> None:
    with st.container(horizontal=True):
        _text("Name", run.name, f"name of {run.id}", store.rename, run.id, "How you call it")
        _text(
            "Tags", " ".join(run.tags), f"tags of {run.id}",
            lambda id, mine, text: store.tag(id, mine, [text]), run.id, "words to find it by",
        )  # fmt: skip


def _text(
    label: str, value: str, key: str, change: Callable[[str, str, Any], None], id: str, hint: str
) -> None:
    st.text_input(
        label, value, key=key, placeholder=hint, width=320, on_change=_change, args=(change, id, key)
    )


def _change(change: Callable[[str, str, Any], None], id: str, key: str) -> None:
    """Pass on what a widget says; a refusal becomes a sentence on the page."""
    try:
        change(id, owner.token(), state.widget_value(key))
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))


def _delete(store: RunStore, ids: list[str]) -> None:
    store.delete(ids, owner.token())
    state.put(_DELETED, ids)
    state.put("runs.picked", [], [])


def _undo(store: RunStore, ids: list[str]) -> None:
    store.restore(ids, owner.token())
    state.put(_DELETED, [])


def _resume(run: StoredRun) -> None:
    try:
        handle: Handle = keeper().resume(service(), run, owner.token())
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))
        return
    state.put("runs.picked", [], [])
    reopen.open_on("live", handle.request, handle.id)
