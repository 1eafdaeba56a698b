"""Which sample to label next: where a run is least sure, and where nothing like it has been labelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from experiments.fitted.verdicts import Verdicts
from experiments.measures.recognition import Codes

Reason = Literal["unsure", "far"]


@dataclass(frozen=True)
class Suggestion:
    """A sample worth a label. `strength` is how unsure (0 to 1) or how many times as far as usual."""

    row: int
    reason: Reason
    strength: float


def suggestions(
    found: Verdicts, train: Codes, features: NDArray[np.float64], each: int = 3
) -> list[Suggestion]:
    """Return up to `each` samples for either reason, no two of them close together.

    `features` has a row for each of the rows `train`. Unsure: no class is clearly nearest; of these one in
    each neighbourhood, for a label teaches its neighbours too. Far: farthest from all that is labelled or
    already suggested.
    """
    place = {int(row): index for index, row in enumerate(train)}
    asked = np.array([place[int(row)] for row in found.row], dtype=np.int64)
    known = np.setdiff1d(np.arange(len(train)), asked)
    centred = features - features.mean(axis=0)
    picked: list[Suggestion] = []
    near = _usual_distance(centred)
    for candidate in np.argsort(found.sure, kind="stable"):
        at = int(asked[candidate])
        if len(picked) == each:
            break
        if all(_distance(centred, at, place[one.row]) > near for one in picked):
            picked.append(Suggestion(int(found.row[candidate]), "unsure", float(1 - found.sure[candidate])))
    far = _distances_to(centred, asked, np.append(known, [place[one.row] for one in picked]).astype(np.int64))
    usual = float(np.median(far)) or 1.0
    for _ in range(min(each, asked.size - len(picked))):
        at = int(far.argmax())
        if far[at] <= 0:
            break
        picked.append(Suggestion(int(found.row[at]), "far", float(far[at] / usual)))
        far = np.minimum(far, _distances_to(centred, asked, asked[[at]]))
    return picked


def _distance(points: NDArray[np.float64], one: int, other: int) -> float:
    return float(np.linalg.norm(points[one] - points[other]))


def _distances_to(points: NDArray[np.float64], asked: Codes, known: Codes) -> NDArray[np.float64]:
    """Return how far each asked point is from the nearest known one; from the middle if there is none."""
    if not known.size:
        return np.asarray(np.linalg.norm(points[asked], axis=1))
    squares = np.square(points[asked]).sum(axis=1)[:, None] - 2 * points[asked] @ points[known].T
    return np.asarray(np.sqrt(np.maximum(squares + np.square(points[known]).sum(axis=1), 0).min(axis=1)))


def _usual_distance(points: NDArray[np.float64]) -> float:
    """Return a tenth of the spread of the points: what is nearer than that is much the same."""
    return 0.1 * float(np.sqrt(np.square(points).sum(axis=1).mean()))
