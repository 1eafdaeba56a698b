"""Every item of the five papers beside what comes out here: an overview, then one item in full."""

from __future__ import annotations

from functools import partial

import streamlit as st

from experiments.studies.exports import EXPORTS
from experiments.studies.outcome import StudyOutcome
from experiments.studies.paper import PAPERS
from ui import state
from ui.fragments import fragment
from ui.papers import curves, markup
from ui.papers.told import by_paper, told
from ui.words import counted

_FIRST = "n2s2l"
_ITEM = "papers.item"


@fragment
def show() -> None:
    """Show the page."""
    studies = by_paper()
    st.markdown(
        "Five papers, their tables and figures, and the same experiments carried out here. A number is "
        "*reproduced* within two joint standard deviations of the printed one. What only its owners may give "
        "away waits for their file; nothing is filled in from other data. What stands in says so."
    )
    st.html(markup.cards([(PAPERS[id], [told(name) for name in items]) for id, items in studies.items()]))
    st.subheader("One item in full")
    paper = state.control(
        st.pills, "Paper", list(PAPERS), name="papers.paper", default=_FIRST, required=True,
        format_func=lambda id: PAPERS[id].short, accept=PAPERS.__contains__,
    )  # fmt: skip
    items = studies[paper]
    name = state.control(
        st.pills, "Item", items, name=f"{_ITEM}.{paper}", default=items[0], required=True,
        format_func=lambda name: told(name).study.item, accept=items.__contains__,
    )  # fmt: skip
    with st.container(key="paper_item"):
        _item(told(name))
    state.publish("papers")


def _item(one: StudyOutcome) -> None:
    study = one.study
    st.markdown(f"**{study.title}**")
    st.markdown(f"{study.summary} {one.summary}")
    if study.axis:
        curves.show(one)
    st.html(markup.table(one))
    st.caption(_signature(one))
    if one.findings:
        st.markdown("**What the paper says of it**")
        st.html(markup.claims(one))
    with st.expander("The protocol, as printed and as run here"):
        st.html(markup.STYLE + markup.protocol(one))
    if study.awaits:
        with st.expander(f"Waits for {counted(len(study.awaits), 'data set')}"):
            st.html(markup.awaited(one))
            st.markdown(
                "Put the file, under any name, into the folder that `PARTWISE_STUDY_DATA` names: "
                "`python -m experiments study --data` says which it is, by its shape and classes."
            )
    _exports(one)


def _signature(one: StudyOutcome) -> str:
    """Return when, where and over how many splits the numbers were computed."""
    numbers = [number for outcome in one.outcomes.values() for number in outcome.numbers]
    repeats = counted(one.study.splits, one.study.repeated)
    unit = "Percent" if one.study.unit == "%" else "Seconds"
    text = f"{unit}, mean over {repeats}, standard deviation in brackets; fewer are said in the cell."
    text = f"{text} {one.study.notes}"
    if numbers:
        dates = sorted({number.date for number in numbers})
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        text += (
            f" Computed {span} on {numbers[-1].machine}, version {numbers[-1].versions.get('partwise', '?')}."
        )
    return f"{text} Again, or what is missing: python -m experiments study {one.study.id} --missing"


def _exports(one: StudyOutcome) -> None:
    with st.container(horizontal=True):
        for title, (write, ending, kind) in EXPORTS.items():
            st.download_button(
                title, partial(write, one), f"{one.study.id}.{ending}", kind,
                key=f"{title} of {one.study.id}", on_click="ignore",
            )  # fmt: skip
