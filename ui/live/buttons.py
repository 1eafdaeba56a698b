"""The buttons of the live run: Run, Pause, Step, Stop, Reset, ten steps, run to an iteration, speed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.requests.library import DataUnavailableError
from ui import owner, state
from ui.live import labels, undoing
from ui.service import service
from ui.watching import watched

RUN, COLD = "run", "live.cold"
_PACE, _TO = "pace", "_live.to"
_PACES = {0: "full speed", 50: "50 a second", 10: "10 a second", 2: "2 a second"}
_PROBLEM, _MESSAGE = "_live.problem", "_live.said"
_FURTHEST = 200_000


def present() -> Handle | None:
    """Return the run on show, if there is one."""
    return watched(state.get(RUN))


def mine(handle: Handle | None) -> bool:
    """Whether this visitor may steer a run."""
    return handle is not None and handle.may_steer(owner.token())


def problem() -> str:
    """Return why the last attempt to start a run was refused; nothing if it was not."""
    return state.get(_PROBLEM) or ""


def last_message() -> str:
    """Return, once, what the last press of a button came to if that needs saying."""
    words = state.get(_MESSAGE) or ""
    state.put(_MESSAGE, None)
    return words


def buttons(handle: Handle | None, request: RunRequest, *, same: bool) -> None:
    """Show the buttons for a run and for the request that the controls stand for, the `same` or not."""
    status = handle.status if handle and mine(handle) else None
    running, paused = status in ("running", "preparing", "waiting"), status == "paused"
    same = same and handle is not None
    # A run that is over has no next iteration: only Run begins another.
    over = handle is not None and same and handle.ended and mine(handle)
    no_step = over or (running and same)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            labels.RUN, key="live_run", type="primary", on_click=_run, args=(request, paused and same),
            disabled=running and same,
            help="Go on" if paused and same else "Start with what is chosen",
        )  # fmt: skip
        st.button(labels.PAUSE, key="live_pause", on_click=tell, args=("pause",), disabled=not running)
        st.button(
            labels.STEP, key="live_step", on_click=_step, args=(request, 1), disabled=no_step,
            help="This run is over: Run makes it again" if over else "One iteration on",
        )  # fmt: skip
        st.button("Step ten", on_click=_step, args=(request, 10), disabled=no_step)
        with st.popover("Run to …", disabled=running and same):
            to = state.control(
                st.number_input, "Iteration", 1, _FURTHEST, name=_TO, default=100, step=10,
                help="The run pauses when it gets there.",
            )  # fmt: skip
            st.button("Go", on_click=_run_to, args=(request, to))
        st.button(labels.STOP, on_click=tell, args=("stop",), disabled=not (running or paused))
        st.button(labels.RESET, on_click=_reset, disabled=handle is None)
        undoing.button()
        state.control(
            st.selectbox, "Speed", list(_PACES), name=_PACE, default=0, accept=_PACES.__contains__, read=int,
            format_func=_PACES.get, on_change=_change_pace, label_visibility="collapsed", width=140,
        )  # fmt: skip


def start(request: RunRequest, *, paused: bool = False, warm_from: str | None = None) -> Handle | None:
    """Start a run in place of the one on show, from its factors if it is to be warm."""
    before = state.get(RUN) or ""
    try:
        handle = service().submit(
            request,
            paused=paused,
            pace=state.get(_PACE, 0, read=int) or None,
            warm_from=warm_from,
            owner=owner.token(),
        )
    except ValueError as refusal:
        state.put(_PROBLEM, str(refusal))
        tell("stop")
        return None
    # The one before is stopped only now: it hands over what it has found.
    service().command(before, "stop", owner=owner.token(), wait=False)
    state.put(_PROBLEM, None)
    state.put(RUN, handle.id)
    return handle


def tell(action: str, **details: Any) -> None:
    """Pass on a command to the run on show."""
    service().command(state.get(RUN) or "", action, owner=owner.token(), **details)


def _run(request: RunRequest, goes_on: bool) -> None:
    handle = present()
    if goes_on:
        tell("resume")
    elif handle is not None and handle.status == "interrupted" and _same(handle, request):
        start(request, warm_from=handle.id)
    else:
        start(request)


def _can_step(request: RunRequest) -> bool:
    handle = present()
    return handle is not None and mine(handle) and not handle.ended and _same(handle, request)


def _same(handle: Handle | None, request: RunRequest) -> bool:
    """Whether a run is of what is chosen now."""
    try:
        return handle is not None and handle.request.key == request.key
    except (ValueError, DataUnavailableError):  # Its data are gone: an upload that was erased.
        return False


def _step(request: RunRequest, steps: int) -> None:
    if _can_step(request):
        tell("step", steps=steps)
        return
    if present() is not None:
        state.put(_MESSAGE, "This is the start of a new run with what is chosen now; Step takes it on.")
    start(request, paused=True)


def _run_to(request: RunRequest, iteration: int) -> None:
    handle = present()
    if handle is not None and _can_step(request):
        reached = handle.version[0] - 1
        if reached >= iteration:
            state.put(_MESSAGE, f"The run is at iteration {reached} already; the timeline goes back.")
            return
    elif start(request, paused=True) is None:
        return
    tell("until", iteration=iteration)


def _reset() -> None:
    tell("stop")
    state.put(RUN, None)
    state.put(_PROBLEM, None)


def _change_pace() -> None:
    state.put(_PACE, state.widget_value(_PACE), 0)
    tell("pace", pace=state.get(_PACE, 0, read=int) or None)
