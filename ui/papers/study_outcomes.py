"""The studies with the results that are shipped, worked out once a server, and again when these change."""

from __future__ import annotations

import streamlit as st

from experiments.studies import names, study
from experiments.studies.outcome import StudyOutcome
from experiments.studies.paper import PAPERS, PaperId
from experiments.studies.records import shipped, shipped_at


def study_outcome(name: str) -> StudyOutcome:
    """Return a study with its shipped results."""
    return _study_outcome(name, shipped_at(study(name)))


@st.cache_resource(show_spinner=False, max_entries=100)
def _study_outcome(name: str, at: int) -> StudyOutcome:
    described = study(name)
    return StudyOutcome(described, shipped(described))


@st.cache_resource(show_spinner=False)
def by_paper() -> dict[PaperId, list[str]]:
    """Return the studies of each paper, those with most numbers to judge first."""
    return {
        paper: sorted(
            (name for name in names() if study(name).paper == paper),
            key=lambda name: -_judged(study_outcome(name)),
        )
        for paper in PAPERS
    }


def _judged(one: StudyOutcome) -> int:
    return sum(outcome.difference is not None for outcome in one.outcomes.values())
