"""All samples after a run: the class recognised for each, their features and their nearest neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances

from experiments.fitted.suggestions import Suggestion, suggestions
from experiments.fitted.verdicts import Examined, Verdicts
from experiments.measures.recognition import Codes, Metric
from methods import graphs

_NEIGHBOURS = 3


@dataclass(frozen=True, eq=False)
class Standing:
    """The classes and features that a run gives the samples it has seen, the rows `train`.

    `run` is the id of the run. `code` is the class of each, given or predicted (-1: none), `pairs` the pairs
    of nearest neighbours by features.
    """

    run: str
    train: Codes
    code: Codes
    verdicts: Verdicts
    features: NDArray[np.float64]
    pairs: Codes
    suggested: tuple[Suggestion, ...]

    def accuracy(self, rows: Codes) -> float | None:
        """Return the share of correct verdicts on these rows, those of known class; None without any."""
        verdicts = self.verdicts
        scored = np.isin(verdicts.row, rows) & (verdicts.truth >= 0)
        return float(np.mean(verdicts.code[scored] == verdicts.truth[scored])) if scored.any() else None

    def nearest_labelled(self, rows: Sequence[int]) -> list[tuple[int, int]]:
        """Return (class, row) of the labelled sample of each class that is nearest to these rows by features.

        The nearest class comes first.
        """
        labelled = (self.code >= 0) & ~np.isin(self.train, self.verdicts.row)
        queries = np.isin(self.train, list(rows)) & ~labelled
        if not labelled.any() or not queries.any():
            return []
        apart = pairwise_distances(self.features[labelled], self.features[queries]).min(axis=1)
        row_by_class: dict[int, int] = {}
        for place in np.argsort(apart, kind="stable"):
            row_by_class.setdefault(int(self.code[labelled][place]), int(self.train[labelled][place]))
        return list(row_by_class.items())


def standing(run: Examined, id: str, metric: Metric = "euclidean") -> Standing:
    """Return the classes, features and suggestions of a finished run, whose id is given."""
    verdicts, features, prepared = run.verdicts("seen", metric), run.features(), run.prepared
    train, code = prepared.rows.train, prepared.y_partial.copy()
    code[np.searchsorted(train, verdicts.row)] = verdicts.code
    near = graphs.neighbours(features, min(_NEIGHBOURS, len(train) - 1)).tocoo()
    pairs = np.column_stack([near.row, near.col])[near.row < near.col].astype(np.int64)
    advice = tuple(suggestions(verdicts, train, features))
    return Standing(id, train, code, verdicts, features, pairs, advice)
