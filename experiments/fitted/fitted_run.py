"""A finished run with its estimator restored, and what both ways of asking it have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.measures.recognition import Codes, FloatArray, Metric, nearest_with_margin
from experiments.requests.prepare import prepare
from experiments.requests.request import RunRequest


class FittedRun:
    """A finished run: its rows and labels (`prepared`), and its `estimator` as it was at the end."""

    def __init__(
        self, request: RunRequest, arrays: Mapping[str, NDArray[Any]], *, estimator: Any = None
    ) -> None:
        """Restore the method that `request` fitted, from the arrays the run ended with.

        An `estimator` that has been restored elsewhere is taken as it is.
        """
        prepared = self.prepared = prepare(request)
        self._check()
        if estimator is None:
            fit_params = prepared.fit_params
            estimator = prepared.estimator.restore(prepared.X, prepared.y_partial, arrays, **fit_params)
        self.estimator: Any = estimator

    def _check(self) -> None:
        """Raise a ValueError if a run of this method on these data cannot be asked; before the slow part."""


@dataclass(frozen=True, eq=False)
class Identified:
    """The class recognised for each row that is asked about.

    `row` is the nearest labelled row of the data set, `code` its class, `distance` its distance
    in feature space, `margin` how much farther the nearest row of another class is (infinity: none).
    Of a classifier `row` is the nearest picture of the class it names, `distance` the size of the
    highest score, and `margin` how far the next class's score is below it.
    """

    row: Codes
    code: Codes
    distance: FloatArray
    margin: FloatArray

    @property
    def clear(self) -> NDArray[np.float64]:
        """How clear the nearest is: from 0 (a tie, also of two at no distance) to 1 (no other class)."""
        rivalled = np.isfinite(self.margin)
        margin = np.where(rivalled, self.margin, 0).astype(np.float64)
        apart = self.distance + margin
        return np.where(rivalled, margin / np.where(apart > 0, apart, 1), 1.0)


def nearest_labelled(
    features: FloatArray, rows: Codes, codes: Codes, queries: FloatArray, metric: Metric
) -> Identified:
    """Return for each of the `queries` the nearest of labelled rows, given by features, number and class."""
    near = nearest_with_margin(features, codes, queries, metric)
    return Identified(rows[near.index], codes[near.index], near.distance, near.margin)


def ranked_classes(scores: Any, classes: Any) -> tuple[Codes, FloatArray, FloatArray]:
    """Return for each row the class with the highest score, that score, and the next class's.

    A single column of scores is how clearly a row belongs to the second of two classes.

    >>> ranked_classes(np.array([0.5, -2.0]), [3, 7])
    (array([7, 3]), array([0.5, 0. ]), array([ 0., -2.]))
    """
    scores = np.asarray(scores)
    if scores.ndim == 1:
        scores = np.column_stack([np.zeros_like(scores), scores])
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    second = ranked[:, 1] if ranked.shape[1] > 1 else np.full(len(ranked), -np.inf)
    return np.asarray(classes, dtype=np.int64)[order[:, 0]], ranked[:, 0], second
