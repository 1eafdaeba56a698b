"""The runs of a visitor and those on the shared shelf: look through, pick, compare, bring back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from experiments.store import RunFilter, RunStore, StoreUnavailableError
from ui import owner, run_words, state
from ui.downloads import downloads
from ui.fragments import fragment
from ui.plain import as_text
from ui.run_state import STORED
from ui.runs import card, intake, reopen, unattended
from ui.runs.compare import compare
from ui.runs.run_list import MOST_PICKED, as_table, just_picked, run_list
from ui.service import keeper
from ui.words import counted

_A_PAGE = 50
_PICKED, _PAGE, _MOVING = "runs.picked", "runs.page", "_runs moving"
_SHELVES = {"mine": "My runs", "shared": "Shared shelf"}
_ANY = ""
_ALL_THE_SAME = "What ends meanwhile waits and is listed as soon as it is back; the rest works all the same."
# While a run of the list is under way the page looks again this often, in seconds.
_LOOK_EVERY = 2.0
# Pixels: the shelf and four filters fit beside each other.
_FILTER = 140


def show() -> None:
    """Show the page; it looks again by itself as long as a run on it is under way."""
    reopen.follow()
    fragment(_show, run_every=_LOOK_EVERY if state.get(_MOVING) else None)()


def _show() -> None:
    reopen.follow()
    store = keeper().store
    if store is None:
        st.error(f"{as_text(keeper().problem)} {_ALL_THE_SAME}")
        return
    try:
        _listed(store)
    except StoreUnavailableError as error:
        st.error(f"{as_text(str(error))} {_ALL_THE_SAME}")


def _listed(store: RunStore) -> None:
    wanted = _wanted(store)
    matches = store.find(wanted)
    if not matches.runs and matches.total:
        state.put(_PAGE, 1, 1)  # The page there was has gone: fewer fit by now.
        wanted = replace(wanted, offset=0)
        matches = store.find(wanted)
    going = unattended.show()
    card.undo_bar(store)
    intake.news()
    if matches.runs:
        st.caption(_counted(len(matches.runs), matches.total))
        run_list(matches.runs, _picked(), _pick)
        downloads("runs list", drawn=False, table=lambda: as_table(matches.runs))
        _pages(matches.total, 1 + wanted.offset // _A_PAGE)
    else:
        _nothing_here(store, wanted)
    runs = [run for id in _picked() if (run := store.get(id, owner.token())) is not None]
    if runs:
        card.actions(store, runs)
        compare(store, runs)
    elif matches.runs:
        st.caption(f"Click a run to open it; tick up to {MOST_PICKED} to compare them.")
    intake.intake(store)
    state.publish("runs")
    _keep_looking(going or any(run.status == "running" for run in (*matches.runs, *runs)))


def _keep_looking(moving: bool) -> None:
    if moving != bool(state.get(_MOVING)):
        state.put(_MOVING, moving)
        st.rerun()


def _wanted(store: RunStore) -> RunFilter:
    me = owner.token()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        shelf = state.control(
            st.segmented_control, "Shelf", list(_SHELVES), name="runs.shelf", default="mine",
            accept=_SHELVES.__contains__, format_func=_SHELVES.get, required=True,
            label_visibility="collapsed",
        )  # fmt: skip
        methods, datasets = store.occurring(RunFilter(me, shelf))
        if not methods:
            return RunFilter(me, shelf)
        method = _filter("Method", "runs.method", methods, run_words.method_title)
        dataset = _filter("Data", "runs.data", datasets, run_words.data_title)
        status = _filter("Ended", "runs.status", list(STORED), STORED.__getitem__)
        text = state.control(
            st.text_input, "Search", name="runs.text", default="", placeholder="name or #tag",
            label_visibility="collapsed", max_chars=100, width=_FILTER,
        )  # fmt: skip
    page = state.get(_PAGE, 1, lambda number: number >= 1)
    return RunFilter(me, shelf, method, dataset, status, text[:100], _A_PAGE, (page - 1) * _A_PAGE)


def _filter(label: str, name: str, options: Sequence[str], words: Callable[[str], str]) -> str | None:
    chosen: str = state.control(
        st.selectbox, label, [_ANY, *options], name=name, default=_ANY,
        accept=lambda id: id == _ANY or id in options,
        format_func=lambda id: words(id) if id else f"{label}: any",
        label_visibility="collapsed", width=_FILTER,
    )  # fmt: skip
    return chosen or None


def _counted(here: int, total: int) -> str:
    """Say how many runs there are, for the list shows only as many as there is room for."""
    return f"{counted(total, 'run')}." if here == total else f"{counted(total, 'run')}; {here} on this page."


def _pages(total: int, page: int) -> None:
    pages = -(-total // _A_PAGE)
    if pages > 1:
        key = f"runs page of {pages}"
        st.pagination(pages, default=page, key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    state.put(_PAGE, state.widget_value(key), 1)


def _picked() -> list[str]:
    """Return the runs picked; they need not be on this page of the list, nor one's own."""
    picked: list[str] = state.get(_PICKED, [], lambda ids: len(ids) <= MOST_PICKED)
    return picked


def _pick() -> None:
    state.put(_PICKED, just_picked(), [])
    intake.hush()


def _nothing_here(store: RunStore, wanted: RunFilter) -> None:
    if store.find(RunFilter(wanted.owner, wanted.shelf, limit=1)).total:
        st.info("No run fits these filters. Widen them to see the others.")
    elif wanted.shelf == "shared":
        st.info("Nobody has put a run on the shelf yet. Open one of yours and share it: all see it here.")
    else:
        st.info("Nothing yet. Every run you start on *Live run* is kept here, to compare and to return to.")
        st.page_link("../pages/live.py", label="**Start a first run** →")
