"""What the occlusion and noise pages are told of all faces: curves by amount, maps by place of the patch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from experiments.comparisons.robustness import Surveys
from experiments.comparisons.surveys import Survey
from experiments.engine.handle import Handle
from experiments.fitted.recognisers import How
from experiments.measures.recognition import Metric
from experiments.requests.corruption import KINDS, Kind, Patch
from ui.robustness.answers import known
from ui.service import service


@lru_cache(maxsize=1)
def surveys() -> Surveys:
    """Return the surveys of this server process."""
    found = Surveys(service().shared, service().shared_before)
    service().before_closing(found.close)
    return found


def accuracy(handles: Sequence[Handle], kind: Kind, metric: Metric, how: How) -> dict[str, Any]:
    """Return what is known so far of each method's accuracy, by amount of the corruption."""
    known(kind, metric, how)
    found: list[dict[str, Any]] = []
    for handle in handles:
        if not _worth_asking(handle):
            found.append({"id": handle.id, "points": [], "complete": handle.ended})
            continue
        curve = surveys().curve(handle.request, kind, metric, how)
        found.append(
            _told(handle, curve)
            | {"points": curve.points(), "largest": curve.amounts[-1], "whole": curve.shares[:, :, 0].size}
            | {"amounts": len(curve.amounts)}
        )
    return {"curves": found, "complete": all(entry["complete"] for entry in found)}


def places(handles: Sequence[Handle], kind: Patch, size: int, metric: Metric, how: How) -> dict[str, Any]:
    """Return what is known so far of each method's accuracy, by place of a patch of one size."""
    known(kind, metric, how)
    if kind not in KINDS:
        raise ValueError("Noise has no place.")
    found: list[dict[str, Any]] = []
    for handle in handles:
        if not _worth_asking(handle):
            found.append({"id": handle.id, "shares": [], "complete": handle.ended})
            continue
        survey = surveys().positions(handle.request, kind, size, metric, how)
        shares = [None if mean is None else mean[0] for mean in survey.means()]
        entry = _told(handle, survey) | {"shares": shares, "tops": survey.tops, "lefts": survey.lefts}
        found.append(entry)
    return {"maps": found, "size": size, "complete": all(entry["complete"] for entry in found)}


def _worth_asking(handle: Handle) -> bool:
    """Say whether a run has come to an end that something can be asked of."""
    return handle.status in ("done", "max_iter")


def _told(handle: Handle, survey: Survey) -> dict[str, Any]:
    return {"id": handle.id, "complete": survey.complete, "message": survey.message}
