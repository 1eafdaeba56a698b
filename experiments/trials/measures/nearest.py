"""The share of samples whose nearest labelled neighbour in the embedding is of their class."""

from __future__ import annotations

from experiments.measures.recognition import METRICS, Metric, nearest_neighbour
from experiments.measures.recognition import accuracy as share
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure


def nearest(fit: Fit, *, metric: Metric = "euclidean") -> float:
    """Return the share of rows seen without a label whose nearest labelled row is of their class."""
    now = fit.features
    points, y = now.embedding, now.y
    found = nearest_neighbour(points[now.labelled], y[now.labelled], points[now.unlabelled], metric)
    return share(found, y[now.unlabelled])


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
