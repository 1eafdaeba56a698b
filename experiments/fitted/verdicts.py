"""Whom a finished run takes each sample for, and how sure it is: confusions, and the surest mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from experiments.engine.handle import Handle
from experiments.fitted.recognisers import restored
from experiments.measures.recognition import Codes, Metric, nearest_with_margin
from experiments.measures.scores import features
from experiments.requests.prepare import Prepared, prepare
from experiments.requests.request import RunRequest
from experiments.requests.views import taken

Asked = Literal["seen", "unseen"]


@dataclass(frozen=True, eq=False)
class Verdicts:
    """One entry for each sample asked about.

    `row` is its number in the data set, `code` the class it is taken for, `truth` its true class (-1
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
        known = self.truth >= 0
        return float(np.mean(self.code[known] == self.truth[known])) if known.any() else None

    def confusion(self) -> NDArray[np.int64]:
        """Return how many samples of each class (rows) were taken for each class (columns)."""
        count = len(self.names)
        table = np.zeros((count, count), dtype=np.int64)
        known = (self.truth >= 0) & (self.code >= 0)
        np.add.at(table, (self.truth[known], self.code[known]), 1)
        return table

    def mistakes(self) -> Codes:
        """Return the places of what was taken for somebody else, the surest first."""
        wrong = np.flatnonzero((self.truth >= 0) & (self.code >= 0) & (self.code != self.truth))
        return np.asarray(wrong[np.argsort(-self.sure[wrong], kind="stable")])


class Examined:
    """A finished run to be asked about its samples; making one takes a moment, asking it next to none.

    `arrays` are those the run ended with, `discriminative` how many of its parts tell classes apart. The
    answers are those that its scores were counted from.
    """

    def __init__(
        self, request: RunRequest, arrays: Mapping[str, NDArray[Any]], discriminative: int | None
    ) -> None:
        self.prepared = prepare(request)
        self.estimator = restored(self.prepared, arrays)
        if discriminative is not None:
            self.estimator.n_discriminative_ = discriminative

    def verdicts(self, asked: Asked = "seen", metric: Metric = "euclidean") -> Verdicts:
        """Return what the run says of the samples it saw without a label, or of those it never saw."""
        now = self.prepared
        seen = asked == "seen"
        index = np.flatnonzero(now.y_partial < 0) if seen else np.arange(now.rows.held_out.size)
        numbers = now.rows.train[index] if seen else now.rows.held_out
        if not index.size:
            raise ValueError(
                "Every sample this run has seen is labelled: there is none to ask about."
                if seen
                else "No sample was held out: there is none that this run has never seen."
            )
        code, sure, like = _found(now, self.estimator, index, asked, metric)
        truth = np.full(numbers.size, -1) if now.ds.y is None else now.ds.y[numbers]
        return Verdicts(numbers, code, np.asarray(truth), sure, like, now.target_names)

    def features(self) -> NDArray[np.float64]:
        """Return by what the run tells the samples it has seen apart, a row each.

        Where labels are spread it is the shares of the classes; other classifiers look at the samples.
        """
        now = self.prepared
        if now.spec.recognition != "predict":
            return np.asarray(features(now.spec, self.estimator, now.X), dtype=np.float64)
        shares = getattr(self.estimator, "label_distributions_", None)
        seen = now.X if shares is None else shares
        return np.asarray(seen.toarray() if hasattr(seen, "toarray") else seen, dtype=np.float64)


def examined(handle: Handle) -> Examined:
    """Return a finished run to be asked; a ValueError says why it cannot be."""
    return Examined(handle.request, handle.final(), handle.discriminative)


def _found(
    prepared: Prepared, estimator: Any, index: Codes, asked: Asked, metric: Metric
) -> tuple[Codes, NDArray[np.float64], Codes]:
    """Return class, sureness and deciding row of each sample asked about."""
    spec = prepared.spec
    if spec.recognition == "predict":
        return _classified(prepared, estimator, index, asked)
    if asked == "unseen" and "transform" not in spec.gives:
        raise ValueError(f"{spec.title} says nothing of samples it has not seen.")
    known = np.flatnonzero(prepared.y_partial >= 0)
    if not known.size:
        raise ValueError("No sample is labelled yet, so nothing can be recognised.")
    if asked == "seen":
        points = features(spec, estimator, prepared.X)
        labelled, queries = points[known], points[index]
    else:
        labelled = np.asarray(estimator.transform(taken(prepared.X, known)))
        queries = np.asarray(estimator.transform(prepared.unseen))
    near = nearest_with_margin(labelled, prepared.y_partial[known], queries, metric)
    # No other class is as sure as can be, a tie of two at no distance as unsure.
    rivalled = np.isfinite(near.margin)
    margin = np.where(rivalled, near.margin, 0).astype(np.float64)
    apart = near.distance + margin
    clear = np.where(rivalled, margin / np.where(apart > 0, apart, 1), 1.0)
    return (
        prepared.y_partial[known][near.index],
        clear,
        prepared.rows.train[known][near.index],
    )


def _classified(
    prepared: Prepared, estimator: Any, index: Codes, asked: Asked
) -> tuple[Codes, NDArray[np.float64], Codes]:
    passed_on = getattr(estimator, "label_distributions_", None)
    if asked == "seen" and passed_on is not None:
        scores = np.asarray(passed_on, dtype=np.float64)[index]
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # What there is to complain of, the run has said.
            X = taken(prepared.X, index) if asked == "seen" else prepared.unseen
            scores = np.asarray(estimator.decision_function(X), dtype=np.float64)
    if scores.ndim == 1:
        scores = np.column_stack([-scores, scores])
    classes = np.asarray(estimator.classes_, dtype=np.int64)
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    gap = ranked[:, 0] - ranked[:, 1] if scores.shape[1] > 1 else np.ones(len(scores))
    code = classes[order[:, 0]]
    if passed_on is not None:
        code = np.where(scores.any(axis=1), code, -1)
    top = gap.max(initial=0.0)
    return code, gap / top if top > 0 else gap, np.full(code.size, -1)
