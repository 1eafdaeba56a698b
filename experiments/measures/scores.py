"""What is worth knowing about a fit besides its objective: who is recognised, how sparse the parts are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.measures.recognition import METRICS, Metric, accuracy, nearest_neighbour
from experiments.measures.sparsity import hoyer, zero_fraction
from experiments.requests.splits import Split
from experiments.requests.views import select_rows
from methods import Spec

Features = NDArray[Any]


def features(spec: Spec, estimator: Any, X: Any) -> Features:
    """Return the features by which training rows are compared, as the method's paper does.

    For N²S²L these are its own V¹; for most methods the transform of the rows.
    """
    if spec.recognition == "embedding":
        first = getattr(estimator, "n_discriminative_", None) or estimator.embedding_.shape[1]
        return np.asarray(estimator.embedding_[:, :first])
    return np.asarray(estimator.transform(X))


def recognised(
    spec: Spec, estimator: Any, X: Any, rows: Split, y: NDArray[np.int64], metric: Metric = "euclidean"
) -> float | None:
    """Return the share of unlabelled training rows whose class is found, or None if there are none.

    Labels come from `rows.y_partial`, not `y`: a person may have named rows that the data have no class for.
    """
    train = rows.train
    partial_codes = rows.y_partial[train]
    labelled = partial_codes >= 0
    queried = ~labelled & (y[train] >= 0)
    if not labelled.any() or not queried.any():
        return None
    if spec.recognition == "predict":
        # Propagators know these rows themselves; other classifiers see them as any new ones.
        transduction = getattr(estimator, "transduction_", None)
        return accuracy(
            estimator.predict(select_rows(X, queried)) if transduction is None else transduction[queried],
            y[train][queried],
        )
    if "embedding" not in spec.gives:
        return None
    points = features(spec, estimator, X)
    predicted = nearest_neighbour(points[labelled], partial_codes[labelled], points[queried], metric)
    return accuracy(predicted, y[train][queried])


def recognised_held_out(
    spec: Spec, estimator: Any, X: Any, unseen: Any, rows: Split, y: NDArray[np.int64], metric: Metric
) -> float | None:
    """Return the share of held-out rows (`unseen`) whose class is found from the labelled ones."""
    if not rows.held_out.size:
        return None
    if spec.recognition == "predict":
        return accuracy(estimator.predict(unseen), y[rows.held_out])
    if "transform" not in spec.gives:
        return None
    partial_codes = rows.y_partial[rows.train]
    labelled = partial_codes >= 0
    references, queries = estimator.transform(select_rows(X, labelled)), estimator.transform(unseen)
    return accuracy(nearest_neighbour(references, partial_codes[labelled], queries, metric), y[rows.held_out])


def sparsity(components: Any) -> dict[str, float]:
    """Return the mean sparsity of the parts, over all views where each has its own."""
    each = components if isinstance(components, (list, tuple)) else [components]
    measures = {"hoyer": hoyer, "zeros": zero_fraction}
    return {
        name: float(np.mean([measure(parts).mean() for parts in each])) for name, measure in measures.items()
    }


def summary(
    spec: Spec, estimator: Any, X: Any, unseen: Any, rows: Split, y: NDArray[np.int64] | None
) -> dict[str, float]:
    """Return all scores of a fit: `X` its training rows, `unseen` the held-out ones."""
    scores: dict[str, float | None] = {}
    if y is not None:
        for metric in METRICS:
            scores[f"accuracy_{metric}"] = recognised(spec, estimator, X, rows, y, metric)
            scores[f"held_out_{metric}"] = recognised_held_out(spec, estimator, X, unseen, rows, y, metric)
    if "components" in spec.gives:
        scores |= sparsity(estimator.components_)
    return {name: value for name, value in scores.items() if value is not None}
