"""The live run: choose a method, run it, pause it, step through it, go back on the timeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.library import Spec, runnable
from experiments.service import Handle
from ui import controls, state
from ui.live_view import live_view, subject_of
from ui.service import service
from ui.sidebar import Chosen, chosen

_RUN, _METHOD, _PACE = "run", "method", "pace"
_PACES = {0: "full speed", 50: "50 a second", 10: "10 a second", 2: "2 a second"}


@st.fragment
def show() -> None:
    """Show the page; its buttons run this part alone."""
    choice, methods = chosen(), runnable()
    bar, picture_and_controls = st.container(), st.container()
    with picture_and_controls:
        picture, panel = st.columns([3.2, 1], gap="medium")
    with panel:
        spec = _method(methods)
        params = controls.parameters(spec, choice.facts, "live")
    request = choice.request(spec.id, params)
    handle = _present(request)
    with bar:
        _buttons(handle, request)
    with picture:
        _picture(handle, spec, choice, request)
    state.publish("live")


def _method(methods: Mapping[str, Spec]) -> Spec:
    name = state.control(
        st.selectbox, "Method", list(methods), name=_METHOD, default="n2s2l", accept=methods.__contains__,
        format_func=lambda id: methods[id].title,
    )  # fmt: skip
    st.caption(methods[name].summary)
    return methods[name]


def _present(request: RunRequest) -> Handle | None:
    """Return the run on show: the last one started, as long as it is of the method now chosen."""
    handle = service().get(state.get(_RUN))
    return handle if handle is not None and handle.request.method == request.method else None


def _buttons(handle: Handle | None, request: RunRequest) -> None:
    status = handle.status if handle else None
    running, paused = status in ("running", "preparing"), status == "paused"
    stale = handle is not None and handle.request.key != request.key
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Run",
            type="primary",
            on_click=_run,
            args=(request, paused and not stale),
            disabled=running and not stale,
            help="Start with the parameters shown" if not paused else "Go on",
        )
        st.button("Pause", on_click=_tell, args=("pause",), disabled=not running)
        st.button(
            "Step", on_click=_step, args=(request,), disabled=running and not stale, help="One iteration"
        )
        st.button("Stop", on_click=_tell, args=("stop",), disabled=not (running or paused))
        st.button("Reset", on_click=_reset, disabled=handle is None)
        state.control(
            st.selectbox, "Speed", list(_PACES), name=_PACE, default=0, accept=_PACES.__contains__, read=int,
            format_func=_PACES.get, on_change=_change_pace, label_visibility="collapsed", width=140,
        )  # fmt: skip
        if stale and not running:
            st.caption("Parameters changed: Run starts anew with them.")


def _picture(handle: Handle | None, spec: Spec, choice: Chosen, request: RunRequest) -> None:
    problem = state.get("_problem") or (
        handle.message if handle and handle.status in ("failed", "diverged", "interrupted") else ""
    )
    if problem:
        st.error(problem)
    parts = "parts" if "components" in spec.gives else "a solution"
    live_view(
        "live_view", handle, subject_of(spec), poster=request,
        invitation=f"Press Run: {spec.title} takes {choice.data.n_samples} samples apart into {parts}.",
    )  # fmt: skip


def _run(request: RunRequest, goes_on: bool) -> None:
    if goes_on:
        _tell("resume")
    else:
        _start(request, paused=False)


def _step(request: RunRequest) -> None:
    handle = service().get(state.get(_RUN))
    if handle is None or handle.ended or handle.request.key != request.key:
        _start(request, paused=True)
    else:
        _tell("step", steps=1)


def _start(request: RunRequest, *, paused: bool) -> None:
    _tell("stop")
    try:
        handle = service().submit(request, paused=paused, pace=state.get(_PACE, 0) or None)
    except ValueError as refusal:
        state.put("_problem", str(refusal))
        return
    state.put("_problem", None)
    state.put(_RUN, handle.id)


def _tell(action: str, **details: Any) -> None:
    service().command(state.get(_RUN) or "", action, **details)


def _reset() -> None:
    _tell("stop")
    state.put(_RUN, None)
    state.put("_problem", None)


def _change_pace() -> None:
    state.put(_PACE, state.widget_value(_PACE), 0)
    _tell("pace", pace=state.get(_PACE, 0) or None)
