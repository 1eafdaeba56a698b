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
    verdicts: Verdicts, train: Codes, features: NDArray[np.float64], each: int = 3
) -> list[Suggestion]:
    """Return up to `each` samples for either reason, no two of them close together.

    `features` has a row for each of the rows `train`. Unsure: no class is clearly nearest; of these one in
    each neighbourhood, for a label teaches its neighbours too. Far: farthest from all that is labelled or
    already suggested.
    """
    place = {int(row): index for index, row in enumerate(train)}
    unlabelled = np.array([place[int(row)] for row in verdicts.row], dtype=np.int64)
    labelled = np.setdiff1d(np.arange(len(train)), unlabelled)
    centred = features - features.mean(axis=0)
    picked: list[Suggestion] = []
    near = _usual_distance(centred)
    for candidate in np.argsort(verdicts.sure, kind="stable"):
        position = int(unlabelled[candidate])
        if len(picked) == each:
            break
        if all(_distance(centred, position, place[pick.row]) > near for pick in picked):
            picked.append(
                Suggestion(int(verdicts.row[candidate]), "unsure", float(1 - verdicts.sure[candidate]))
            )
    covered = np.append(labelled, [place[pick.row] for pick in picked]).astype(np.int64)
    far = _distances_to(centred, unlabelled, covered)
    usual = float(np.median(far)) or 1.0
    for _ in range(min(each, unlabelled.size - len(picked))):
        position = int(far.argmax())
        if far[position] <= 0:
            break
        picked.append(Suggestion(int(verdicts.row[position]), "far", float(far[position] / usual)))
        far = np.minimum(far, _distances_to(centred, unlabelled, unlabelled[[position]]))
    return picked


def _distance(points: NDArray[np.float64], first: int, second: int) -> float:
    return float(np.linalg.norm(points[first] - points[second]))


def _distances_to(points: NDArray[np.float64], queries: Codes, labelled: Codes) -> NDArray[np.float64]:
    """Return each query's distance to the nearest labelled point, or to the mean if none is labelled."""
    if not labelled.size:
        return np.asarray(np.linalg.norm(points[queries], axis=1))
    squares = np.square(points[queries]).sum(axis=1)[:, None] - 2 * points[queries] @ points[labelled].T
    return np.asarray(np.sqrt(np.maximum(squares + np.square(points[labelled]).sum(axis=1), 0).min(axis=1)))


def _usual_distance(points: NDArray[np.float64]) -> float:
    """Return a tenth of the spread of the points: closer points count as one neighbourhood."""
    return 0.1 * float(np.sqrt(np.square(points).sum(axis=1).mean()))
