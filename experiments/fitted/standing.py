"""Where all samples stand after a run: whom each is taken for, by which features, and who is near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances

from experiments.engine.handle import Handle
from experiments.fitted.suggestions import Suggestion, suggestions
from experiments.fitted.verdicts import Verdicts, examined
from experiments.measures.recognition import Codes, Metric
from methods import graphs

_NEIGHBOURS = 3


@dataclass(frozen=True, eq=False)
class Standing:
    """What a run has made of the samples it has seen, the rows `train`.

    `run` is the id of the run. `code` is each one's class, given or found (-1: none), `pairs` who are
    nearest neighbours by features.
    """

    run: str
    train: Codes
    code: Codes
    verdicts: Verdicts
    features: NDArray[np.float64]
    pairs: Codes
    suggested: tuple[Suggestion, ...]

    def accuracy(self, rows: Codes) -> float | None:
        """Return the share of these rows that is right, of those asked about and of known class."""
        found = self.verdicts
        asked = np.isin(found.row, rows) & (found.truth >= 0)
        return float(np.mean(found.code[asked] == found.truth[asked])) if asked.any() else None

    def nearest_labelled(self, rows: Sequence[int]) -> list[tuple[int, int]]:
        """Return (class, row) of the labelled sample of each class that is nearest to these rows by features.

        The nearest class comes first.
        """
        known = (self.code >= 0) & ~np.isin(self.train, self.verdicts.row)
        asked = np.isin(self.train, list(rows)) & ~known
        if not known.any() or not asked.any():
            return []
        apart = pairwise_distances(self.features[known], self.features[asked]).min(axis=1)
        found: dict[int, int] = {}
        for place in np.argsort(apart, kind="stable"):
            found.setdefault(int(self.code[known][place]), int(self.train[known][place]))
        return list(found.items())


def standing(handle: Handle, metric: Metric = "euclidean") -> Standing:
    """Return where the samples stand after a finished run."""
    run = examined(handle)
    found, features, train = run.verdicts("seen", metric), run.features(), run.prepared.rows.train
    code = run.prepared.y_partial.copy()
    code[np.searchsorted(train, found.row)] = found.code
    near = graphs.neighbours(features, min(_NEIGHBOURS, len(train) - 1)).tocoo()
    pairs = np.column_stack([near.row, near.col])[near.row < near.col].astype(np.int64)
    advice = tuple(suggestions(found, train, features))
    return Standing(handle.id, train, code, found, features, pairs, advice)
