"""A run that goes on from the arrays of another: where they are, and whether they still fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

import datasets
from experiments.engine.array_file import UNREADABLE, arrays_in
from experiments.requests.prepare import Prepared, rows_of
from experiments.requests.request import RunRequest
from methods import Step

_NUMBERED = re.compile(r"(.+)_(\d+)")
_OTHER_DATA = "Started afresh: the earlier run was on other samples."
MISFIT = "Started afresh: what the earlier run had found does not fit these settings."
GONE = "Started afresh: the earlier run is no longer kept."


@dataclass(frozen=True)
class WarmStart:
    """The step a run goes on from. Without a request it is assumed to be of the same rows.

    It is `reproducible` if the request alone decides the step, its iteration included. `inner` are steps of
    fits beside it, with some labels held back, by those that they were given.
    """

    step: Step | None
    request: RunRequest | None = None
    reproducible: bool = False
    inner: Mapping[tuple[Any, ...], WarmStart] = field(default_factory=dict)

    def copy(self) -> WarmStart:
        """Return the same with arrays of its own."""
        return replace(self, step=None if self.step is None else self.step.copy())

    def refusal(self, prepared: Prepared, request: RunRequest) -> str:
        """Return why a request, with its data prepared, cannot go on from it; empty if it may be tried."""
        if self.step is None:
            return GONE
        if self.request is None:
            return ""
        earlier = self.request
        if _of(earlier) != _of(request) or not np.array_equal(
            rows_of(prepared.ds, earlier).train, prepared.rows.train
        ):
            return _OTHER_DATA
        return ""


def _of(request: RunRequest) -> tuple[Any, ...]:
    """Return what decides the columns: data set, options with defaults written out, view."""
    return request.dataset, datasets.card(request.dataset).resolve(request.dataset_options), request.view


def warm_start_from(
    file: Path, request: RunRequest | None = None, *, reproducible: bool = False
) -> WarmStart:
    """Return the warm start in a snapshot file, or in the latest snapshot of the folder of a run."""
    iteration = 0
    try:
        if file.is_dir():
            file = max(file.glob("*.npz"), key=lambda snapshot: int(snapshot.stem))
            iteration = int(file.stem)
        state = MappingProxyType(gathered(arrays_in(file)))
        return WarmStart(Step(iteration, 0.0, {}, state), request, reproducible)
    except UNREADABLE:  # No folder, no snapshot in it yet, or half a file.
        return WarmStart(None, request)


def gathered(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as they were before `flat` gave those of a tuple names of their own.

    >>> sorted(gathered({"embedding": 1, "factors_1": 3, "factors_0": 2}).items())
    [('embedding', 1), ('factors', (2, 3))]
    """
    whole: dict[str, Any] = {}
    for name in sorted(arrays, key=_place):
        match = _NUMBERED.fullmatch(name)
        if match is None:
            whole[name] = arrays[name]
        else:
            whole[match[1]] = (*whole.get(match[1], ()), arrays[name])
    return whole


def _place(name: str) -> tuple[str, int]:
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match else (name, 0)
