"""One item in full: its table or curves, claims, protocol, the data it waits for, and what to take along."""

from __future__ import annotations

from functools import partial

import streamlit as st

from experiments.studies.exports import EXPORTS, reasons
from experiments.studies.outcome import StudyOutcome
from experiments.studies.study import IN_WORDS
from experiments.studies.study_files import with_files
from ui.downloads import FileKind, downloads
from ui.fragments import fragment
from ui.papers import cell, computing, curves, drawings, files, markup, opening
from ui.papers.computing import DisplayedStudy, Running
from ui.plain import as_text
from ui.waiting import Desk
from ui.words import counted

_LOOK_EVERY = 1.5
_MOST_PROBLEMS = 3


def show(shipped: StudyOutcome) -> None:
    """Show an item; what is being worked out of it fills in live."""
    desk = Desk()
    here = files.here(desk)
    study = with_files(shipped.study, here)
    one = shipped if study is shipped.study else StudyOutcome(study, shipped.records)
    st.markdown(f"**{study.title}**")
    now, displayed = computing.running(study), computing.displayed_study(one)
    with st.container(horizontal=True, vertical_alignment="center"):
        computing.buttons(one, displayed.combined)
        opening.buttons(one)
    if now is None:
        _numbers(displayed)
    else:
        fragment(_live, run_every=_LOOK_EVERY)(one, now)
    _exports(displayed.combined)
    with st.expander("The protocol, as printed and as run here"):
        st.html(markup.STYLE + markup.protocol(one))
    if study.awaits:
        with st.expander(f"Waits for {counted(len(study.awaits), 'data set')}: drop yours here"):
            files.show(study, here)
    if (place := cell.clicked(displayed)) is not None:
        cell.show(displayed, place)
    desk.watch("Looking through the folder of study data …")


def _live(one: StudyOutcome, now: Running) -> None:
    """Have an item worked out, and show how far it is."""
    displayed = computing.displayed_study(one, now)
    if computing.finished(one, now, displayed.results):
        st.rerun()
    computing.progress(one, now, displayed.results)
    _numbers(displayed)


def _numbers(displayed: DisplayedStudy) -> None:
    one = displayed.combined
    st.markdown(f"{one.study.summary} {one.summary}")
    for head in one.study.heads:
        with st.expander(as_text(head.title)):
            st.html(markup.head(head))
    drawings.show(one)
    if one.study.axis:
        curves.show(one)
    st.html(markup.table(displayed))
    for problem in computing.problems(one, displayed.results)[:_MOST_PROBLEMS]:
        st.caption(f"–: {as_text(problem)}")
    if lines := reasons(one):
        st.markdown("**Why numbers are not as printed**")
        st.html(markup.listed(lines))
    st.caption(_signature(one))
    if one.findings:
        st.markdown("**What the paper says of it**")
        st.html(markup.claims(one))


def _signature(one: StudyOutcome) -> str:
    """Return when, where and over how many splits the numbers were computed."""
    numbers = [number for outcome in one.outcomes.values() for number in outcome.numbers]
    repeats = counted(one.study.splits, one.study.repeated)
    unit = IN_WORDS[one.study.unit].capitalize()
    text = f"{unit}, mean over {repeats}, standard deviation in brackets; fewer are said in the cell."
    text = f"{text} {one.study.notes}"
    if numbers:
        dates = sorted({number.date for number in numbers})
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        text += (
            f" Computed {span} on {numbers[-1].machine}, version {numbers[-1].versions.get('partwise', '?')}."
        )
    return f"{text} Click a cell for its splits and its run."


def _exports(one: StudyOutcome) -> None:
    files = {
        title: FileKind(ending, mime, partial(write, one)) for title, (write, ending, mime) in EXPORTS.items()
    }
    downloads("paper files", name=one.study.id, drawn=False, files=files)
