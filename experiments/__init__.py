"""Experiments: what is done with data and methods, and what is measured.

>>> import experiments
>>> request = experiments.RunRequest("swimmer", "nmf", {"n_components": 17, "max_iter": 20, "tol": 0})
>>> experiments.run(request).status
'max_iter'

The names are loaded when first used: a server starts the template of its workers before all else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from experiments.engine.record import RunRecord, Snapshot
    from experiments.engine.run import run
    from experiments.requests.corruption import occlude
    from experiments.requests.request import RunRequest
    from experiments.requests.splits import Split, split

__all__ = ["RunRecord", "RunRequest", "Snapshot", "Split", "occlude", "run", "split"]
_HOMES = {
    "RunRecord": "engine.record",
    "Snapshot": "engine.record",
    "run": "engine.run",
    "occlude": "requests.corruption",
    "RunRequest": "requests.request",
    "Split": "requests.splits",
    "split": "requests.splits",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
