"""One cell in full: its numbers split by split, the run behind it, and how to work it out again."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.run_cache import RunRefusedError
from experiments.requests.library import is_here, method_spec
from experiments.studies import names, study
from ui import owner, state
from ui.assets import component
from ui.papers import computing, markup
from ui.papers.computing import DisplayedStudy, Place, Running
from ui.papers.opening import candidate_of
from ui.plain import as_text
from ui.runs import reopen
from ui.service import service

_CLICKS = component("paper_cells", "paper_cells")
_KEY, _PROBLEM = "paper cells", "_papers.cell problem"
_PAGES = {"live": "Open this run", "bases": "Its bases", "tune": "Tune it"}


def clicked(one: DisplayedStudy) -> Place | None:
    """Return the cell of the table that has just been clicked."""
    answer = _CLICKS(key=_KEY, data={}, on_cell_change=state.rerun_page, on_item_change=_open_item)
    at = getattr(answer, "cell", None)
    cells = one.combined.study.plan.cells
    return cells[at].place if isinstance(at, int) and 0 <= at < len(cells) else None


def _open_item() -> None:
    """Show the item that has been clicked in the overview."""
    name = state.component_value(_KEY, "item")
    if name in names() and (paper := study(name).paper) is not None:
        state.choose({"papers.paper": paper, f"papers.item.{paper}": name})


def show(one: DisplayedStudy, place: Place) -> None:
    """Show a cell over the page."""
    st.dialog(" · ".join(map(as_text, place)), width="medium")(content)(one, place)


def content(one: DisplayedStudy, place: Place) -> None:
    """Show what there is to say of a cell, and what may be done with it."""
    reopen.follow()
    outcome = one.combined.outcomes[place]
    st.html(markup.cell(one, outcome))
    if problem := state.get(_PROBLEM):
        st.error(as_text(problem))
        state.put(_PROBLEM, None)
    if (candidate := candidate_of(outcome)) is None:
        return
    spec = method_spec(candidate.request.method)
    with st.container(horizontal=True):
        for page, label in _PAGES.items():
            if page != "bases" or "components" in spec.gives:
                st.button(
                    label, key=f"cell {page}", type="primary" if page == "live" else "secondary",
                    on_click=open_on, args=(page, candidate.request),
                )  # fmt: skip
        if st.button("Compute again", key="cell again"):
            computing.start(Running(one.combined.study.id, place))
            st.rerun()


def open_on(page: str, request: RunRequest) -> None:
    """Open the run behind a cell on a page, with its data and parameters; for use in a callback."""
    more: dict[str, Any] = {"tune.method": request.method, "tune.part": "tune"} if page == "tune" else {}
    id = ""
    try:
        if page == "live" and is_here(request.dataset):
            id = service().submit(request, owner=owner.token()).id
        elif page == "bases" and is_here(request.dataset):
            id = service().shared(request).id
    except (ValueError, RunRefusedError) as refusal:
        state.put(_PROBLEM, str(refusal))
        return
    state.choose(more)
    reopen.open_on(page, request, id)
