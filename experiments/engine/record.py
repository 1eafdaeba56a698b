"""The results of a run: snapshots and records."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from experiments.engine.own_version import own_version
from experiments.requests.request import RunRequest

RunStatus = Literal["done", "max_iter", "diverged", "stopped", "failed", "interrupted"]
# What has come to its end is a result, others only show how far they came.
ENDED_WELL = frozenset({"done", "max_iter"})


@dataclass(frozen=True)
class Snapshot:
    """The arrays of one iteration, stored so that a run can be replayed from its beginning."""

    iteration: int
    arrays: Mapping[str, NDArray[Any]]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class RunRecord:
    """A finished run.

    `objective`, `seconds` and each array of `terms` have one entry an iteration, the start
    included; `seconds` counts the steps of the method, the start only where a closed form is solved in it,
    and nothing else. `rows` are the row numbers of the split, `discriminative` how many parts tell classes
    apart. `reading` is how a file was read, and `files` its name and SHA-256, if the data are an upload.
    """

    request: RunRequest
    status: RunStatus
    message: str
    objective: NDArray[np.float64]
    terms: Mapping[str, NDArray[np.float64]]
    seconds: NDArray[np.float64]
    scores: Mapping[str, float]
    arrays: Mapping[str, NDArray[Any]]
    snapshots: tuple[Snapshot, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[tuple[str, str], ...] = ()
    rows: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    discriminative: int | None = None

    @property
    def iterations(self) -> int:
        """How many iterations were made."""
        return max(0, self.objective.size - 1)


def flat(state: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return copies of a state's arrays by name; where there is one a mode or a view, they are numbered.

    >>> sorted(flat({"embedding": np.eye(2), "factors": (np.eye(2), np.eye(3))}))
    ['embedding', 'factors_0', 'factors_1']
    """
    return {name: np.array(array) for name, array in numbered(state).items()}


def numbered(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return a state's arrays by name, not copied; where there is one a mode or a view, they are numbered."""
    arrays: dict[str, Any] = {}
    for name, value in state.items():
        several = isinstance(value, (list, tuple))
        arrays |= (
            {f"{name}_{index}": array for index, array in enumerate(value)} if several else {name: value}
        )
    return arrays


@cache
def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    packages = {name: version(name) for name in ("numpy", "scipy", "scikit-learn")}
    return {"partwise": own_version(), "python": platform.python_version(), **packages}
