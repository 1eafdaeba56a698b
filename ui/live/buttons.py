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

RUN, COLD, _WARM = "run", "live.cold", "live.warm"
_PACE, _TO = "pace", "_live.to"
_SEEN = -1
_PACES = {_SEEN: "easy to follow", 0: "full speed", 50: "50 a second", 10: "10 a second", 2: "2 a second"}
_PROBLEM, _MESSAGE, _BEGUN = "_live.problem", "_live.said", "_live.begun"
_FURTHEST = 200_000


def present() -> Handle | None:
    """Return the run on show, if there is one."""
    return watched(state.get(RUN))


def went_on() -> bool:
    """Return whether the run on show went on from another; the address says so, too."""
    return bool(state.get(RUN)) and state.get(_WARM, "") == state.get(RUN)


def to_be_seen(handle: Handle | None) -> bool:
    """Return whether a run is slowed down if it is over at once: begun here, cold, at no other speed."""
    return handle is not None and state.get(_BEGUN) == handle.id and _pace() == _SEEN


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
    # On a telephone they are one row to be pushed along: see `ui.theme`.
    with st.container(key="live_buttons", horizontal=True, vertical_alignment="bottom"):
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
            st.selectbox, "Speed", list(_PACES), name=_PACE, default=_SEEN, accept=_PACES.__contains__,
            read=int, format_func=_PACES.get, on_change=_change_pace, label_visibility="collapsed", width=150,
            help="What would be over at once is shown slowly, unless another speed is chosen",
        )  # fmt: skip


def start(
    request: RunRequest, *, paused: bool = False, warm_from: str | None = None, reproducible: bool = False
) -> Handle | None:
    """Start a run in place of the one on show, from its factors if it is to be warm.

    It is `reproducible` if the request alone decides where it begins.
    """
    before = state.get(RUN) or ""
    try:
        handle = service().submit(
            request,
            paused=paused,
            pace=_per_second(),
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
    state.put(_BEGUN, None if paused or warm_from else handle.id)
    state.put(_WARM, handle.id if warm_from and not reproducible else "", "")
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
    state.put(_PACE, state.widget_value(_PACE), _SEEN)
    tell("pace", pace=_per_second())


def _pace() -> int:
    pace: int = state.get(_PACE, _SEEN, _PACES.__contains__, read=int)
    return pace


def _per_second() -> float | None:
    """Return how many iterations a second are made at most, None for as many as can be."""
    return _pace() if _pace() > 0 else None
