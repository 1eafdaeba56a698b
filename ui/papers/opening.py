"""A study opened on other pages: with its data, its methods, and the parameters that stand in its cells."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from experiments import RunRequest
from experiments.requests.library import card, is_here
from experiments.studies.outcome import Outcome, StudyOutcome
from experiments.studies.study import Candidate
from ui import chosen_params, state
from ui.robustness import MOST_METHODS
from ui.robustness.options import METHODS
from ui.runs import reopen

_MOST = 6
Requests = Mapping[str, RunRequest]


def candidate_of(one: Outcome) -> Candidate | None:
    """Return the candidate whose numbers stand in a cell, or else the first; None if it waits for data."""
    measured = one.cell.measured
    return next((some for some in measured if some.setting == one.setting), next(iter(measured), None))


def requests_of(one: StudyOutcome) -> dict[str, RunRequest]:
    """Return the run of each method on the first data set of a study, in the order of the paper."""
    requests: dict[str, RunRequest] = {}
    for outcome in one.outcomes.values():
        candidate = candidate_of(outcome)
        if candidate is None or not is_here(candidate.request.dataset):
            continue
        request = candidate.request
        first = next(iter(requests.values()), request)
        if (request.dataset, dict(request.dataset_options)) == (first.dataset, dict(first.dataset_options)):
            requests.setdefault(request.method, request)
    return requests


def buttons(one: StudyOutcome) -> None:
    """Offer the pages that can show the methods of a study side by side."""
    requests = requests_of(one)
    if len(requests) < 2:
        return
    pages = {"recognition": "Open on Recognition"}
    if card(next(iter(requests.values())).dataset).kind == "images":
        pages["occlusion"] = "Open on Occlusion"
    for page, label in pages.items():
        st.button(label, key=f"papers {page}", type="tertiary", on_click=open_all, args=(page, requests))


def open_all(page: str, requests: Requests) -> None:
    """Set data, methods and parameters, and go there; for use in a callback."""
    most, name = (_MOST, "recognition.methods") if page == "recognition" else (MOST_METHODS, METHODS)
    opened = list(requests)[-most:]
    for method in opened:
        chosen_params.choose(requests[method].dataset, method, requests[method].params)
    reopen.open_on(page, requests[opened[0]], "")
    state.choose({name: opened})
