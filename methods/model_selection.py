"""Cross-validation where −1 marks a row of unknown class, for use with scikit-learn's `cross_val_score`.

scikit-learn's own splitters take −1 for a class: such rows land in test folds, where no answer can be right,
and are missing from training, where they are what semi-supervised methods learn from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import BaseCrossValidator, StratifiedKFold

from methods.checks import UNLABELLED
from methods.stepwise import accuracy_where_labelled
from methods.typing import Array, Codes


class LabelledKFold(BaseCrossValidator):
    """Stratified folds of the labelled rows; rows of unknown class (−1) are in training every time.

    >>> y = np.array([0, 0, 1, 1, -1, -1])
    >>> [test.tolist() for _, test in LabelledKFold(2, shuffle=False).split(y, y)]
    [[0, 2], [1, 3]]
    >>> all({4, 5} <= set(train.tolist()) for train, _ in LabelledKFold(2).split(y, y))
    True
    """

    def __init__(self, n_splits: int = 5, *, shuffle: bool = True, random_state: Any = 0) -> None:
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Codes, Codes]]:
        """Yield rows to train on and labelled rows to test on."""
        labels = np.asarray(y)
        if y is None or labels.ndim != 1:
            raise ValueError("LabelledKFold needs y: class codes, with -1 for every row of unknown class.")
        labelled, everything = np.flatnonzero(labels != UNLABELLED), np.arange(labels.size)
        folds = StratifiedKFold(
            self.n_splits, shuffle=self.shuffle, random_state=self.random_state if self.shuffle else None
        )
        for _, test in folds.split(labelled, labels[labelled]):
            yield np.setdiff1d(everything, labelled[test]), labelled[test]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits


def labelled_accuracy(estimator: Any, X: Any, y: Any) -> float:
    """Return the share of rows whose class is found, among those whose class is known; a scorer.

    Give it as `scoring` wherever scikit-learn asks for one.
    """
    return accuracy_where_labelled(np.asarray(estimator.predict(X)), y)


def masked_scores(estimator: Any, X: Any, y: Any, cv: LabelledKFold | None = None) -> Array:
    """Return for each fold the share of its rows that are named rightly when seen without their label.

    All rows are in every fit, those of the fold with −1 for a label, and the fit says what it takes them for
    (`transduction_`, or else `predict`). X may also be several views.
    """
    labels, scores = np.asarray(y), []
    for _, test in (cv or LabelledKFold()).split(labels, labels):
        hidden = labels.copy()
        hidden[test] = UNLABELLED
        fitted = clone(estimator).fit(X, hidden)
        named = getattr(fitted, "transduction_", None)
        named = fitted.predict(X) if named is None else named
        scores.append(accuracy_where_labelled(np.asarray(named)[test], labels[test]))
    return np.array(scores)
