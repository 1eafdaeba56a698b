"""What single views, views side by side and methods for several views make of the same data, compared.

As in the SULF paper, features are judged twice. Classification: a regularised least-squares classifier
learns from the labelled rows' features and names the unlabelled ones; methods that predict classes are
taken at their word instead. Clustering: k-means on the features of the unlabelled rows alone, at length 1
each (else the length of a document decides, and not what it is about), as many clusters as there are classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import methods
from datasets import Dataset
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Table, Trial

Way = Literal["one view", "side by side", "several views"]
MEASURES = {
    "accuracy": MeasureRequest("classified"),
    "nearest": MeasureRequest("nearest"),
    "acc": MeasureRequest("clustering", {"index": "acc"}),
    "nmi": MeasureRequest("clustering", {"index": "nmi"}),
}
HEADINGS = {
    "accuracy": "accuracy",
    "nearest": "1-NN accuracy",
    "acc": "clustering ACC",
    "nmi": "clustering NMI",
}
SPLITS = 5
# PCSC holds a matrix of samples × samples for every view.
_MOST_FOR_PCSC = 2500


@dataclass(frozen=True)
class Contender:
    """One way to come to features of samples that have several views."""

    title: str
    way: Way
    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    view: str | tuple[str, ...] | None = None

    def request(self, like: RunRequest) -> RunRequest:
        """Return the run of this contender on the data and the split of another request."""
        return RunRequest(
            like.dataset, self.method, self.params, dataset_options=like.dataset_options,
            view=None if self.view is None else list(_listed(self.view)), split=like.split, seed=like.seed,
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
        fused = [contender for contender in fused if contender.method != "pcsc"]
    return (*single, *together, *fused)


def with_own(
    everybody: Sequence[Contender], method: str, params: Mapping[str, Any], title: str
) -> Contender | None:
    """Return a method of `everybody` with parameters of one's own, None if it is not among them."""
    usual = next((one for one in reversed(everybody) if one.method == method), None)
    return None if usual is None else replace(usual, title=title, params={**usual.params, **params})


def fused(like: RunRequest, everybody: Sequence[Contender], splits: int = SPLITS) -> Table:
    """Return the trials that compare contenders on the data of a request, by the places in the list."""
    measures = tuple(MEASURES.values())
    trials = {
        (place,): tuple(Trial(contender.request(like.of_split(split)), measures) for split in range(splits))
        for place, contender in enumerate(everybody)
    }
    return Table(("place",), trials)


def _listed(view: str | tuple[str, ...]) -> tuple[str, ...]:
    return (view,) if isinstance(view, str) else view
