"""A method fitted to pairs that belong together or apart: its features, their plot, nearest neighbours."""

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
    """A fit with pair constraints: `train` the rows it saw, `features` a row each.

    `points` are their first two coordinates. `same` is the share of samples whose nearest other sample is
    of their class (None: no class is known).
    """

    train: Codes
    features: NDArray[np.float64]
    points: Points
    same: float | None

    def distance(self, row_a: int, row_b: int) -> float:
        """Return how far two samples (rows of the data set) are apart, in usual distances between samples."""
        first, second = self.features[np.searchsorted(self.train, [row_a, row_b])]
        centred = self.features - self.features.mean(axis=0)
        usual = np.sqrt(2 * np.square(centred).sum(axis=1).mean())
        return float(np.linalg.norm(first - second) / usual) if usual > 0 else 0.0


def paired(request: RunRequest) -> Paired:
    """Fit a method that takes pairs and return its features of the samples."""
    prepared = prepare(request)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # A fit that has not settled is shown as far as it has come.
        prepared.estimator.fit(prepared.X, prepared.y_partial, **prepared.fit_params)
    features = np.asarray(prepared.estimator.transform(prepared.X), dtype=np.float64)
    y = None if prepared.ds.y is None else prepared.ds.y[prepared.rows.train]
    return Paired(prepared.rows.train, features, _first_two(features), _same(features, y))


def _first_two(features: NDArray[np.float64]) -> Points:
    two = np.zeros((len(features), 2))
    two[:, : min(2, features.shape[1])] = features[:, :2]
    two -= (two.max(axis=0) + two.min(axis=0)) / 2
    return np.asarray(two / (np.abs(two).max() or 1), dtype=np.float32)


def _same(features: NDArray[np.float64], y: Codes | None) -> float | None:
    if y is None or (y >= 0).sum() < 2:
        return None
    labelled = np.flatnonzero(y >= 0)
    matches = []
    for block in np.array_split(labelled, max(1, len(labelled) // 500)):
        squares = (
            np.square(features[labelled]).sum(axis=1)
            - 2 * features[block] @ features[labelled].T
            + np.square(features[block]).sum(axis=1)[:, None]
        )
        squares[block[:, None] == labelled] = np.inf
        matches.append(y[labelled][squares.argmin(axis=1)] == y[block])
    return float(np.concatenate(matches).mean())
