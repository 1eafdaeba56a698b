"""The share of samples whose class is found by the first features alone, as papers explore dimensions."""

from __future__ import annotations

import numpy as np

from experiments.measures.recognition import METRICS, Metric, nearest_neighbour
from experiments.measures.recognition import accuracy as share
from experiments.requests.prepare import seen_rows
from experiments.requests.views import select_rows
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def leading_accuracy(fit: Fit, *, dimensions: int = 10, metric: Metric = "euclidean") -> float:
    """Return the share of rows without a label, held out or not, whose nearest labelled one is alike.

    Rows are compared by their first `dimensions` features: projections on directions in order of weight, of
    which a fit with fewer directions would find the same.
    """
    truth = fit.dataset.y
    if truth is None or not fit.rows.labelled.size:
        raise ValueError(f"{fit.dataset.title} has no labelled samples, so there is nothing to compare with.")
    rows = np.concatenate([fit.rows.unlabelled, fit.rows.held_out])
    rows = rows[truth[rows] >= 0]
    X, estimator = seen_rows(fit.dataset, fit.request, fit.rows), fit.recogniser.estimator
    labelled, queries = (
        np.asarray(estimator.transform(select_rows(X, part))) for part in (fit.rows.labelled, rows)
    )
    if not 1 <= dimensions <= labelled.shape[1]:
        raise ValueError(f"dimensions must be from 1 to {labelled.shape[1]}, not {dimensions}.")
    predicted = nearest_neighbour(
        labelled[:, :dimensions], truth[fit.rows.labelled], queries[:, :dimensions], metric
    )
    return share(predicted, truth[rows])


MEASURE = Measure(
    id="leading_accuracy",
    title="Accuracy by the first features",
    unit="share",
    better="high",
    of=leading_accuracy,
    summary="Share of samples without a label whose nearest labelled sample is of their class, by the first "
    "few directions that a method finds: one fit answers for every number of dimensions.",
    needs=frozenset({"truth", "transform"}),
    choices={"metric": METRICS},
)
