"""The map of a sweep and all that belongs to it, as the browser draws it."""

from __future__ import annotations

from functools import partial
from typing import Any

from experiments.requests.library import method_spec
from experiments.tuning import Axis, Sweep
from ui import state
from ui.assets import component
from ui.palette import colour
from ui.tune import answers, opening, sweeps

_VIEW = component("tune", "tune")
_DISPLAYED = "_tune.shown {}"


def show(place: str, sweep: Sweep, key: str, running: bool) -> None:
    """Show a sweep at a place of the page."""
    spec = method_spec(sweep.method)
    paper = all(axis.paper is not None for axis in sweep.axes)
    data: dict[str, Any] = {
        "key": key,
        "running": running,
        "axes": [_axis(sweep, axis) for axis in sweep.axes],
        "measures": [answers.measure_facts(item) for item in sweep.measures],
        "gridded": sweep.strategy == "grid",
        "title": spec.title,
        "colour": {look: colour(spec.id, look) for look in ("light", "dark")},
        "opens": opening.offered(spec),
        "marked": "the paper’s values" if paper else "the usual values",
        "invitation": "",
    }
    state.put(_DISPLAYED.format(place), key)
    _VIEW(key=place, data=data, on_act_change=partial(_act, place), on_changed_change=state.rerun_page)


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


def _act(place: str) -> None:
    """Open the trial of a cell elsewhere, or use its values: what a button beside the map asks for."""
    action = state.component_value(place, "act")
    entry = sweeps.registered(str(state.get(_DISPLAYED.format(place))))
    if isinstance(action, dict) and entry is not None:
        opening.act(entry.sweep, str(action.get("what")), action.get("at"))
