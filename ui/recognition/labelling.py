"""Label it yourself: choose samples, say whose they are, and see at once what a method makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.fitted.standing import Standing
from experiments.requests.by_hand import class_names
from experiments.requests.library import Dataset, Spec, facts, rows_of
from ui import state, waiting, words
from ui.by_hand import hand_labels, set_aside
from ui.by_hand.labelled_run import gone_on
from ui.method_menu import method_menu
from ui.recognition import choosing, likenesses, standings
from ui.recognition.suggesting import advice
from ui.service import service
from ui.sidebar import Chosen
from ui.tips import class_of
from ui.waiting import Desk

# A label should be felt at once: a run that goes on from the one without has settled long before.
_MOST_ITERATIONS = 150
_RUNS, _DISPLAYED, _PROBLEM, _NAME = "_label.runs", "_label.shown", "_label.problem", "_label.name"
_MOST_RUNS = 40


def show(choice: Chosen) -> None:
    """Show the section."""
    ds = choice.data
    if ds.n_samples < 4:
        st.info("Four samples at least are needed. Choose larger data in the sidebar.")
        return
    spec, from_nothing = _controls(choice)
    request = _request(choice, spec, from_nothing)
    desk = Desk()
    current, awaited, problem = _standing(request, desk)
    before = _before(request, desk) if request.labels else current
    left, right = st.columns([3, 2], gap="large")
    with left:
        chosen = choosing.choose(choice, request, current, desk)
    with right:
        _score(ds, request, current, before)
        if problem:
            st.info(problem)
        elif awaited is not None:
            waiting.for_run(awaited, f"{spec.title} is taking your labels in…")
        _naming(choice, chosen, current)
        if current is not None:
            advice(choice, current)
    desk.watch("The map is being worked out…")


def _controls(choice: Chosen) -> tuple[Spec, bool]:
    left, right = st.columns([1.4, 1], vertical_alignment="bottom")
    with left:
        spec = method_menu("Method", name="label.method", default="n2s2l", choice=choice, accept=_learns)
    with right:
        from_nothing = state.control(
            st.toggle, "Only my labels", name="label.alone", default=False,
            help="Without the labels of the sidebar: the method knows what you say and no more.",
        )  # fmt: skip
    return spec, from_nothing or choice.data.y is None


def _learns(spec: Spec) -> bool:
    """Return whether a method learns from labels, and predicts classes of the samples it was fitted on."""
    return (
        "labels" in spec.needs | spec.takes
        and "views" not in spec.needs
        and (spec.recognition == "predict" or "embedding" in spec.gives)
    )


def _request(choice: Chosen, spec: Spec, from_nothing: bool) -> RunRequest:
    bare = choice.request(spec.id, {})
    if from_nothing:
        bare = replace(bare, split={"labelled_per_class": 0} if choice.data.y is not None else {})
    start = spec.starting_values(_facts(choice.data, bare))
    params = {name: value for name, value in start.items() if value is not None}
    if "max_iter" in params:
        params["max_iter"] = min(params["max_iter"], _MOST_ITERATIONS)
    return replace(bare, params=params)


def _facts(ds: Dataset, bare: RunRequest) -> Any:
    """Return sizes that do not change with every label, so that a run can go on from the one before."""
    sizes = facts(ds, rows_of(ds, replace(bare, labels=())))
    if sizes.n_labelled:
        return sizes
    return replace(sizes, n_labelled=2 * max(2, ds.n_classes), n_classes=max(2, ds.n_classes))


def _standing(request: RunRequest, desk: Desk) -> tuple[Standing | None, Handle | None, str]:
    """Return where the samples stand after this run, or else the one before, and the run to wait for."""
    before = _displayed_standing(request, desk)
    try:
        handle = _run(request)
    except ValueError as refusal:
        return before, None, str(refusal)
    if not handle.ended:
        return before, handle, ""
    answer = desk.ask(*standings.wish(handle), patience=1.0)
    if answer.done and not answer.message:
        state.put(_DISPLAYED, (handle.id, _ground(request)))
        return answer.value, None, ""
    return before, None, answer.message


def _displayed_standing(request: RunRequest, desk: Desk) -> Standing | None:
    """Return what was shown last, if it is of the same data and method."""
    id, ground = state.get(_DISPLAYED) or ("", "")
    handle = service().get(id) if ground == _ground(request) else None
    if handle is None:
        return None
    displayed: Standing | None = desk.ask(*standings.wish(handle)).value
    return displayed


def _before(request: RunRequest, desk: Desk) -> Standing | None:
    """Return where the samples stood without the labels given by hand."""
    handle = _without_labels(request)
    if handle is None or not handle.ended:
        return None
    before: Standing | None = desk.ask(*standings.wish(handle)).value
    return before


def _without_labels(request: RunRequest) -> Handle | None:
    """Return the run without the labels given by hand, None where a method can do nothing without them."""
    try:
        return service().shared(replace(request, labels=()))
    except ValueError:
        return None


def _run(request: RunRequest) -> Handle:
    """Return the run of a request, with labels given by hand as soon as the one without has ended."""
    key, runs = request.key, dict(state.get(_RUNS) or {})
    present = service().get(runs.get(key))
    if present is not None and present.status not in ("interrupted", "stopped"):
        return present
    if not request.labels:
        return service().shared(request)
    handle = gone_on(request, _without_labels(request))
    if handle.request.key == key:
        state.put(_RUNS, dict([*runs.items(), (key, handle.id)][-_MOST_RUNS:]))
    return handle


def _ground(request: RunRequest) -> str:
    """Return what two runs must share for one to go on from the other."""
    return replace(request, labels=()).key


def _score(ds: Dataset, request: RunRequest, current: Standing | None, before: Standing | None) -> None:
    """Say how many are recognised, and how many of the same ones were before the labels were given."""
    many = words.samples(ds)
    with st.container(horizontal=True, gap="large"):
        share = None if current is None else current.accuracy(current.verdicts.row)
        gained = None
        if current is not None and before is not None and before is not current and share is not None:
            earlier_share = before.accuracy(current.verdicts.row)
            gained = None if earlier_share is None else f"{100 * (share - earlier_share):+.1f} points"
        st.metric("Recognised", "–" if share is None else f"{share:.1%}", gained)
        st.metric("My labels", len(request.labels))
    if share is not None and current is not None:
        evaluated = int((current.verdicts.truth >= 0).sum())
        change = "" if gained is None else f"; the change is what your labels did for the same {many}"
        st.caption(f"Of the {words.number(evaluated)} {many} without a label{change}.")


def _naming(choice: Chosen, rows: tuple[int, ...], current: Standing | None) -> None:
    """Show what is chosen and give it a name."""
    ds = choice.data
    choosing.strip(choice, rows)
    names = list(class_names(ds, choice.labels))
    likenesses.show(ds, current, rows, _NAME)
    name = state.control(
        st.selectbox, "Class", names, name=_NAME, default=None, accept_new_options=True,
        placeholder="A known class, or type a new one",
    )  # fmt: skip
    truth = sorted({class_of(ds, row) for row in rows} - {""})
    with st.container(horizontal=True):
        st.button(
            "Give this class", type="primary", disabled=not rows or not name, on_click=_assign,
            args=(choice.dataset, ds.n_samples, {str(name): rows}),
        )  # fmt: skip
        if rows and truth and all(class_of(ds, row) for row in rows):
            by_class = {called: tuple(row for row in rows if class_of(ds, row) == called) for called in truth}
            st.button(
                "Give the true class", on_click=_assign, args=(choice.dataset, ds.n_samples, by_class),
                help="What the data say themselves: to see quickly what a label does.",
            )  # fmt: skip
        st.button(
            "Undo",
            disabled=not hand_labels.can_undo(choice.dataset, ds.n_samples),
            on_click=_undo,
            args=(choice.dataset, ds.n_samples),
        )
    if problem := state.get(_PROBLEM):
        st.error(problem)


def _assign(dataset: str, of: int, names: dict[str, tuple[int, ...]]) -> None:
    try:
        assignments = ((row, name) for name, rows in names.items() for row in rows)
        set_aside.before_labelling(dataset)
        hand_labels.assign_each(dataset, assignments, of)
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))
        return
    state.put(_PROBLEM, None)
    choosing.forget()


def _undo(dataset: str, of: int) -> None:
    hand_labels.undo(dataset, of)
    state.put(_PROBLEM, None)
    choosing.forget()
