"""The paper's value of a parameter as a tick on its slider."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from experiments.requests.library import Facts, Param

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?=$|[ ;(])")
# What the papers say in words, and `auto` works out in numbers.
_RULES = ("⌊", "the number of classes")
_TICK = """<style>.st-key-{key} [role=group] > div::after {{ content: ""; position: absolute;
left: {left:.2f}%; top: 26px; width: 2px; height: 8px; margin-left: -1px; background: currentColor;
opacity: 0.55; }}</style>"""


def paper_value(param: Param, facts: Facts) -> float | None:
    """Return the number that the paper gives for a parameter, None if it gives none."""
    if param.default is None:
        return param.auto(facts) if param.auto and param.paper.startswith(_RULES) else None
    match = _NUMBER.match(param.paper)
    # Where ours is another, the words are about a range or a special case.
    return param.default if match and float(match[1]) == param.default else None


def tick(key: str, value: float | None, low: float, high: float) -> None:
    """Mark a value on the slider with this key, if it is within its ends."""
    if value is not None and low <= value <= high and high > low:
        name = re.sub(r"[^\w-]", "-", key)
        st.html(_TICK.format(key=name, left=100 * (value - low) / (high - low)))


def tick_among(key: str, value: float | None, options: Sequence[Any]) -> None:
    """Mark a value on a slider over a list of options."""
    if value in options:
        tick(key, options.index(value), 0, len(options) - 1)
