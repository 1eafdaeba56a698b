"""What single views, views side by side and methods for several views make of the same data, compared.

As in the SULF paper, features are judged twice. Classification: a regularised least-squares classifier
learns from the labelled rows' features and names the unlabelled ones; methods that predict classes are
taken at their word instead. Clustering: k-means on the features of the unlabelled rows alone, at length 1
each (else the length of a document decides, and not what it is about), as many clusters as there are classes.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

import datasets
import methods
from datasets import Dataset
from experiments.measures.clustering import clustering_accuracy, mutual_information
from experiments.measures.recognition import accuracy, nearest_neighbour
from experiments.requests.prepare import rows_of
from experiments.requests.request import RunRequest
from experiments.trials import Wanted
from methods.multiview.cotraining import least_squares
from methods.multiview.views import unit_rows

Way = Literal["one view", "side by side", "several views"]
MEASURES = {
    "accuracy": Wanted("classified"),
    "nearest": Wanted("nearest"),
    "acc": Wanted("clustering", {"index": "acc"}),
    "nmi": Wanted("clustering", {"index": "nmi"}),
}
HEADINGS = {
    "accuracy": "accuracy",
    "nearest": "1-NN accuracy",
    "acc": "clustering ACC",
    "nmi": "clustering NMI",
}
_RIDGE = 0.01
# PCSC holds a matrix of samples × samples for every view.
_MOST_FOR_PCSC = 2500
_STARTS = 10


@dataclass(frozen=True)
class Contender:
    """One way to come to features of samples that have several views."""

    title: str
    way: Way
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    view: str | tuple[str, ...] | None = None

    def request(self, like: RunRequest, seed: int) -> RunRequest:
        """Return the run of this contender on the data of another request, on the split of a seed."""
        return RunRequest(
            like.dataset, self.method, self.params, dataset_options=like.dataset_options,
            view=None if self.view is None else list(_listed(self.view)), split=like.split, seed=seed,
        )  # fmt: skip


def contenders(ds: Dataset, k: int, iterations: int) -> tuple[Contender, ...]:
    """Return who is compared on a data set: `k` features each (CCA, PCSC and CoTra have their own number).

    PCSC is left out where there are too many samples for it.
    """
    every = tuple(ds.views)
    steps = {"n_components": k, "max_iter": iterations}
    quick = steps | {"solver": "accelerated"}
    single = [Contender(f"SULF₂ · {name}", "one view", "sulf", steps, name) for name in every]
    together = [
        Contender(methods.spec(name).title, "side by side", name, quick, every)
        for name in ("nmf", "cnmf", "sgnmf")
    ]
    fused = [
        Contender("CCA", "several views", "cca"),
        Contender("PCSC", "several views", "pcsc", {"n_clusters": max(2, ds.n_classes)}),
        Contender("CoTra", "several views", "cotraining"),
        Contender("SULF₁ · no labels", "several views", "sulf", steps | {"beta": 0.0}),
        Contender("SULF₃ · equal weights", "several views", "sulf", steps | {"weights": "equal"}),
        Contender("SULF", "several views", "sulf", steps),
    ]
    if ds.n_samples > _MOST_FOR_PCSC:
        fused = [one for one in fused if one.method != "pcsc"]
    return (*single, *together, *fused)


def measured(request: RunRequest, scores: Mapping[str, float], embedding: NDArray[Any]) -> dict[str, float]:
    """Return how good the features are that a run ended with; all measures are shares of 1.

    `scores` are those of the run. Only unlabelled rows count whose class is known.
    """
    ds = datasets.load(request.dataset, **request.dataset_options)
    rows = rows_of(ds, request)
    if ds.y is None or not rows.labelled.size:
        raise ValueError(f"{ds.title} has no labelled samples, so there is nothing to compare with.")
    y = ds.y[rows.train]
    labelled = rows.y_partial[rows.train] >= 0
    asked = ~labelled & (y >= 0)
    if not asked.any():
        raise ValueError(
            f"All known labels of {ds.title} are given, so none is left to ask about: label a smaller share."
        )
    if not np.isfinite(embedding).all():
        raise ValueError("The run ended with numbers too large to compare.")
    clusters = _clusters(embedding[asked], ds.n_classes, request.seed)
    nearest = nearest_neighbour(embedding[labelled], y[labelled], embedding[asked], "euclidean")
    return {
        "accuracy": scores["accuracy_euclidean"]
        if _predicts(request)
        else _classified(embedding, y, labelled, asked),
        "nearest": accuracy(nearest, y[asked]),
        "acc": clustering_accuracy(y[asked], clusters),
        "nmi": mutual_information(y[asked], clusters),
    }


def _predicts(request: RunRequest) -> bool:
    # Without β the classifier of SULF has no say in its features, and is only an afterthought.
    return methods.spec(request.method).recognition == "predict" and request.params.get("beta", 1) != 0


def _classified(
    embedding: NDArray[Any], y: NDArray[np.int64], labelled: NDArray[Any], asked: NDArray[Any]
) -> float:
    known, codes = np.unique(y[labelled], return_inverse=True)
    points = embedding.astype(np.float64)
    weights, bias, _ = least_squares(points[labelled], np.eye(known.size)[codes], _RIDGE)
    return accuracy(known[(points[asked] @ weights + bias).argmax(axis=1)], y[asked])


def _clusters(points: NDArray[Any], count: int, seed: int) -> NDArray[Any]:
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters leaves some empty, which does no harm here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        means = KMeans(min(count, len(points)), n_init=_STARTS, random_state=seed)
        return np.asarray(means.fit_predict(unit_rows(points.astype(np.float64))))


def _listed(view: str | tuple[str, ...]) -> tuple[str, ...]:
    return (view,) if isinstance(view, str) else view
