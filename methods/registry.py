"""Finds every method: a module `methods/<family>/<id>.py` that defines `SPEC` is one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from pathlib import Path
from typing import Any

from methods.spec import Spec

_ROOT = Path(__file__).parent


@lru_cache(maxsize=1)
def specs() -> dict[str, Spec]:
    """Return every method's SPEC by id, ordered by family and id."""
    found: dict[str, Spec] = {}
    for family in sorted(
        entry.name for entry in _ROOT.iterdir() if entry.is_dir() and entry.name.isidentifier()
    ):
        for module in sorted(pkgutil.iter_modules([str(_ROOT / family)]), key=lambda item: item.name):
            spec = getattr(importlib.import_module(f"methods.{family}.{module.name}"), "SPEC", None)
            if spec is None:
                continue
            if (spec.id, spec.family) != (module.name, family):
                raise ImportError(f"methods/{family}/{module.name}.py calls itself {spec.family}/{spec.id}")
            if spec.id in found:
                raise ImportError(
                    f"methods/{family} and methods/{found[spec.id].family} both have {spec.id}.py"
                )
            found[spec.id] = spec
    return found


def names() -> list[str]:
    """Return the ids of all methods."""
    return list(specs())


def spec(name: str) -> Spec:
    """Return the SPEC of one method."""
    if name not in specs():
        raise ValueError(f"There is no method {name!r}. There are: {', '.join(names())}.")
    return specs()[name]


def create(name: str, **params: Any) -> Any:
    """Return an unfitted estimator; unknown or impossible parameters are refused by name."""
    described = spec(name)
    described.check(params)
    return described.estimator(**params)
