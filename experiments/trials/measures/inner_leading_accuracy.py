"""The share of labelled samples whose class the first features find when their own label is held back."""

from __future__ import annotations

import numpy as np

from experiments.measures.recognition import METRICS, Metric, nearest_neighbour
from experiments.measures.recognition import accuracy as share
from experiments.requests.views import select_rows
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure
from experiments.trials.measures.inner_accuracy import inner, inner_run


def inner_leading_accuracy(
    fit: Fit, *, dimensions: int = 10, folds: int = 2, repeats: int = 1, metric: Metric = "euclidean"
) -> float:
    """Return the mean over inner splits of the labelled rows, compared by their first `dimensions` features.

    What `leading_accuracy` is to rows without a label, this is to those with one. A fit to fewer labels may
    have fewer directions: then all it has are compared.
    """
    y, shares = fit.rows.y_partial, []
    for request, held in inner(fit, folds, repeats):
        prepared = inner_run(fit, request).prepared
        labelled_rows = np.setdiff1d(fit.rows.labelled, held)
        labelled, queries = (
            np.asarray(
                prepared.estimator.transform(select_rows(prepared.X, np.isin(prepared.rows.train, part)))
            )
            for part in (labelled_rows, held)
        )
        if dimensions < 1:
            raise ValueError(f"dimensions must be at least 1, not {dimensions}.")
        # Rows of the training data stand in their order: so do their labels.
        order = prepared.rows.train
        labels, truth = y[order[np.isin(order, labelled_rows)]], y[order[np.isin(order, held)]]
        predicted = nearest_neighbour(labelled[:, :dimensions], labels, queries[:, :dimensions], metric)
        shares.append(share(predicted, truth))
    return float(np.mean(shares))


MEASURE = Measure(
    id="inner_leading_accuracy",
    title="Accuracy by the first features on labelled samples held back",
    unit="share",
    better="high",
    of=inner_leading_accuracy,
    summary="Share of labelled samples whose class is found by the first few directions of fits that are not "
    "told it: what an honest choice of the number of dimensions goes by.",
    needs=frozenset({"truth", "transform"}),
    choices={"metric": METRICS},
)
