"""Finds the measures: a module `experiments/trials/measures/<id>.py` that defines `MEASURE` is one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from experiments.trials.measure import Measure


def names() -> list[str]:
    """Return the ids of all measures."""
    return list(measures())


def measure(name: str) -> Measure:
    """Return a measure; a ValueError says what there is."""
    if name not in measures():
        raise ValueError(f"There is no measure {name!r}. There are: {', '.join(names())}.")
    return measures()[name]


@lru_cache(maxsize=1)
def measures() -> dict[str, Measure]:
    """Return all measures by id."""
    package = importlib.import_module(f"{__package__}.measures")
    measures_by_id: dict[str, Measure] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        described: Measure = importlib.import_module(f"{package.__name__}.{info.name}").MEASURE
        if described.id != info.name:
            raise ImportError(f"{info.name} calls its measure {described.id!r}; the two must agree.")
        measures_by_id[described.id] = described
    return measures_by_id
