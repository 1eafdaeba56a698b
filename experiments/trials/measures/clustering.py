"""How well k-means clusters of the features match the classes."""

from __future__ import annotations

from typing import Literal, get_args

from experiments.measures.clustering import clustering_accuracy, mutual_information
from experiments.trials.fit import Fit
from experiments.trials.measure import Measure

Index = Literal["acc", "nmi"]


def clustering(fit: Fit, *, index: Index = "acc") -> float:
    """Return ACC or NMI of the clusters of the rows seen without a label."""
    features = fit.features
    compare = clustering_accuracy if index == "acc" else mutual_information
    return compare(features.y[features.unlabelled], fit.clusters)


MEASURE = Measure(
    id="clustering",
    title="Clustering",
    unit="share",
    better="high",
    of=clustering,
    summary="K-means on the features of unlabelled samples, as many clusters as classes: the share in the "
    "right class (ACC), or what clusters tell about classes (NMI).",
    needs=frozenset({"truth", "embedding"}),
    choices={"index": get_args(Index)},
)
