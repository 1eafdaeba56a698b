"""Finds the studies: a module of this folder that defines `STUDY` holds one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from experiments.studies.study import Study

_PACKAGE = __name__.rpartition(".")[0]


def names() -> list[str]:
    """Return the ids of all studies."""
    return list(_studies())


def study(name: str) -> Study:
    """Return a study; a ValueError says what there is."""
    if name not in _studies():
        raise ValueError(f"There is no study {name!r}. There are: {', '.join(names())}.")
    return _studies()[name]


@lru_cache(maxsize=1)
def _studies() -> dict[str, Study]:
    studies: dict[str, Study] = {}
    for info in sorted(
        pkgutil.iter_modules(importlib.import_module(_PACKAGE).__path__), key=lambda info: info.name
    ):
        described = getattr(importlib.import_module(f"{_PACKAGE}.{info.name}"), "STUDY", None)
        if described is None:
            continue
        if described.id.replace("-", "_") != info.name:
            raise ImportError(f"{_PACKAGE}.{info.name} calls its study {described.id!r}; the two must agree.")
        studies[described.id] = described
    return studies
