"""The options of a data set as controls, made from its card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from experiments.requests.library import DataUnavailableError, Option, card, load_dataset
from ui import state

# More options than this would push what comes after them off the screen.
_OPEN = 3


def names(dataset: str) -> list[str]:
    """Return the names under which the options of a data set are remembered."""
    return [_name(dataset, option) for option in card(dataset).options]


def chosen_options(dataset: str) -> dict[str, Any]:
    """Return the options as they are chosen."""
    return {
        option.name: state.get(_name(dataset, option), option.default, _accepts(option))
        for option in card(dataset).options
    }


def remember(dataset: str, options: Mapping[str, Any]) -> None:
    """Choose options, for instance those an upload was looked at with."""
    for option in card(dataset).options:
        if option.name in options:
            state.put(_name(dataset, option), options[option.name], option.default)


def problem(dataset: str, options: Mapping[str, Any]) -> str:
    """Return why a data set cannot be had with these options; nothing if it can."""
    try:
        load_dataset(dataset, **options)
    except (ValueError, DataUnavailableError) as refusal:
        return str(refusal)
    return ""


def controls(dataset: str) -> None:
    """Show a control for each option, and what is wrong with them together."""
    options = card(dataset).options
    with st.expander("Options") if len(options) > _OPEN else st.container():
        for option in options:
            control(option, _name(dataset, option))
    # Several options, each acceptable, may leave nothing together: no word, for instance.
    if refusal := problem(dataset, chosen_options(dataset)):
        st.error(f"These options do not go together: {refusal}. The usual ones are used instead.")


def control(option: Option, name: str) -> Any:
    """Show the control of one option and return its value."""
    common: dict[str, Any] = {
        "name": name,
        "default": option.default,
        "accept": _accepts(option),
        "help": option.meaning,
    }
    if option.kind == "choice":
        return state.control(
            st.selectbox, option.heading, list(option.choices), format_func=option.choice_heading, **common
        )
    if option.kind == "bool":
        return state.control(st.toggle, option.heading, **common)
    whole = option.kind == "int"
    low, high = (int(option.low or 0), int(option.high or 100)) if whole else (option.low, option.high)
    return state.control(st.slider, option.heading, low, high, **common)


def _name(dataset: str, option: Option) -> str:
    return f"data.{dataset}.{option.name}"


def _accepts(option: Option) -> Callable[[Any], bool]:
    def accepted(value: Any) -> bool:
        try:
            option.check(value)
        except ValueError:
            return False
        return True

    return accepted
