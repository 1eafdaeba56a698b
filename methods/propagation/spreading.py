"""What the propagation methods have in common: scores of labels, watched as they spread."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import UNLABELLED, check_data, check_labels, check_start
from methods.rows import indicator
from methods.spec import MAX_ITER, TOL, Param
from methods.stepwise import Solver, Status, StepwiseClassifier
from methods.typing import Array, Codes

_NAMED = 10


class Field(Protocol):
    """A rule by which labels spread: one sweep of it, its fixed point, and the energy behind it.

    F holds one row a sample and one column a class; `neighbours` is what `look` made of F.
    """

    def begin(self, F: Array) -> Array:
        """Return the start F with what is fixed put right."""
        ...

    def look(self, F: Array) -> Array:
        """Return the sums over neighbours that both a sweep and the energy are made from."""
        ...

    def sweep(self, neighbours: Array) -> Array:
        """Return F after one more round."""
        ...

    def solution(self) -> Array:
        """Return the F that sweeps approach."""
        ...

    def energy(self, F: Array, neighbours: Array) -> dict[str, float]:
        """Return the named parts of the energy."""
        ...


class SpreadingSolver(Solver):
    """Sweep after sweep, or the whole solution as the first and last step."""

    def __init__(self, field: Field, F: Array, *, exact: bool, dtype: Any) -> None:
        self.field, self.exact, self.dtype = field, exact, dtype
        self._take(field.begin(F))

    def step(self) -> None:
        """Spread the labels by one round, or all the way."""
        self._take(self.field.solution() if self.exact else self.field.sweep(self.neighbours))
        self.done = self.exact

    def terms(self) -> dict[str, float]:
        """Return the parts of the energy."""
        return self.field.energy(self.F, self.neighbours)

    def arrays(self) -> dict[str, Array]:
        """Return the scores, and the distributions they stand for."""
        return {
            "label_distributions": self._distributions,
            "embedding": self._distributions,
            "label_scores": self._scores,
        }

    def distributions(self) -> Array:
        """Return a distribution over the classes for each row, zero where no label has arrived."""
        return shares(self.F)

    def _take(self, F: Array) -> None:
        self.F, self.neighbours = F, self.field.look(F)
        self._display()

    def _display(self) -> None:
        self._scores = self.F.astype(self.dtype)
        self._distributions = self.distributions().astype(self.dtype)


class Propagation(StepwiseClassifier):
    """A classifier that spreads the labels of some rows to all the others.

    Fitted: `label_distributions_` (rows of shares that sum to 1), `transduction_` (the class of
    every training row, -1 where no label arrived), `unreached_` (those rows). A method gives
    `_solver` and `_averaged`, which weights the training rows that surround a new one.
    """

    label_distributions_: Array

    def predict_proba(self, X: Any) -> Array:
        """Return for each row a weighted average of the label distributions of training rows around it.

        A row that was trained on is averaged like any other, as in scikit-learn: what was found for it
        in training is in `label_distributions_`. Training rows that no label reached are left out.
        """
        check_is_fitted(self, "label_distributions_")
        X = check_data(self, X, nonnegative=False, reset=False, accept_sparse=True, entries=True)
        reached = np.flatnonzero(self.label_distributions_.any(axis=1))
        averaged = self._averaged(X, reached)
        return np.asarray(shares(averaged).astype(X.dtype))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _averaged(self, X: Array, reached: Codes) -> Array:
        """Return the averages over the training rows `reached`, in double precision."""
        raise NotImplementedError

    def _class_scores(self, X: Any) -> Array:
        return self.predict_proba(X)

    def _checked(self, X: Any, y: Any) -> tuple[Array, Codes]:
        self._check_params()
        X = check_data(self, X, nonnegative=False, accept_sparse=True, entries=True)
        codes, self.classes_ = check_labels(type(self).__name__, y, X.shape[0])
        self.X_ = X
        return X, codes

    def _start(self, codes: Codes, warm_start: Mapping[str, Array] | None) -> Array:
        if warm_start is None:
            return indicator(codes, self.classes_.size)
        shape = (codes.size, self.classes_.size)
        return check_start("label_scores", warm_start["label_scores"], shape, np.float64, source="warm_start")

    def _show(self, solver: Solver) -> None:
        super()._show(solver)
        missing = ~self.label_distributions_.any(axis=1)
        self.unreached_ = np.flatnonzero(missing)
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        if missing.any():
            self.transduction_[missing] = UNLABELLED

    def _publish(self, solver: Solver, curve: list[float], status: Status) -> None:
        super()._publish(solver, curve, status)
        if status in ("done", "max_iter") and self.unreached_.size and curve[1:]:
            warnings.warn(self._complaint(), UserWarning, stacklevel=4)

    def _complaint(self) -> str:
        rows, total = self.unreached_, self.label_distributions_.shape[0]
        more = f" and {rows.size - _NAMED} more (see unreached_)" if rows.size > _NAMED else ""
        return (
            f"{type(self).__name__}: no label reached {rows.size} of {total} rows "
            f"({', '.join(map(str, rows[:_NAMED]))}{more}); their label distributions are zero. "
            "Label one of them, or join more neighbours."
        )


def shares(scores: Array) -> Array:
    """Return rows divided by their sums; zero rows stay zero."""
    # Dividing by the largest first keeps sums of the smallest doubles away from zero.
    largest = scores.max(axis=1, keepdims=True)
    scaled = scores / np.where(largest > 0, largest, 1)
    totals = scaled.sum(axis=1, keepdims=True)
    return np.asarray(scaled / np.where(totals > 0, totals, 1))


def spread_of(scale: Array, F: Array, neighbours: Array) -> float:
    """Return Σᵢ scaleᵢ·fᵢ·(fᵢ − neighboursᵢ), or 0 where that is no more than rounding."""
    total = float(scale @ np.einsum("ic,ic->i", F, F - neighbours))
    largest = float(scale @ np.einsum("ic,ic->i", F, F))
    return total if total > F.shape[0] * np.finfo(np.float64).eps * largest else 0.0


SOLVER = Param(
    "solver",
    "choice",
    "exact",
    "The solution at once, or round after round, so that labels can be watched as they spread.",
    choices=("exact", "iterative"),
)
ROUNDS = MAX_ITER.but(
    meaning="An iterative run ends after this many rounds if it has not settled before.",
    only_if=("solver", "iterative"),
)
SETTLED = TOL.but(
    only_if=("solver", "iterative"),
    default=1e-8,
    low=1e-12,
    meaning="An iterative run ends when a round lowers the energy by less than this fraction, over ten.",
)
# The common checks of scikit-learn that cannot hold where -1 has a meaning of its own.
UNLIKE_OTHERS = {
    "check_classifiers_classes": "-1 marks an unlabelled row, so labels -1 and 1 are only one class"
}
