"""What a run takes as its data grow, in words: what `python -m benchmarks.scale --write` has measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("scaling.json")
# What is told of, and what is too much for most: a quarter of an hour, and the memory of a laptop.
USUAL, MANY = 4000, 20_000
_TOO_LONG, _TOO_LARGE = 900.0, 8e9


def measured(method: str) -> Mapping[str, Any] | None:
    """Return what was measured of a method, None if nothing was."""
    return _table().get(method)


def sentence(measured: Mapping[str, Any], memory: float, *, growth: float = 1.0, counted: str = "") -> str:
    """Return what was measured in words, and what `MANY` samples would take; they need so much `memory`.

    The seconds are taken to grow at least with the power `growth` of the samples: few of them do not show it.
    `counted` says how much of a run they are.

    >>> sentence({"samples": 2000, "features": 64, "seconds": 1, "samples^": 3.0}, 5e8, counted="a step")
    'On one core, 64 features, a step: 8 s at 4\u202f000 samples; 20\u202f000 are too many (17 min, 0.5 GB).'
    """
    power = max(float(measured["samples^"]), growth)

    def seconds(samples: int) -> float:
        return float(measured["seconds"] * (samples / measured["samples"]) ** power)

    long, few, many = seconds(MANY), _thousands(USUAL), _thousands(MANY)
    needs = f"{_time(long)}, {_two_digits(memory / 1e9)} GB"
    too_many = long > _TOO_LONG or memory > _TOO_LARGE
    further = f"{many} are too many ({needs})" if too_many else f"{many} take {needs}"
    where = ", ".join(filter(None, ("On one core", f"{measured['features']} features", counted)))
    return f"{where}: {_time(seconds(USUAL))} at {few} samples; {further}."


def write(rows: Iterable[Mapping[str, Any]]) -> None:
    """Take over rows of the benchmark, each in place of what was measured of that method before."""
    table = dict(_table()) | {row["method"]: {k: v for k, v in row.items() if k != "method"} for row in rows}
    lines = (f"{json.dumps(name)}: {json.dumps(table[name])}" for name in sorted(table))
    _TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


@cache
def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = json.loads(_TABLE.read_text()) if _TABLE.is_file() else {}
    return table


def _time(seconds: float) -> str:
    if seconds < 0.1:
        return "less than 0.1 s"
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"{_two_digits(seconds / length)} {unit}"
    return f"{_two_digits(seconds)} s"


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _two_digits(number: float) -> str:
    return f"{float(f'{number:.2g}'):g}"
