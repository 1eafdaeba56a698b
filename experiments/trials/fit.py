"""A finished fit, as measures are shown it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets import Dataset
from experiments.engine.record import RunRecord
from experiments.engine.run import Run
from experiments.engine.warm_start import WarmStart
from experiments.fitted.recognisers import Recogniser
from experiments.measures.clustering import k_means
from experiments.requests.prepare import rows_of, seen_rows
from experiments.requests.request import RunRequest
from experiments.requests.splits import Split
from experiments.requests.views import select_rows
from methods import Spec
from methods import spec as method_spec

_NONE: Mapping[Any, WarmStart] = MappingProxyType({})


@dataclass(frozen=True)
class Labelled:
    """Features of the rows of known class, and masks of the labelled and unlabelled ones."""

    embedding: NDArray[Any]
    y: NDArray[np.int64]
    labelled: NDArray[np.bool_]
    unlabelled: NDArray[np.bool_]


class Fit:
    """A finished fit; values that several measures need are computed once, on first use."""

    def __init__(self, dataset: Dataset, record: RunRecord, beside: Mapping[Any, WarmStart] = _NONE) -> None:
        self.dataset, self.record = dataset, record
        # Runs with some labels held back, by those they had, for all measures that ask for them; and where
        # such runs of the fit before in a chain ended, to go on from.
        self.inner: dict[Any, Run] = {}
        self.beside = beside
        # Held by who measures: a worker may carry out several trials of one fit at once.
        self.measuring = RLock()

    @property
    def request(self) -> RunRequest:
        """What was fitted."""
        return self.record.request

    @property
    def spec(self) -> Spec:
        """The method."""
        return method_spec(self.request.method)

    @cached_property
    def rows(self) -> Split:
        """The split."""
        return rows_of(self.dataset, self.request)

    @cached_property
    def training(self) -> Any:
        """The training rows, as the method saw them."""
        return select_rows(seen_rows(self.dataset, self.request, self.rows), self.rows.train)

    @cached_property
    def recogniser(self) -> Recogniser:
        """The method, to be asked about new pixels."""
        return Recogniser(self.request, self.record.arrays)

    @cached_property
    def features(self) -> Labelled:
        """The embedding of the training rows and what is known of them; a ValueError if that is no use."""
        ds, embedding = self.dataset, self.record.arrays.get("embedding")
        if ds.y is None or not self.rows.labelled.size:
            raise ValueError(f"{ds.title} has no labelled samples, so there is nothing to compare with.")
        if embedding is None:
            raise ValueError(f"{self.spec.title} has no features of its own.")
        y = ds.y[self.rows.train]
        labelled = self.rows.y_partial[self.rows.train] >= 0
        unlabelled = ~labelled & (y >= 0)
        if not unlabelled.any():
            raise ValueError(
                f"All known labels of {ds.title} are given, so none is left to ask about: "
                "label a smaller share."
            )
        if not np.isfinite(embedding).all():
            raise ValueError("The run ended with numbers too large to compare.")
        return Labelled(embedding, y, labelled, unlabelled)

    @cached_property
    def clusters(self) -> NDArray[Any]:
        """The cluster of each unlabelled row by k-means on its features, as many as there are classes."""
        features = self.features
        return k_means(features.embedding[features.unlabelled], self.dataset.n_classes, self.request.seed)
