"""Settings that several studies share: how faces are prepared, and which dimensions are explored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from experiments.requests.request import RunRequest
from experiments.studies.study import Candidate, Deviation
from experiments.trials import MeasureRequest

SEEN = MeasureRequest("accuracy", {"asked": "seen"})
UNSEEN = MeasureRequest("accuracy", {"asked": "unseen"})
ALIGNED = {"size": 64, "crop": "aligned"}
PLAIN = {"size": 64, "crop": "plain"}
# The updates as published, and features of unseen rows by the plain pseudo-inverse.
PUBLISHED = {"max_iter": 500, "solver": "multiplicative", "features": "pinv"}

FACES = Deviation(
    "faces",
    "ORL at 64 × 64, aligned by the eyes; FERET at 56 × 46; PIE at 32 × 32",
    "ORL aligned by eyes that were located by hand, and beside it the faces as they were "
    "published (plain crop)",
    "the paper's own eye positions are not published, and the crop moves every figure",
)


def faces(
    method: str,
    params: Mapping[str, Any],
    split: Mapping[str, Any],
    options: Mapping[str, Any] = ALIGNED,
    dataset: str = "orl",
) -> RunRequest:
    """Return a run on faces: those of ORL, or of a data set that is waited for."""
    return RunRequest(dataset, method, params, dataset_options=options, split=split)


def dimensions(request: RunRequest, numbers: Sequence[int], setting: str = "") -> tuple[Candidate, ...]:
    """Return the candidates that differ in how many of the directions of one fit are compared."""
    return tuple(
        Candidate(
            request,
            MeasureRequest("leading_accuracy", {"dimensions": number}),
            f"{number} dimensions{', ' if setting else ''}{setting}",
        )
        for number in numbers
    )
