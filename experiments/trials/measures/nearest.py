"""The share of samples whose nearest labelled neighbour in the embedding is of their class."""

from __future__ import annotations

from experiments.measures.recognition import METRICS, Metric, nearest_neighbour
from experiments.measures.recognition import accuracy as share
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def nearest(fit: Fit, *, metric: Metric = "euclidean") -> float:
    """Return the share of rows seen without a label whose nearest labelled row is of their class."""
    features = fit.features
    points, y = features.embedding, features.y
    predicted = nearest_neighbour(
        points[features.labelled], y[features.labelled], points[features.unlabelled], metric
    )
    return share(predicted, y[features.unlabelled])


MEASURE = Measure(
    id="nearest",
    title="1-NN accuracy",
    unit="share",
    better="high",
    of=nearest,
    summary="Share of unlabelled samples whose nearest labelled sample in the embedding is of their class, "
    "whatever the method itself would say.",
    needs=frozenset({"truth", "embedding"}),
    choices={"metric": METRICS},
)
