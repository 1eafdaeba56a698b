"""Finds every method: a module `methods/<family>/<id>.py` that defines `SPEC` is one."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from methods.spec import Spec

_ROOT = Path(__file__).parent


@lru_cache(maxsize=1)
def specs() -> dict[str, Spec]:
    """Return every method's SPEC by id, ordered by family and id."""
    specs_by_id: dict[str, Spec] = {}
    for module in _modules():
        spec = _load(module)
        if spec is None:
            continue
        if spec.id in specs_by_id:
            raise ImportError(
                f"methods/{spec.family} and methods/{specs_by_id[spec.id].family} both have {spec.id}.py"
            )
        specs_by_id[spec.id] = spec
    return specs_by_id


def names() -> list[str]:
    """Return the ids of all methods."""
    return list(specs())


def spec(name: str) -> Spec:
    """Return the SPEC of one method, importing no other."""
    for module in _modules():
        if module.endswith(f".{name}") and (described := _load(module)) is not None:
            return described
    if name not in specs():
        raise ValueError(f"There is no method {name!r}. There are: {', '.join(names())}.")
    return specs()[name]


@lru_cache(maxsize=1)
def _modules() -> list[str]:
    """Return the modules that may be methods; none is imported for that."""
    families = sorted(entry.name for entry in _ROOT.iterdir() if entry.is_dir() and entry.name.isidentifier())
    return [
        f"{__package__}.{family}.{name}"
        for family in families
        for name in sorted(module.name for module in pkgutil.iter_modules([str(_ROOT / family)]))
    ]


@cache
def _load(module: str) -> Spec | None:
    """Return the SPEC of a module, None if it is only a piece of others."""
    spec: Spec | None = getattr(importlib.import_module(module), "SPEC", None)
    family, name = module.split(".")[-2:]
    if spec is not None and (spec.id, spec.family) != (name, family):
        raise ImportError(f"methods/{family}/{name}.py calls itself {spec.family}/{spec.id}")
    return spec


def create(name: str, **params: Any) -> Any:
    """Return an unfitted estimator; unknown or impossible parameters are refused by name."""
    described = spec(name)
    described.check(params)
    return described.estimator(**params)
