"""Parameters chosen for a method on some data, on Tune or by hand, and used wherever methods are compared.

They are part of the address like every other choice, so that a link carries them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from experiments.requests.library import Facts, Param, Spec, method_spec
from ui import state

Params = dict[str, Any]
# Nothing is to be chosen of these: the sidebar holds the seed, and the data know their shape.
_ELSEWHERE = ("seed", "shape")


def chosen(data: str, method: str) -> Params:
    """Return the parameters chosen for a method on a data set; the others are as usual.

    What the address says that makes no sense is left out.
    """
    return from_text(method_spec(method), state.get(_name(data, method), ""))


def starting_values(spec: Spec, facts: Facts, data: str) -> Params:
    """Return the values that a method starts from on a data set: those chosen, or else the usual ones."""
    usual = {name: value for name, value in spec.starting_values(facts).items() if value is not None}
    return usual | chosen(data, spec.id)


def choose(data: str, method: str, params: Mapping[str, Any]) -> None:
    """Choose parameters for a method on a data set, in place of those before; for use in a callback, too."""
    if text := as_text(params):
        state.choose({_name(data, method): text})
    else:
        forget(data, method)


def forget(data: str, method: str) -> None:
    """Go back to the usual parameters; for use in a callback, too."""
    state.reset([_name(data, method)])


def in_use(data: str, method: str, *, key: str) -> None:
    """Say which parameters are chosen, and offer to forget them; nothing if there are none."""
    params = chosen(data, method)
    if params:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{method_spec(method).title} has been tuned on these data: {words(method, params)}.")
            st.button("Forget them", key=f"{key} forget", on_click=forget, args=(data, method))


def words(method: str, params: Mapping[str, Any]) -> str:
    """Return parameters in a few words, by their symbols.

    >>> words("n2s2l", {"alpha": 10.0, "n_components": 40})
    'α 10, k 40'
    """
    by_name = {param.name: param for param in method_spec(method).params}
    return ", ".join(f"{_short_name(by_name[name])} {_short(value)}" for name, value in params.items())


def as_text(params: Mapping[str, Any]) -> str:
    """Return parameters as text for an address, from which `from_text` makes them again.

    >>> as_text({"beta": 0.5, "alpha": 10.0, "solver": "accelerated"})
    'alpha=10;beta=0.5;solver=accelerated'
    """
    return ";".join(
        f"{name}={_written(value)}" for name, value in sorted(params.items()) if value is not None
    )


def from_text(spec: Spec, text: str) -> Params:
    """Return the parameters in a text; what the method does not have or take is left out."""
    by_name = {param.name: param for param in spec.params if param.kind not in _ELSEWHERE}
    params = Params()
    for entry in text.split(";"):
        name, _, value_text = entry.partition("=")
        if name in by_name:
            try:
                value = _parsed(by_name[name], value_text)
                by_name[name].check(value)
            except ValueError:
                continue
            params[name] = value
    return params


def _name(data: str, method: str) -> str:
    return f"tuned.{data}.{method}"


def _short_name(param: Param) -> str:
    return param.symbol or param.label.lower()


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    # The shortest text that is the same number again; 10.0 is 10.
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _parsed(param: Param, text: str) -> Any:
    if param.kind == "flag":
        return text == "1"
    if param.kind == "int":
        return int(text)
    return float(text) if param.kind == "float" else text
