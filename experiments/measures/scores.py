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

    Answers are what the method was told: a person may have named rows that the data have no class for.
    """
    train = rows.train
    told = rows.y_partial[train]
    labelled = told >= 0
    asked = ~labelled & (y[train] >= 0)
    if not labelled.any() or not asked.any():
        return None
    if spec.recognition == "predict":
        # Propagators know these rows themselves; other classifiers see them as any new ones.
        found = getattr(estimator, "transduction_", None)
        return accuracy(
            estimator.predict(select_rows(X, asked)) if found is None else found[asked], y[train][asked]
        )
    if "embedding" not in spec.gives:
        return None
    points = features(spec, estimator, X)
    found = nearest_neighbour(points[labelled], told[labelled], points[asked], metric)
    return accuracy(found, y[train][asked])


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
    told = rows.y_partial[rows.train]
    labelled = told >= 0
    known, asked = estimator.transform(select_rows(X, labelled)), estimator.transform(unseen)
    return accuracy(nearest_neighbour(known, told[labelled], asked, metric), y[rows.held_out])


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
    found: dict[str, float | None] = {}
    if y is not None:
        for metric in METRICS:
            found[f"accuracy_{metric}"] = recognised(spec, estimator, X, rows, y, metric)
            found[f"held_out_{metric}"] = recognised_held_out(spec, estimator, X, unseen, rows, y, metric)
    if "components" in spec.gives:
        found |= sparsity(estimator.components_)
    return {name: value for name, value in found.items() if value is not None}
