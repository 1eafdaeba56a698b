"""An axis of a sweep: one parameter and the values it takes, from what its method says about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, Self, get_args

import numpy as np

import methods
from experiments.measures.recognition import METRICS
from experiments.trials.reading import READINGS
from methods import Facts

Scale = Literal["linear", "log"]
Side = Literal["", "low", "high"]
Value = float | int | str | bool
MOST_VALUES = 100
# A range that is widened keeps its values, and with them their trials.
_DIGITS = 9
# How a fit is read instead of how it is made: these axes cost no further fit.
READ_AXES: Mapping[str, tuple[str, ...]] = {"reading": READINGS, "metric": METRICS}
READ_LABELS: Mapping[str, str] = {"reading": "Features read", "metric": "Distance"}


@dataclass(frozen=True)
class Axis:
    """A parameter with a range, or with choices, and how many values are tried in between.

    `paper` is the value that the method's paper uses (None: it gives none), `usual` the one it has when
    nobody says otherwise. `least` is the smallest value that makes sense.

    >>> Axis("alpha", 0.1, 1000, "log", 5).values
    (0.1, 1.0, 10.0, 100.0, 1000.0)
    """

    param: str
    low: float = 0.0
    high: float = 1.0
    scale: Scale = "linear"
    count: int = 2
    whole: bool = False
    choices: tuple[Value, ...] = ()
    paper: float | str | None = None
    usual: Value | None = None
    least: float | None = None
    label: str = ""

    def __post_init__(self) -> None:
        """Refuse what makes no range."""
        object.__setattr__(self, "choices", tuple(self.choices))
        if self.choices:
            return
        if self.scale not in get_args(Scale):
            raise ValueError(f"{self.param}: the scale must be linear or log, not {self.scale!r}.")
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"{self.param}: the range must go from a smaller to a larger number.")
        if self.scale == "log" and self.low <= 0:
            raise ValueError(f"{self.param}: a logarithmic range must begin above 0, not at {self.low:g}.")
        if not 2 <= self.count <= MOST_VALUES:
            raise ValueError(f"{self.param}: choose from 2 to {MOST_VALUES} values, not {self.count}.")

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values of the grid, in order, each once."""
        if self.choices:
            return self.choices
        spaced = np.geomspace if self.scale == "log" else np.linspace
        return tuple(dict.fromkeys(self._value(entry) for entry in spaced(self.low, self.high, self.count)))

    @property
    def read_only(self) -> bool:
        """Whether it changes how a fit is read and not the fit."""
        return self.param in READ_AXES

    def at(self, share: float) -> Value:
        """Return the value at a share (0 to 1) of the way from one end to the other."""
        share = min(1.0, max(0.0, share))
        if self.choices:
            return self.choices[min(len(self.choices) - 1, int(share * len(self.choices)))]
        if self.scale == "log":
            return self._value(self.low * (self.high / self.low) ** share)
        return self._value(self.low + share * (self.high - self.low))

    def share(self, value: Any) -> float:
        """Return where a value lies between the ends: 0 the lower, 1 the upper one."""
        if self.choices:
            return self.choices.index(value) / max(1, len(self.choices) - 1)
        if self.scale == "log":
            return math.log(max(value, 1e-300) / self.low) / math.log(self.high / self.low)
        return float((value - self.low) / (self.high - self.low))

    def nearest(self, value: Any) -> Value | None:
        """Return the value of the grid that is nearest to one (such as the paper's); None if outside."""
        if self.choices:
            return value if value in self.choices else None
        if not isinstance(value, (int, float)) or not -1e-9 <= self.share(value) <= 1 + 1e-9:
            return None
        return min(self.values, key=lambda entry: abs(self.share(entry) - self.share(value)))

    def edge(self, value: Any) -> Side:
        """Return at which end of its range a value lies; nothing if it is inside, or there is no way on."""
        if self.choices:
            return ""
        if value <= self.values[0] and (self.least is None or self.low > self.least):
            return "low"
        return "high" if value >= self.values[-1] else ""

    def widened(self, side: Side) -> Axis:
        """Return the axis going on half its length beyond one end, in steps as before."""
        if self.choices or not side:
            return self
        more = max(1, (self.count - 1) // 2)
        step = more / (self.count - 1)
        length = math.log(self.high / self.low) if self.scale == "log" else self.high - self.low
        low, high = self.low, self.high
        if side == "high":
            high = high * math.exp(step * length) if self.scale == "log" else high + step * length
        else:
            low = low * math.exp(-step * length) if self.scale == "log" else low - step * length
        if self.least is not None and low < self.least:
            return replace(self, low=self.least, count=min(MOST_VALUES, self.count + more))
        return replace(self, low=low, high=high, count=min(MOST_VALUES, self.count + more))

    def plain(self) -> dict[str, Any]:
        """Return the axis as plain data, what is as usual left out; `from_plain` makes it again."""
        settings = {item.name: getattr(self, item.name) for item in fields(self)}
        usual = {item.name: item.default for item in fields(self)}
        chosen = {name: value for name, value in settings.items() if value != usual[name]}
        return chosen | ({"choices": list(self.choices)} if self.choices else {})

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the axis that `plain` was made from."""
        return cls(**plain)

    def _value(self, number: float) -> Value:
        return round(number) if self.whole else _rounded(number)


def axis(
    method: str,
    param: str,
    low: float | None = None,
    high: float | None = None,
    scale: Scale | None = None,
    count: int = 9,
    facts: Facts | None = None,
) -> Axis:
    """Return an axis over a parameter of a method, with what is not given from its SPEC.

    `facts` are the sizes of the problem, from which automatic values follow. "reading" and "metric" are
    axes too: which features of a fit, and which distance, the nearest labelled sample is looked for by.

    >>> axis("n2s2l", "alpha", count=3).values, axis("n2s2l", "alpha").paper
    ((0.001, 3.16227766, 10000.0), 10.0)
    """
    if param in READ_AXES:
        return Axis(param, choices=READ_AXES[param], usual=READ_AXES[param][0], label=READ_LABELS[param])
    described = methods.spec(method).param(param)
    usual = described.starting_value(facts) if facts else described.default
    if described.kind in ("choice", "flag"):
        choices: tuple[Value, ...] = described.choices or (False, True)
        paper = described.paper if described.paper in choices else None
        return Axis(param, choices=choices, paper=paper, usual=usual, label=described.label)
    if described.kind not in ("int", "float"):
        raise ValueError(f"{param} is not a number or a choice: it cannot be tuned.")
    low = described.low if low is None else low
    high = described.high if high is None else high
    if low is None or high is None:
        raise ValueError(f"{param} has no usual range: say from where to where.")
    described.check(int(low) if described.kind == "int" and float(low).is_integer() else low)
    scale = scale or (described.scale if low > 0 else "linear")
    return Axis(
        param,
        low,
        high,
        scale,
        count,
        whole=described.kind == "int",
        paper=_number(described.paper),
        usual=usual,
        least=described.least,
        label=described.label,
    )


def listed_axis(method: str, param: str, values: tuple[Value, ...]) -> Axis:
    """Return an axis of these values alone.

    >>> listed_axis("n2s2l", "n_components", (40,)).values
    (40,)
    """
    if param in READ_AXES:
        return replace(axis(method, param), choices=values)
    described = methods.spec(method).param(param)
    paper = _number(described.paper) if described.kind in ("int", "float") else described.paper
    return Axis(param, choices=values, paper=paper, usual=described.default, label=described.label)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None  # Words, such as "best of a range".


def _rounded(number: float) -> float:
    """Return a number without what rounding has left in its last digits."""
    return float(f"{number:.{_DIGITS}g}")
