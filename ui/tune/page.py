"""The Tune page: set up, start, watch the map fill in, take away what serves best."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments.requests.library import method_spec
from experiments.trials import Trial
from experiments.tuning import Axis, Sweep, trials_of
from ui import owner, state, unattended
from ui.assets import component
from ui.fragments import fragment
from ui.palette import colour
from ui.plain import plain
from ui.runs import reopen
from ui.service import tables
from ui.sidebar import Chosen, chosen, follow
from ui.tune import answers, opening, shelf, sweeps, take, words
from ui.tune.setup import Setup, setup
from ui.waiting import until
from ui.words import counted, number

_VIEW = component("tune", "tune")
_KEY, _RUNNING, _SHOWN = "tune view", "_tune.running", "_tune.shown"
_PATIENCE = 0.3


@fragment
def show() -> None:
    """Show the page."""
    reopen.follow()
    follow()
    choice = chosen()
    controls, bar = st.container(), st.container(horizontal=True, vertical_alignment="center")
    with controls:
        try:
            made = setup(choice, bar)
            key = sweeps.register(made.sweep, made.minutes)
        except ValueError as refusal:
            spec = method_spec(state.get("tune.method", "n2s2l"))
            st.info(plain(str(refusal), spec))
            state.publish("tune")
            return
    running = state.get(_RUNNING) == key
    with bar:
        _start_and_stop(made, key, running)
    _view(choice, made.sweep, key, running)
    take.show(choice, made.sweep, key)
    state.publish("tune")


def _start_and_stop(made: Setup, key: str, running: bool) -> None:
    st.button("Start", type="primary", disabled=running, on_click=_start, args=(made, key))
    st.button("Stop", disabled=not running, on_click=state.put, args=(_RUNNING, None))
    shelf.menu(made.sweep)
    if running and made.sweep.strategy != "guided":
        title = f"{method_spec(made.sweep.method).title}: {_in_words(made.sweep)}"
        unattended.offer(title, "tune", lambda: trials_of(made.sweep).in_turn(), key="tune leave")
    _estimate(made.sweep)


def _start(made: Setup, key: str) -> None:
    state.put(_RUNNING, key)
    if made.minutes:
        sweeps.register(made.sweep, made.minutes)


def _estimate(sweep: Sweep) -> None:
    """Say how long it will take, judged by the first fit; that one is made at once, and kept."""
    table = trials_of(sweep)
    total = table.splits * (len(table.trials) if sweep.strategy != "guided" else sweep.budget)
    first, many = table.in_turn()[0], counted(total, "fit")
    found = tables().ask(owner.token(), "tune estimate", [first], patience=_PATIENCE).get(first.key)
    if found is None:
        until(lambda: _is_there(first), f"{_in_words(sweep)} {many}. How long one takes is being tried …")
        return
    whole = words.duration(found.seconds * total / words.AT_ONCE)
    each = f" of {words.duration(found.seconds)}" if found.seconds >= 1 else ""
    st.caption(f"{_in_words(sweep)} {many}{each}: {whole} here.")


def _is_there(trial: Trial) -> bool:
    return trial.key in tables().ask(owner.token(), "tune estimate", [trial])


def _in_words(sweep: Sweep) -> str:
    """Return from where to where is tried what, in a few words."""
    spec = method_spec(sweep.method)
    ranges = []
    for axis in sweep.axes:
        symbol = (spec.has(axis.param) and spec.param(axis.param).symbol) or axis.label
        ends = [str(value) for value in axis.choices] or [number(axis.low), number(axis.high)]
        ranges.append(f"{symbol} {' … '.join(ends)}" if not axis.choices else f"{symbol} {', '.join(ends)}")
    return f"{'; '.join(ranges)}; {counted(sweep.splits, 'split')}."


def _view(choice: Chosen, sweep: Sweep, key: str, running: bool) -> None:
    spec = method_spec(sweep.method)
    paper = all(axis.paper is not None for axis in sweep.axes)
    data: dict[str, Any] = {
        "key": key,
        "running": running,
        "axes": [_axis(sweep, axis) for axis in sweep.axes],
        "measures": [answers.shown(item) for item in sweep.measures],
        "gridded": sweep.strategy == "grid",
        "title": spec.title,
        "colour": {look: colour(spec.id, look) for look in ("light", "dark")},
        "opens": opening.offered(spec),
        "marked": "the paper’s values" if paper else "the usual values",
        "invitation": "",
    }
    state.put(_SHOWN, key)
    _VIEW(key=_KEY, data=data, on_act_change=_act, on_changed_change=state.rerun_page)


def _axis(sweep: Sweep, axis: Axis) -> dict[str, Any]:
    spec = method_spec(sweep.method)
    symbol = spec.param(axis.param).symbol if spec.has(axis.param) else ""
    marked = axis.paper if axis.paper is not None else axis.usual
    return {
        "name": axis.param,
        "symbol": symbol,
        "label": axis.label or axis.param,
        "log": axis.scale == "log" and not axis.choices,
        "values": [answers.place(axis, value) for value in axis.values],
        "texts": [str(value) for value in axis.choices] or None,
        "paper": answers.place(axis, marked) if marked is not None and _lies_on(axis, marked) else None,
    }


def _lies_on(axis: Axis, value: Any) -> bool:
    return value in axis.choices if axis.choices else isinstance(value, (int, float))


def _act() -> None:
    """Open the trial of a cell elsewhere, or use its values: what a button beside the map asks for."""
    asked = state.component_value(_KEY, "act")
    entry = sweeps.registered(str(state.get(_SHOWN)))
    if isinstance(asked, dict) and entry is not None:
        opening.act(entry.sweep, str(asked.get("what")), asked.get("at"))
