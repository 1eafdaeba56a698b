"""Which features of a fitted method the nearest labelled row is looked for by."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from experiments.measures.recognition import Codes, Metric, accuracy, nearest_neighbour
from experiments.measures.scores import features
from experiments.requests.views import select_rows
from methods import Spec
from methods.coefficients import coefficients, feature_map

# As the method's paper compares; the whole embedding; or how much of each part a row takes, found by least
# squares (steadied or plain), zero or more, or robustly.
Reading = Literal["own", "embedding", "ridge", "pinv", "nnls", "robust"]
READINGS: tuple[Reading, ...] = get_args(Reading)


def read(spec: Spec, estimator: Any, X: Any, reading: Reading = "own") -> NDArray[Any]:
    """Return the features of the rows that an estimator was fitted on; a ValueError if it has no such."""
    if reading == "own":
        if "embedding" not in spec.gives and "transform" not in spec.gives:
            raise ValueError(f"{spec.title} has no features of its own.")
        return features(spec, estimator, X)
    if reading == "embedding":
        if "embedding" not in spec.gives:
            raise ValueError(f"{spec.title} has no embedding.")
        return np.asarray(estimator.embedding_)
    if not spec.weighs_parts:
        raise ValueError(f"{spec.title} does not weigh parts: {reading} features are for methods that do.")
    linear = feature_map(estimator.components_, reading)
    return np.asarray(coefficients(estimator.components_, X, reading) if linear is None else X @ linear)


def share_right(
    spec: Spec,
    estimator: Any,
    X: Any,
    labels: Codes,
    test_mask: NDArray[np.bool_],
    truth: Codes,
    metric: Metric = "euclidean",
    reading: Reading = "own",
) -> float:
    """Return the share of the rows in `test_mask` whose class is found.

    `labels` are the codes that the estimator was given, -1 where it was not; methods that predict classes
    are taken at their word, whatever the reading.
    """
    if spec.recognition == "predict":
        transduction = getattr(estimator, "transduction_", None)
        rows = select_rows(X, test_mask)
        predicted = estimator.predict(rows) if transduction is None else transduction[test_mask]
        return accuracy(predicted, truth[test_mask])
    points, labelled = read(spec, estimator, X, reading), labels >= 0
    if not np.isfinite(points).all():
        raise ValueError("The run ended with numbers too large to compare.")
    return accuracy(
        nearest_neighbour(points[labelled], labels[labelled], points[test_mask], metric), truth[test_mask]
    )
