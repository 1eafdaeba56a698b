"""The paper's value of a parameter, as a number that its slider can mark."""

from __future__ import annotations

import re

from experiments.requests.library import Facts, Param

_NUMBER = re.compile(r"(\d+(?:\.\d+)?)(?=$|[ ;(])")
# What the papers say in words, and `auto` works out in numbers.
_RULES = ("⌊", "the number of classes")


def paper_value(param: Param, facts: Facts) -> float | None:
    """Return the number that the paper gives for a parameter, None if it gives none."""
    if param.default is None:
        return param.auto(facts) if param.auto and param.paper.startswith(_RULES) else None
    match = _NUMBER.match(param.paper)
    # Where ours is another, the words are about a range or a special case.
    return param.default if match and float(match[1]) == param.default else None
