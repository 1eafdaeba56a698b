"""The slider of a parameter: log or even, the paper's value marked, heard of while it is moved.

Streamlit's own says nothing before it is released. This one tells the views of the page, in the browser,
where it is (`static/param_slider.js`), and the script only where it has come to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from experiments.engine.handle import Handle
from experiments.requests.library import Facts, Param, Spec
from ui import paper_marks, state
from ui.address import Reading
from ui.assets import component
from ui.run_state import ENDED_BADLY

FOLLOWING = "Follows your hand; let go, and it begins at its own start."
_SLIDER = component("param_slider", "param_slider")
_MOVED = "moved"
_WORDS = {
    "about": "What is {label}?",
    "typed": "{label}, as a number",
    "off": "{value}, switched off",
    "marked": "{value}, as in the paper",
    "refused": "{label} goes from {low} to {high}.",
    "refused_but_off": "{label} goes from {low} to {high}, or is 0.",
}


def is_slid(param: Param, facts: Facts) -> bool:
    """Return whether a parameter has a slider: a number with two ends and a value to begin with."""
    number = param.kind in ("int", "float") and param.low is not None and param.high is not None
    return number and param.starting_value(facts) is not None


def fits(param: Param, value: Any) -> bool:
    """Return whether a slider can stand at a value; off a log scale, 0 switches a term off."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    assert param.low is not None
    assert param.high is not None
    return param.low <= value <= param.high or (value == 0 and _has_zero(param))


def take_in(param: Param, facts: Facts, name: str) -> bool:
    """Take over what the slider of a choice has been moved to, once; return whether that is something new."""
    message = state.component_value(name, _MOVED)
    if not isinstance(message, Mapping) or message.get("number") == _heard(name):
        return False
    state.put(_heard_name(name), message.get("number"))
    start, wanted = param.starting_value(facts), message.get("value")
    # A move of the slider with another automatic value belongs to nobody.
    if message.get("start") != start or not fits(param, wanted):
        return False
    value = _reader(param)(wanted)
    new = value != state.get(name, start, read=_reader(param))
    state.put(name, value, start)
    return bool(new)


def show(param: Param, facts: Facts, name: str, meaning: str, turns: str = "") -> Any:
    """Show the slider of a choice, and return its value.

    It tells the views of the page that it belongs to what stands before the last dot of its name, unless it
    `turns` something else: `group.parameter`.
    """
    start, mark = param.starting_value(facts), paper_marks.paper_value(param, facts)
    reading = Reading(start, accept=lambda value: fits(param, value), read=_reader(param))
    value = state.control_apart(param.label, name, reading)
    if state.is_hidden(name):
        return value
    of, _, own = (turns or name).rpartition(".")
    data = {
        "of": of, "param": own, "label": param.label, "meaning": meaning, "value": value, "start": start,
        "low": param.low, "high": param.high, "log": _is_log(param), "zero": _has_zero(param),
        "whole": param.kind == "int", "mark": mark if mark is not None and fits(param, mark) else None,
        "heard": _heard(name), "words": _WORDS,
    }  # fmt: skip
    _SLIDER(key=name, data=data, on_moved_change=state.rerun_page)
    return value


def followed(handle: Handle, spec: Spec, group: str) -> list[str]:
    """Return the groups of sliders a run follows: that of its method, none if nothing can go on from it."""
    follows = handle.request.method == spec.id and handle.status not in ENDED_BADLY
    return [group] if follows else []


def turns_of(
    groups: Sequence[str], along: Mapping[str, Mapping[str, tuple[int, int | None]]] | None = None
) -> Any:
    """Return, for a view, which groups of sliders its run follows while they are held.

    A parameter in `along` sets others instead: to so much less than its value, and to no more than so many.

    >>> turns_of(["bases"], along={"k": {"n_components": (0, 39)}})
    {'of': ['bases'], 'along': {'k': {'n_components': {'less': 0, 'most': 39}}}}
    """
    shares = {
        name: {other: {"less": less, "most": most} for other, (less, most) in others.items()}
        for name, others in (along or {}).items()
    }
    return {"of": list(groups), "along": shares}


def _is_log(param: Param) -> bool:
    return param.scale == "log" and bool(param.low) and bool(param.high)


def _has_zero(param: Param) -> bool:
    # Zero is not on a log scale, yet switching a term off is the first thing one tries.
    return _is_log(param) and param.least == 0 and param.kind == "float"


def _reader(param: Param) -> Callable[[Any], float]:
    return int if param.kind == "int" else float


def _heard_name(name: str) -> str:
    return f"_{name}.heard"


def _heard(name: str) -> int:
    return int(state.get(_heard_name(name), 0) or 0)
