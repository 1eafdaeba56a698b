"""A run that goes on from what another has found: where its arrays are, and whether they still fit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

import datasets
from experiments.requests.prepare import Prepared, rows_of
from experiments.requests.request import RunRequest
from methods import Step

_NUMBERED = re.compile(r"(.+)_(\d+)")
_OTHER_DATA = "Started afresh: the earlier run was on other samples."
MISFIT = "Started afresh: what the earlier run had found does not fit these settings."
GONE = "Started afresh: the earlier run is no longer kept."


@dataclass(frozen=True)
class WarmStart:
    """What a run goes on from. Without a request it is taken to be of the same rows."""

    step: Step | None
    request: RunRequest | None = None

    def copy(self) -> WarmStart:
        """Return the same with arrays of its own."""
        return replace(self, step=None if self.step is None else self.step.copy())

    def refusal(self, now: Prepared, request: RunRequest) -> str:
        """Return why a request, its data now at hand, cannot go on from it; nothing if it may be tried."""
        if self.step is None:
            return GONE
        if self.request is None:
            return ""
        then = self.request
        if _of(then) != _of(request) or not np.array_equal(rows_of(now.ds, then).train, now.rows.train):
            return _OTHER_DATA
        return ""


def _of(request: RunRequest) -> tuple[Any, ...]:
    """Return what decides the columns; options are written out, for the usual ones may have been left out."""
    return request.dataset, datasets.card(request.dataset).resolve(request.dataset_options), request.view


def warm_start_from(file: Path, request: RunRequest | None = None) -> WarmStart:
    """Return what a file of kept arrays holds: a snapshot, or the latest one of the folder of a run."""
    try:
        if file.is_dir():
            file = max(file.glob("*.npz"), key=lambda kept: int(kept.stem))
        with np.load(file, allow_pickle=False) as kept:
            return WarmStart(
                Step(0, 0.0, {}, MappingProxyType(gathered({n: kept[n] for n in kept.files}))), request
            )
    except (OSError, ValueError):  # No folder, no snapshot in it yet, or half a file.
        return WarmStart(None, request)


def gathered(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return arrays as they were before `flat` gave those of a tuple names of their own.

    >>> sorted(gathered({"embedding": 1, "factors_1": 3, "factors_0": 2}).items())
    [('embedding', 1), ('factors', (2, 3))]
    """
    whole: dict[str, Any] = {}
    for name in sorted(arrays, key=_place):
        found = _NUMBERED.fullmatch(name)
        if found is None:
            whole[name] = arrays[name]
        else:
            whole[found[1]] = (*whole.get(found[1], ()), arrays[name])
    return whole


def _place(name: str) -> tuple[str, int]:
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2])) if found else (name, 0)
