"""The share of samples that a linear classifier on the features names rightly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.measures.recognition import accuracy
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from methods.multiview.cotraining import least_squares

_RIDGE = 0.01


def classified(fit: Fit) -> float:
    """Return the share that is right of the rows seen without a label.

    A regularised least-squares classifier learns from the labelled rows' features; methods that predict
    classes are taken at their word instead.
    """
    features = fit.features
    # Without β the classifier of SULF has no say in its features, and is only an afterthought.
    if fit.spec.recognition == "predict" and fit.request.params.get("beta", 1) != 0:
        return fit.record.scores["accuracy_euclidean"]
    return by_least_squares(features.embedding, features.y, features.labelled, features.unlabelled)


def by_least_squares(
    embedding: NDArray[Any], y: NDArray[np.int64], labelled: NDArray[np.bool_], unlabelled: NDArray[np.bool_]
) -> float:
    """Return the share of unlabelled rows named rightly by least squares from the labelled ones."""
    classes, codes = np.unique(y[labelled], return_inverse=True)
    points = embedding.astype(np.float64)
    weights, bias, _ = least_squares(points[labelled], np.eye(classes.size)[codes], _RIDGE)
    return accuracy(classes[(points[unlabelled] @ weights + bias).argmax(axis=1)], y[unlabelled])


MEASURE = Measure(
    id="classified",
    title="Accuracy by least squares",
    unit="share",
    better="high",
    of=classified,
    summary="Share of unlabelled samples named rightly: by the method itself if it predicts classes, else by "
    "regularised least squares on its features.",
    needs=frozenset({"truth", "embedding"}),
)
