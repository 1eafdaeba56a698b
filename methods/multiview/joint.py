"""Methods for one matrix that are given several views: the views are put side by side."""

from __future__ import annotations

from typing import Any

from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_labels, is_operator
from methods.multiview.views import check_views, is_multiview, joined, unit_rows
from methods.nonnegative.factorization import FrobeniusFactorization
from methods.spec import Facts
from methods.stepwise import StepwiseTransformer
from methods.typing import Array, Codes


class LabelledFactorization(FrobeniusFactorization):
    """A factorization of one matrix that listens to labels.

    A list or mapping of views is taken as one matrix: samples get length 1 in each view, and the views are
    put side by side. One matrix is taken as it is.
    """

    classes_: Array
    # What views were joined is learned from the rows.
    restore = StepwiseTransformer.restore

    def _checked(self, X: Any) -> Any:
        self._check_params()
        return self._as_one_matrix(X, check_views(self, X, nonnegative=True))

    def _unseen(self, X: Any, **how: Any) -> Any:
        check_is_fitted(self, "components_")
        return self._as_one_matrix(X, check_views(self, X, nonnegative=False, reset=False))

    def _as_one_matrix(self, X: Any, views: list[Any]) -> Any:
        if not is_multiview(X):
            return views[0]
        if any(map(is_operator, views)):
            raise ValueError("Views that offer products alone cannot be put side by side: pass matrices.")
        return joined([unit_rows(view) for view in views])

    def _labels(self, X: Any, y: Any) -> tuple[Codes, Facts]:
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        return codes, Facts(
            X.shape[0], X.shape[1], n_labelled=int((codes >= 0).sum()), n_classes=self.classes_.size
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
