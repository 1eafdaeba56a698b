"""Cells worked out again from the page: live, as far as one likes, and gone on with where one stopped."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from experiments.studies.honest import inner_table, with_choices
from experiments.studies.outcome import StudyOutcome
from experiments.studies.records import Records, gathered, unfinished
from experiments.studies.study import Study
from experiments.trials import Result, Table
from experiments.trials.carriers import CLUSTER
from ui import owner, state, unattended
from ui.plain import as_text
from ui.service import tables
from ui.words import counted, number

_RUNNING, _TABLE = "_papers.running", "papers"
_PATIENCE = 0.2
Place = tuple[str, str]


@dataclass(frozen=True)
class DisplayedStudy:
    """A study as the page shows it: as shipped and completed here, and from what was computed here alone."""

    combined: StudyOutcome
    here: StudyOutcome
    results: Mapping[str, Result]


@dataclass(frozen=True)
class Running:
    """What is being worked out: all cells of a study or one, every trial or those that are missing.

    With `honest` each split also chooses among a cell's settings by its own labels alone.
    """

    study: str
    cell: Place | None = None
    missing: bool = False
    honest: bool = False

    def table(self, one: StudyOutcome) -> Table:
        """Return its trials; `one` is the study as shipped."""
        whole = unfinished(one.study, one.records) if self.missing else one.study.plan.table()
        places = {place: trials for place, trials in whole.trials.items() if self.cell in (None, place[:2])}
        if self.honest:
            places |= {(*place, "chosen by"): made for place, made in inner_table(one.study).trials.items()}
        return Table(whole.axes, places)


def start(running: Running) -> None:
    """Begin to work cells out; for use in a callback."""
    state.put(_RUNNING, running)


def running(study: Study) -> Running | None:
    """Return what is being worked out of a study, if anything is."""
    current: Running | None = state.get(_RUNNING)
    return current if current is not None and current.study == study.id else None


def displayed_study(one: StudyOutcome, now: Running | None = None) -> DisplayedStudy:
    """Return a study with what has been computed here; what is `now` to be worked out is begun."""
    results: dict[str, Result] = {}
    if now is not None:
        results = tables().ask(owner.token(), _TABLE, now.table(one).in_turn())
    trials = [*one.study.plan.table().in_turn(), *inner_table(one.study).in_turn()]
    if trials:
        # A glance: it begins nothing.
        results |= tables().ask(
            owner.token(), f"{_TABLE} glance", trials, begins=False, patience=0.0 if now else _PATIENCE
        )
    if not results:
        return DisplayedStudy(one, StudyOutcome(one.study, Records()), results)
    here = StudyOutcome(one.study, gathered(one.study, results))
    records = with_choices(one.study, gathered(one.study, results, one.records), results)
    return DisplayedStudy(StudyOutcome(one.study, records), here, results)


def finished(one: StudyOutcome, now: Running, results: Mapping[str, Result]) -> bool:
    """Return whether all that was to be worked out is there; it is not running any more then."""
    if not now.table(one).whole(results):
        return False
    state.put(_RUNNING, None)
    return True


def buttons(one: StudyOutcome, combined: StudyOutcome) -> None:
    """Offer to work out what is missing, or all of it again; to stop, or to go on without the visitor.

    `one` is the study as shipped, `combined` with what has been computed here.
    """
    study, now = one.study, running(one.study)
    if not study.plan.table().trials:
        return
    missing = len(unfinished(study, combined.records).in_turn())
    if now is not None:
        st.button("Stop", on_click=state.put, args=(_RUNNING, None), key=f"papers stop {study.id}")
        title = f"{study.item}: {study.title}"
        unattended.offer_table(title, "papers", lambda: now.table(one).in_turn(), key="papers leave")
        return
    if missing:
        st.button(
            f"Compute what is missing ({counted(missing, 'run')})", type="primary",
            key=f"papers missing {study.id}", on_click=start, args=(Running(study.id, missing=True),),
        )  # fmt: skip
    st.button(
        "Compute again", key=f"papers again {study.id}", on_click=start, args=(Running(study.id),),
        help="Works every cell out on this machine, or on the cluster if there is one, and shows it "
        "beneath the number that is shipped. What was worked out here before is taken as it is; stopped, "
        "it goes on from there.",
    )  # fmt: skip
    if inner_table(study).trials and not combined.honest:
        st.button(
            "Choose by labels alone, too", key=f"papers honest {study.id}", on_click=start,
            args=(Running(study.id, honest=True),),
            help="The papers name the best setting on the rows that are asked about. This finds, beside "
            "it, what each split would have chosen by its own labelled rows.",
        )  # fmt: skip


def progress(one: StudyOutcome, now: Running, results: Mapping[str, Result]) -> None:
    """Say how far it is, and where it is worked out."""
    trials = now.table(one).in_turn()
    done = sum(trial.key in results for trial in trials)
    what = f"{now.cell[0]}, {now.cell[1]}: " if now.cell else ""
    st.progress(
        done / max(1, len(trials)),
        f"{as_text(what)}{number(done)} of {counted(len(trials), 'run')} worked out, {as_text(_where())}.",
    )


def problems(one: StudyOutcome, results: Mapping[str, Result]) -> list[str]:
    """Return why some cells have no number, each reason once."""
    keys = (trial.key for trial in one.study.plan.table().in_turn())
    computed = (results[key] for key in keys if key in results)
    reasons = {text for result in computed for text in (*result.problems.values(), result.message) if text}
    return sorted(reasons)


def _where() -> str:
    cluster = os.environ.get(CLUSTER, "")
    return f"on the cluster at {cluster}" if cluster else "on this machine"
