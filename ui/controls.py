"""Controls made from a method's SPEC: the right widget for each parameter, the paper's value marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import streamlit as st

from experiments.requests.library import Facts, Param, Spec
from ui import paper_marks, param_slider, state


def parameters(
    spec: Spec,
    facts: Facts,
    prefix: str,
    on_change: Callable[[], None] | None = None,
    skip: Collection[str] = (),
    starts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Show a control for each parameter of a method and return their values.

    Choices are remembered under `prefix.method.parameter`. `on_change` is called when one is moved by hand.
    What the page asks for in its own way it tells us to `skip`. What changes nothing beside the other
    choices has no control and stays as it was. Values in `starts` take the place of the usual ones.
    """
    offered = [param for param in _offered(spec, starts) if param.name not in skip]
    slid = [param for param in offered if param_slider.is_slid(param, facts)]
    moved = [param_slider.take_in(param, facts, f"{prefix}.{spec.id}.{param.name}") for param in slid]
    if any(moved) and on_change is not None:
        on_change()
    before = _as_moved(spec, facts, prefix, starts)
    relevant = [param for param in offered if param.matters(before)]
    values = {param.name: before[param.name] for param in offered}
    values |= _controls((param for param in relevant if not param.advanced), spec, facts, prefix, on_change)
    further = [param for param in relevant if param.advanced]
    if further:
        with st.expander("More parameters"):
            values |= _controls(further, spec, facts, prefix, on_change)
    return values


def remembered(
    spec: Spec, facts: Facts, prefix: str, starts: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the values that the controls of a method have, or would have, without showing them."""
    values = {}
    for param in _offered(spec, starts):
        read = _number(param) if param.kind in ("int", "float") else None
        start = param.starting_value(facts)
        values[param.name] = state.get(f"{prefix}.{spec.id}.{param.name}", start, _fits(param), read)
    return values


def _offered(spec: Spec, starts: Mapping[str, Any] | None) -> list[Param]:
    """Return the parameters that have controls: the sidebar holds the seed, and the data know their shape."""
    start_values = starts or {}
    offered = [param for param in spec.params if param.kind not in ("seed", "shape")]
    return [
        param.but(preferred=start_values[param.name]) if start_values.get(param.name) is not None else param
        for param in offered
    ]


def _as_moved(
    spec: Spec, facts: Facts, prefix: str, starts: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the values remembered, of choices those that a visitor has just gone over to."""
    values = remembered(spec, facts, prefix, starts)
    choices = [param.name for param in spec.params if param.kind == "choice"]
    return values | {name: state.moved_to(f"{prefix}.{spec.id}.{name}", values[name]) for name in choices}


def _fits(param: Param) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        try:
            param.check(value)
        except ValueError:
            return False
        return True

    return fits


def _controls(
    params: Iterable[Param], spec: Spec, facts: Facts, prefix: str, on_change: Callable[[], None] | None
) -> dict[str, Any]:
    return {
        param.name: _control(param, facts, f"{prefix}.{spec.id}.{param.name}", on_change) for param in params
    }


def _control(param: Param, facts: Facts, name: str, on_change: Callable[[], None] | None) -> Any:
    start = param.starting_value(facts)
    common: dict[str, Any] = {
        "name": name, "default": start, "help": _help(param, facts), "on_change": on_change,
    }  # fmt: skip
    if param.kind == "choice":
        return state.control(
            st.selectbox, param.label, list(param.choices), accept=param.choices.__contains__, **common
        )
    if param.kind == "flag":
        return state.control(st.toggle, param.label, **common)
    if param_slider.is_slid(param, facts):
        return param_slider.show(param, facts, name, _help(param, facts))
    return state.control(
        st.number_input,
        param.label,
        accept=_fits(param),
        read=_number(param),
        placeholder=param.unset,
        **_ends(param),
        **common,
    )


def _ends(param: Param) -> dict[str, Any]:
    convert = _number(param)
    ends = {"min_value": param.low, "max_value": param.high}
    return {name: convert(value) for name, value in ends.items() if value is not None}


def _number(param: Param) -> Any:
    return int if param.kind == "int" else float


def _help(param: Param, facts: Facts) -> str:
    marked = " (the mark below the slider)" if paper_marks.paper_value(param, facts) is not None else ""
    return f"{param.meaning}\n\nIn the paper: {param.paper}{marked}" if param.paper else param.meaning
