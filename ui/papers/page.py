"""Every item of the five papers beside what comes out here: an overview, then one item in full."""

from __future__ import annotations

import streamlit as st

from experiments.studies.paper import PAPERS
from ui import state
from ui.fragments import fragment
from ui.papers import item, markup
from ui.papers.study_outcomes import by_paper, study_outcome
from ui.runs import reopen

_FIRST = "n2s2l"
_ITEM = "papers.item"


@fragment
def show() -> None:
    """Show the page."""
    reopen.follow()
    studies = by_paper()
    st.markdown(
        "Five papers, their tables and figures, and the same experiments carried out here. A number is "
        "*reproduced* within two joint standard deviations of the printed one. What only its owners may give "
        "away waits for their file; nothing is filled in from other data. What stands in says so."
    )
    st.html(
        markup.cards([(PAPERS[id], [study_outcome(name) for name in items]) for id, items in studies.items()])
    )
    with st.container(key="paper_item"):
        st.subheader("One item in full")
        paper = state.control(
            st.pills, "Paper", list(PAPERS), name="papers.paper", default=_FIRST, required=True,
            format_func=lambda id: PAPERS[id].short, accept=PAPERS.__contains__,
        )  # fmt: skip
        items = studies[paper]
        name = state.control(
            st.pills, "Item", items, name=f"{_ITEM}.{paper}", default=items[0], required=True,
            format_func=lambda name: study_outcome(name).study.item, accept=items.__contains__,
        )  # fmt: skip
        item.show(study_outcome(name))
    state.publish("papers")
