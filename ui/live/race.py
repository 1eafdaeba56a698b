"""A race: up to four methods, or solvers of one, on the same data and the same split, on one axis."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import Spec, method_spec
from ui import chosen_params, controls, owner, state
from ui.assets import component
from ui.downloads import downloads
from ui.live import labels
from ui.live.curve_table import curve_table
from ui.method_menu import left_out, offered
from ui.palette import colour
from ui.plain import plain
from ui.run_state import STATE
from ui.run_words import SOLVERS
from ui.service import service
from ui.sidebar import Chosen
from ui.watching import watched

_VIEW = component("race", "race")
_RACERS, _RUNS, _BY, _AXIS, _PROBLEM = "race.of", "race.runs", "race.by", "race.axis", "_race.problem"
_MOST = 4
_USUAL = ("n2s2l:accelerated", "n2s2l:multiplicative", "nmf:accelerated", "pca")
_MEASURES = {
    "recognised": "share recognised",
    "error": "error of rebuilding",
    "objective": "objective",
}
_EXPLAINED = {
    "recognised": "The share of unlabelled samples whose class is found, measured where a run keeps "
    "its parts. More is better.",
    "error": "The length of what the parts cannot rebuild, as a share of the length of the data. Less is "
    "better. Methods that do not rebuild samples have no such curve.",
    "objective": "All racers lower the same objective, so their values can be compared. Less is better.",
}
_AXES = {"seconds": "by seconds", "iterations": "by iteration"}


def show(choice: Chosen) -> None:
    """Show who races, the buttons, and the curves."""
    entries = _entries(choice)
    racers = state.control(
        st.multiselect, "Who races", list(entries), name=_RACERS, default=_usual(entries),
        accept=lambda ids: len(ids) <= _MOST and set(ids) <= set(entries),
        max_selections=_MOST, format_func=_titles(entries).get,
        help=f"Up to four, with the parameters they have under One run. {left_out(choice)}".strip(),
    )  # fmt: skip
    requests = [_request(choice, *_method_and_solver(id), entries[id]) for id in racers]
    requests = _evenly(choice, requests)
    handles = _present()
    phases = [handle.phase for handle in handles or []]  # Before the buttons are drawn: see `live_view`.
    _buttons(handles, requests)
    by, axis = _measure(handles or [], requests, choice)
    _remarks(handles, requests)
    _view(handles or [], phases, by, axis)


def _entries(choice: Chosen) -> dict[str, Spec]:
    """Return who may race: every method that can work on the data, once for each of its solvers."""
    entries: dict[str, Spec] = {}
    for id, spec in offered(choice).items():
        solvers = next((param.choices for param in spec.params if param.name == "solver"), ())
        entries |= {f"{id}:{solver}": spec for solver in solvers} if solvers else {id: spec}
    return entries


def _titles(entries: dict[str, Spec]) -> dict[str, str]:
    return {id: _title(spec, _method_and_solver(id)[1]) for id, spec in entries.items()}


def _title(spec: Spec, solver: str) -> str:
    return f"{spec.title}, {SOLVERS.get(solver, solver)}" if solver else spec.title


def _usual(entries: dict[str, Spec]) -> list[str]:
    return [id for id in _USUAL if id in entries] or list(entries)[:2]


def _method_and_solver(id: str) -> tuple[str, str]:
    method, _, solver = id.partition(":")
    return method, solver


def _request(choice: Chosen, method: str, solver: str, spec: Spec) -> RunRequest:
    starts = chosen_params.chosen(choice.dataset, spec.id)
    params = controls.remembered(spec, choice.facts, "live", starts)
    return choice.request(method, params | ({"solver": solver} if solver else {}))


def _evenly(choice: Chosen, requests: list[RunRequest]) -> list[RunRequest]:
    """Give all racers that nobody has set otherwise as many parts as the one with the fewest.

    Directions that tell classes apart are fewer than classes: those are left alone, and not counted.
    """
    automatic: list[RunRequest] = []
    for request in requests:
        spec = method_spec(request.method)
        start = spec.starting_values(choice.facts).get("n_components")
        if start is None or spec.projects_between_classes:
            continue
        if request.params.get("n_components") == start:
            automatic.append(request)
    if not automatic:
        return requests
    count = min(request.params["n_components"] for request in automatic)
    return [
        replace(request, params={**request.params, "n_components": count})
        if request in automatic
        else request
        for request in requests
    ]


def _present() -> list[Handle] | None:
    """Return the runs of the race on show, None if there is none (any more)."""
    runs = [watched(id) for id in (state.get(_RUNS) or "").split(",") if id]
    handles = [handle for handle in runs if handle is not None]
    return handles if handles and len(handles) == len(runs) else None


def _buttons(handles: list[Handle] | None, requests: list[RunRequest]) -> None:
    mine = [handle for handle in handles or [] if handle.may_steer(owner.token()) and not handle.ended]
    paused = bool(mine) and all(handle.status == "paused" for handle in mine)
    running = bool(mine) and not paused
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            labels.RUN, key="race_run", type="primary", on_click=_tell if paused else _start,
            disabled=running or not requests,
            args=("resume",) if paused else (requests,), help="All start at the same time",
        )  # fmt: skip
        st.button(labels.PAUSE, key="race_pause", on_click=_tell, args=("pause",), disabled=not running)
        st.button(labels.STOP, on_click=_tell, args=("stop",), disabled=not mine)
        st.button(labels.RESET, on_click=_reset, disabled=handles is None)


def _start(requests: list[RunRequest]) -> None:
    _tell("stop")
    try:
        started = [service().submit(request, paused=True, owner=owner.token()) for request in requests]
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))
        return
    state.put(_PROBLEM, None)
    state.put(_RUNS, ",".join(handle.id for handle in started))
    # Everybody stands at the start before anybody runs.
    _tell("resume")


def _tell(action: str) -> None:
    for handle in _present() or []:
        service().command(handle.id, action, owner=owner.token())


def _reset() -> None:
    _tell("stop")
    state.put(_RUNS, None)
    state.put(_PROBLEM, None)


def _measure(handles: list[Handle], requests: list[RunRequest], choice: Chosen) -> tuple[str, str]:
    """Let one choose what is compared and against what; only what can be compared is offered."""
    comparable = _one_objective([handle.request for handle in handles] or requests)
    possible = {"recognised": choice.rows.labelled.size > 0, "error": True, "objective": comparable}
    measures = [name for name in _MEASURES if possible[name]]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = state.control(
            st.segmented_control, "Compared by", measures, name=_BY,
            default="objective" if comparable else measures[0], required=True,
            accept=measures.__contains__, format_func=_MEASURES.get, key=f"{_BY} {' '.join(measures)}",
        )  # fmt: skip
        axis = state.control(
            st.segmented_control, "Against", list(_AXES), name=_AXIS, default="seconds", required=True,
            accept=_AXES.__contains__, format_func=_AXES.get,
        )  # fmt: skip
    only = "" if comparable else " Objectives are compared only where all racers have the same one."
    st.caption(_EXPLAINED[by] + only + _at_once(requests, axis))
    return by, axis


def _at_once(requests: list[RunRequest], axis: str) -> str:
    """Say what the upright line is: a method that is solved in one go has no way there."""
    specs = {request.method: method_spec(request.method) for request in requests}
    closed = [
        specs[request.method].title for request in requests if specs[request.method].is_closed(request.params)
    ]
    if not closed or axis != "seconds":
        return ""
    return f" {' and '.join(dict.fromkeys(closed))}: solved in one go, an upright line where it is ready."


def _one_objective(requests: list[RunRequest]) -> bool:
    """Whether all lower the same objective: one method, parameters that differ in how alone."""
    ways = {"solver", "init", "max_iter", "tol"}
    what = [
        (request.method, sorted((name, value) for name, value in request.params.items() if name not in ways))
        for request in requests
    ]
    return bool(what) and all(entry == what[0] for entry in what)


def _remarks(handles: list[Handle] | None, requests: list[RunRequest]) -> None:
    if refusal := state.get(_PROBLEM):
        st.error(refusal)
    if handles is None and state.get(_RUNS):
        st.caption("The race of this link is no longer kept. Who took part is set here: Run holds it again.")
    for handle in handles or []:
        if handle.status in ("failed", "diverged"):
            spec = method_spec(handle.request.method)
            st.error(f"{spec.title}: {plain(handle.message, spec)}")
    if handles and [h.request.as_given() for h in handles] != [request.as_given() for request in requests]:
        st.caption(
            "The race below is of other racers, data or settings than chosen now. Run starts a new one."
        )


def _view(handles: list[Handle], phases: list[str], by: str, axis: str) -> None:
    racers: list[dict[str, Any]] = []
    for handle, phase in zip(handles, phases, strict=True):
        solver = str(handle.request.params.get("solver", ""))
        method = handle.request.method
        racers.append(
            {
                "id": handle.id,
                "title": _title(method_spec(method), solver),
                "colour": {"light": colour(method, "light"), "dark": colour(method, "dark")},
                # Two solvers of one method have its colour: the published one is dashed.
                "dashed": solver == "multiplicative",
                "phase": phase,
            }
        )
    data = {
        "racers": racers, "by": by, "axis": axis, "measure": _MEASURES[by], "preparing": STATE["preparing"],
        "invitation": "Press Run: all start at once, on the same samples with the same labels.",
    }  # fmt: skip
    _VIEW(key="race_view", data=data, on_changed_change=state.rerun_page)
    if handles:
        downloads("race_view", name="race", numbers=lambda: curve_table(handles).csv())
