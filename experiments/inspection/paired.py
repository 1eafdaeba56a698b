"""What a method makes of pairs that belong together or apart: features, places, and who is near whom then."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.inspection.layout import Points
from experiments.measures.recognition import Codes
from experiments.requests.prepare import prepare
from experiments.requests.request import RunRequest


@dataclass(frozen=True, eq=False)
class Paired:
    """A fit told of pairs: `train` the rows it saw, `features` a row each.

    `points` are their first two coordinates. `same` is the share of samples whose nearest other sample is
    of their class (None: no class is known).
    """

    train: Codes
    features: NDArray[np.float64]
    points: Points
    same: float | None

    def distance(self, one: int, other: int) -> float:
        """Return how far two samples (rows of the data set) are apart, in usual distances between samples."""
        first, second = self.features[np.searchsorted(self.train, [one, other])]
        centred = self.features - self.features.mean(axis=0)
        usual = np.sqrt(2 * np.square(centred).sum(axis=1).mean())
        return float(np.linalg.norm(first - second) / usual) if usual > 0 else 0.0


def paired(request: RunRequest) -> Paired:
    """Fit a method that takes pairs and return what it makes of the samples."""
    now = prepare(request)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A fit that has not settled is shown as far as it has come.
        now.estimator.fit(now.X, now.y_partial, **now.known)
    features = np.asarray(now.estimator.transform(now.X), dtype=np.float64)
    y = None if now.ds.y is None else now.ds.y[now.rows.train]
    return Paired(now.rows.train, features, _first_two(features), _same(features, y))


def _first_two(features: NDArray[np.float64]) -> Points:
    two = np.zeros((len(features), 2))
    two[:, : min(2, features.shape[1])] = features[:, :2]
    two -= (two.max(axis=0) + two.min(axis=0)) / 2
    return np.asarray(two / (np.abs(two).max() or 1), dtype=np.float32)


def _same(features: NDArray[np.float64], y: Codes | None) -> float | None:
    if y is None or (y >= 0).sum() < 2:
        return None
    known = np.flatnonzero(y >= 0)
    right = []
    for block in np.array_split(known, max(1, len(known) // 500)):
        squares = (
            np.square(features[known]).sum(axis=1)
            - 2 * features[block] @ features[known].T
            + np.square(features[block]).sum(axis=1)[:, None]
        )
        squares[block[:, None] == known] = np.inf
        right.append(y[known][squares.argmin(axis=1)] == y[block])
    return float(np.concatenate(right).mean())
