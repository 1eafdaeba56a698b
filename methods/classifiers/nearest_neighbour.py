"""The nearest labelled row decides: the baseline for every other classifier (Cover and Hart, 1967)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_data, check_labels
from methods.memory import copies
from methods.rows import unit_rows
from methods.spec import Param, Spec
from methods.stepwise import Solver, StepwiseClassifier
from methods.typing import Array, Codes, is_sparse

_PAIRS_AT_ONCE = 4_000_000


class NearestNeighbour(StepwiseClassifier):
    """A row gets the class of the labelled row nearest to it; unlabelled rows are not used.

    The score of a class is minus the distance to its nearest labelled row: Euclidean, or 1 − cosine.
    Its objective is the share of labelled rows that the other labelled rows would name wrongly.
    Of equally near classes the first wins.
    """

    examples_: Any
    example_codes_: Codes

    def __init__(self, metric: str = "euclidean") -> None:
        self.metric = metric

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> _Examples:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        labelled = np.flatnonzero(codes >= 0)
        # Sorted by class, so that the rows of a class are one slice.
        labelled = labelled[np.argsort(codes[labelled], kind="stable")]
        rows = X.tocsr() if is_sparse(X) else X
        self.examples_ = rows[labelled]
        return _Examples(self.examples_, codes[labelled], self.metric)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _class_scores(self, X: Any) -> Array:
        check_is_fitted(self, "examples_")
        X = check_data(self, X, nonnegative=False, reset=False, accept_sparse=True, entries=True)
        firsts = np.searchsorted(self.example_codes_, np.arange(self.classes_.size))
        scores = np.empty((X.shape[0], self.classes_.size), X.dtype)
        step = max(1, _PAIRS_AT_ONCE // self.examples_.shape[0])
        X = X.tocsr() if is_sparse(X) else X
        for first in range(0, X.shape[0], step):
            part = slice(first, first + step)
            between = distances(X[part], self.examples_, self.metric)
            scores[part] = -np.minimum.reduceat(between, firsts, axis=1)
        return scores


class _Examples(Solver):
    """The whole fit happens in `__init__`; there are no steps."""

    done = True

    def __init__(self, examples: Any, codes: Codes, metric: str) -> None:
        self.examples, self.codes = examples, codes
        between = distances(examples, examples, metric)
        np.fill_diagonal(between, np.inf)
        self.error = float(np.mean(codes[between.argmin(axis=1)] != codes))

    def terms(self) -> dict[str, float]:
        """Return the leave-one-out error among the labelled rows."""
        return {"error": self.error}

    def arrays(self) -> dict[str, Array]:
        """Return the labelled rows and the codes of their classes."""
        # A step shows arrays: sparse rows are the estimator's own alone.
        examples = {} if is_sparse(self.examples) else {"examples": self.examples}
        return examples | {"example_codes": self.codes}


def distances(rows: Any, examples: Any, metric: str) -> Array:
    """Return Euclidean distances or 1 − cosine, in double precision; a zero row is 1 from every direction."""
    rows, examples = rows.astype(np.float64), examples.astype(np.float64)
    if is_sparse(rows) or is_sparse(examples):
        if metric == "cosine":
            return np.asarray(1 - (unit_rows(rows) @ unit_rows(examples).T).toarray())
        return np.asarray(euclidean_distances(rows, examples))
    if metric == "cosine":
        return np.asarray(1 - unit_rows(rows) @ unit_rows(examples).T)
    centre = examples.mean(axis=0)
    rows, examples = rows - centre, examples - centre
    scale = max(np.abs(rows).max(), np.abs(examples).max()) or 1.0
    rows, examples = rows / scale, examples / scale
    squares = np.einsum("ij,ij->i", rows, rows)[:, None] - 2 * (rows @ examples.T)
    squares += np.einsum("ij,ij->i", examples, examples)
    return np.asarray(scale * np.sqrt(np.maximum(squares, 0)))


SPEC = NearestNeighbour.spec = Spec(
    id="nearest_neighbour",
    title="1-NN",
    family="classifiers",
    summary="The nearest labelled sample decides; what the other methods have to beat.",
    objective=(
        r"\tfrac1l\sum_{i\le l}\bigl[\,y_{n(i)}\ne y_i\,\bigr],"
        r"\qquad n(i)=\arg\min_{j\ne i,\ j\le l}d(x_i,x_j)"
    ),
    update=r"\hat y(x)=y_{j},\qquad j=\arg\min_{j\le l}\ d(x,x_j)",
    references=("T. M. Cover and P. E. Hart. Nearest neighbor pattern classification. IEEE-IT 13, 1967.",),
    params=(
        Param(
            "metric",
            "choice",
            "euclidean",
            "How far apart two samples are: by their difference, or by the angle between them.",
            choices=("euclidean", "cosine"),
            paper="euclidean",
        ),
    ),
    estimator=NearestNeighbour,
    needs=frozenset({"labels"}),
    gives=frozenset({"predict", "objective"}),
    signed=True,
    memory=copies(2.2, labelled=5),
    cost="Nothing to train but l² distances; l·m for each new row, l being the number of labelled rows.",
    recognition="predict",
    expected_failed_checks={
        "check_classifiers_classes": "-1 marks an unlabelled row, so labels -1 and 1 are only one class"
    },
)
