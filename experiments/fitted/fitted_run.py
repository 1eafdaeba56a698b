"""A finished run with its estimator restored, and what both ways of asking it have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.measures.recognition import Codes, FloatArray
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
            known = prepared.known
            estimator = prepared.estimator.restore(prepared.X, prepared.y_partial, arrays, **known)
        self.estimator: Any = estimator

    def _check(self) -> None:
        """Raise a ValueError if a run of this method on these data cannot be asked; before the slow part."""


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
