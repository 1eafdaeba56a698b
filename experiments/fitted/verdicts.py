"""The classes a finished run predicts, and how sure it is of each: confusions, and the surest mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.fitted.fitted_run import FittedRun, nearest_labelled, ranked_classes
from experiments.measures.recognition import Codes, Metric, TestSamples
from experiments.measures.scores import features
from experiments.requests.prepare import Prepared
from experiments.requests.request import RunRequest
from experiments.requests.views import select_rows


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry for each classified sample.

    `row` is its number in the data set, `code` the predicted class, `truth` its true class (-1
    unknown), `sure` from 0 (a tie) to 1 how clear that was, `like` the labelled row that decided (-1 where
    no single one did).
    """

    row: Codes
    code: Codes
    truth: Codes
    sure: NDArray[np.float64]
    like: Codes
    names: tuple[str, ...]

    @property
    def accuracy(self) -> float | None:
        """The share that is right among those of known class."""
        mask = self.truth >= 0
        return float(np.mean(self.code[mask] == self.truth[mask])) if mask.any() else None

    def confusion(self) -> NDArray[np.int64]:
        """Return how many samples of each class (rows) were taken for each class (columns)."""
        count = len(self.names)
        table = np.zeros((count, count), dtype=np.int64)
        mask = (self.truth >= 0) & (self.code >= 0)
        np.add.at(table, (self.truth[mask], self.code[mask]), 1)
        return table

    def mistakes(self) -> Codes:
        """Return the indices of the wrongly classified samples, the surest first."""
        wrong = np.flatnonzero((self.truth >= 0) & (self.code >= 0) & (self.code != self.truth))
        return np.asarray(wrong[np.argsort(-self.sure[wrong], kind="stable")])


class Examined(FittedRun):
    """A finished run with its estimator restored, which is the slow part; verdicts are quick.

    `arrays` are those the run ended with, `discriminative` how many of its parts tell classes apart. The
    verdicts are those that its scores were counted from.
    """

    def __init__(
        self, request: RunRequest, arrays: Mapping[str, NDArray[Any]], discriminative: int | None
    ) -> None:
        super().__init__(request, arrays)
        if discriminative is not None:
            self.estimator.n_discriminative_ = discriminative

    def verdicts(self, which: TestSamples = "seen", metric: Metric = "euclidean") -> Verdicts:
        """Return verdicts on the samples it saw without a label ("seen") or on the held-out ones."""
        prepared = self.prepared
        is_seen = which == "seen"
        index = np.flatnonzero(prepared.y_partial < 0) if is_seen else np.arange(prepared.rows.held_out.size)
        numbers = prepared.rows.train[index] if is_seen else prepared.rows.held_out
        if not index.size:
            raise ValueError(
                "Every sample this run has seen is labelled: there is none to ask about."
                if is_seen
                else "No sample was held out: there is none that this run has never seen."
            )
        code, sure, like = _classify(prepared, self.estimator, index, which, metric)
        truth = np.full(numbers.size, -1) if prepared.ds.y is None else prepared.ds.y[numbers]
        return Verdicts(numbers, code, np.asarray(truth), sure, like, prepared.target_names)

    def features(self) -> NDArray[np.float64]:
        """Return the features by which the run tells the samples it has seen apart, a row each.

        Where labels are spread it is the shares of the classes; other classifiers look at the samples.
        """
        prepared = self.prepared
        if prepared.spec.recognition != "predict":
            return np.asarray(features(prepared.spec, self.estimator, prepared.X), dtype=np.float64)
        shares = getattr(self.estimator, "label_distributions_", None)
        seen = prepared.X if shares is None else shares
        return np.asarray(seen.toarray() if hasattr(seen, "toarray") else seen, dtype=np.float64)


def examined(handle: Handle) -> Examined:
    """Return a finished run with its estimator restored; a ValueError says why that is impossible."""
    return Examined(handle.request, handle.final(), handle.discriminative)


def _classify(
    prepared: Prepared, estimator: Any, index: Codes, which: TestSamples, metric: Metric
) -> tuple[Codes, NDArray[np.float64], Codes]:
    """Return class, sureness and deciding row of each sample of `index`."""
    spec = prepared.spec
    if spec.recognition == "predict":
        return _classify_by_scores(prepared, estimator, index, which)
    if which == "unseen" and "transform" not in spec.gives:
        raise ValueError(f"{spec.title} says nothing of samples it has not seen.")
    labelled_places = np.flatnonzero(prepared.y_partial >= 0)
    if not labelled_places.size:
        raise ValueError("No sample is labelled yet, so nothing can be recognised.")
    if which == "seen":
        points = features(spec, estimator, prepared.X)
        labelled, queries = points[labelled_places], points[index]
    else:
        labelled = np.asarray(estimator.transform(select_rows(prepared.X, labelled_places)))
        queries = np.asarray(estimator.transform(prepared.unseen))
    rows, codes = prepared.rows.train[labelled_places], prepared.y_partial[labelled_places]
    near = nearest_labelled(labelled, rows, codes, queries, metric)
    return near.code, near.clear, near.row


def _classify_by_scores(
    prepared: Prepared, estimator: Any, index: Codes, which: TestSamples
) -> tuple[Codes, NDArray[np.float64], Codes]:
    label_shares = getattr(estimator, "label_distributions_", None)
    if which == "seen" and label_shares is not None:
        scores = np.asarray(label_shares, dtype=np.float64)[index]
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # What there is to complain of, the run has said.
            X = select_rows(prepared.X, index) if which == "seen" else prepared.unseen
            scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
    code, best, second = ranked_classes(scores, estimator.classes_)
    gap = np.where(np.isfinite(second), best - second, 1.0)
    if label_shares is not None:
        code = np.where(scores.any(axis=1), code, -1)
    top = gap.max(initial=0.0)
    return code, gap / top if top > 0 else gap, np.full(code.size, -1)
