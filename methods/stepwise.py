"""The base of every method: a fit is a walk over steps, and `fit` only walks to the end."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import UNLABELLED, check_data, is_unknown
from methods.spec import Facts, Spec
from methods.step import State, Step
from methods.typing import Array

Status = Literal["done", "max_iter", "diverged", "stopped"]
_WINDOW = 10


class Solver:
    """The moving part of a fit: it owns the arrays, takes steps, and can say how good they are.

    `done` is set by solvers that know their last step (closed forms); the others go on until
    the objective settles or `max_iter` is reached.
    """

    done: bool = False

    def step(self) -> None:
        """Advance by one iteration."""
        raise NotImplementedError

    def terms(self) -> dict[str, float]:
        """Return the named parts of the objective at the present arrays."""
        raise NotImplementedError

    def arrays(self) -> dict[str, Array]:
        """Return the present arrays by name; they become the fitted attributes `<name>_`."""
        raise NotImplementedError

    def derived(self) -> dict[str, Callable[[], Array]]:
        """Return further arrays for display by name, each as a function that computes it when called."""
        return {}


class StepwiseEstimator(BaseEstimator):
    """An estimator that is fitted step by step, each step open to view.

    A method gives `_solver(X, y, warm_start)`, which checks its input and returns a `Solver` at the
    start; `warm_start` is None or maps names to the arrays to continue from.
    """

    spec: ClassVar[Spec]
    _solver: Callable[..., Solver]

    def iterate(
        self, X: Any, y: Any = None, *, warm_start: Step | StepwiseEstimator | None = None, **fit_params: Any
    ) -> Iterator[Step]:
        """Yield one `Step` an iteration, from iteration 0 (the start) on.

        Closing the generator early leaves a fitted estimator. `warm_start` (an earlier step, or
        an estimator fitted before) continues from its arrays instead of making a new start.
        `fit_params` are further arguments of a method's `_solver`, such as pairs that must go together.
        """
        if fit_params.pop("sample_weight", None) is not None:
            raise ValueError(
                f"{type(self).__name__} counts every sample alike and takes no sample_weight: "
                "leave rows out, or repeat them."
            )
        with _overflow_allowed():
            solver = self._solver(X, y, None if warm_start is None else _arrays_of(warm_start), **fit_params)
        limit = getattr(self, "max_iter", None)
        tol = getattr(self, "tol", 0.0)
        curve: list[float] = []
        status: Status = "stopped"
        try:
            while True:
                with _overflow_allowed():
                    terms = solver.terms()
                curve.append(float(sum(terms.values())))
                step = Step(len(curve) - 1, curve[-1], MappingProxyType(terms), _views(solver))
                ended = _ending(solver, curve, limit, tol)
                self._show(solver)
                status = ended or "stopped"
                yield step
                if ended:
                    return
                with _overflow_allowed():
                    solver.step()
        finally:
            self._publish(solver, curve, status)

    def fit(
        self, X: Any, y: Any = None, *, warm_start: Step | StepwiseEstimator | None = None, **fit_params: Any
    ) -> Self:
        """Walk through `iterate` to its end."""
        for _ in self.iterate(X, y, warm_start=warm_start, **fit_params):
            pass
        if self.status_ == "max_iter" and getattr(self, "tol", 0.0) > 0:
            message = f"{type(self).__name__} had not settled after max_iter={self.n_iter_} iterations."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def restore(self, X: Any, y: Any, arrays: State, **fit_params: Any) -> Self:
        """Restore the fitted state of an earlier run on these rows from the arrays of its last step."""
        if "transform" in self.spec.gives and hasattr(self, "max_iter"):
            # Continuing for no iterations restores the attributes that depend on the training rows.
            limit = self.max_iter
            for _ in self.set_params(max_iter=0).iterate(X, y, warm_start=Step(0, np.nan, {}, arrays)):
                pass
            self.set_params(max_iter=limit)
            return self
        # A closed form is quick to fit again with the same result; the first run has given its warnings.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.fit(X, y, **fit_params)

    @property
    def remark_(self) -> str:
        """What one should know about the fit beside its numbers, as a sentence; empty for most."""
        return ""

    def _show(self, solver: Solver) -> None:
        # At every step the estimator is fitted as far as it has come, so that a watcher can ask it.
        for name, array in solver.arrays().items():
            setattr(self, f"{name}_", array)

    def _publish(self, solver: Solver, curve: list[float], status: Status) -> None:
        self._show(solver)
        self.objective_curve_ = np.array(curve)
        self.n_iter_ = len(curve) - 1
        self.status_ = status

    def _resolved(self, name: str, facts: Facts) -> Any:
        """Return a parameter's value, worked out from the sizes of the problem where it is None."""
        value = getattr(self, name)
        self.spec.param(name).check(value)
        return self.spec.param(name).starting_value(facts) if value is None else value

    def _check_params(self) -> None:
        self.spec.check(self.get_params(deep=False))


class StepwiseTransformer(TransformerMixin, ClassNamePrefixFeaturesOutMixin, StepwiseEstimator):
    """A stepwise estimator that turns rows into features; a method gives `transform`."""

    components_: Array
    embedding_: Array

    def _unseen(self, X: Any, **how: Any) -> Any:
        check_is_fitted(self, "components_")
        return check_data(self, X, reset=False, **how)

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


class StepwiseClassifier(ClassifierMixin, StepwiseEstimator):
    """A stepwise estimator that names the class of rows; a method gives `_class_scores`."""

    classes_: Array

    def _class_scores(self, X: Any) -> Array:
        """Return one score a class for each row, the largest winning."""
        raise NotImplementedError

    def decision_function(self, X: Any) -> Array:
        """Return the scores; for two classes how far the second is ahead of the first."""
        scores = self._class_scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows named rightly, among those whose class is known (not -1)."""
        return accuracy_where_labelled(self.predict(X), y, sample_weight)

    def predict(self, X: Any) -> Array:
        """Return the class with the largest score."""
        # The scores come first: they say so if nothing has been fitted yet.
        best = self._class_scores(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


def accuracy_where_labelled(named: Array, y: Any, weights: Any = None) -> float:
    """Return the share of right names among rows whose class is not −1."""
    truth = np.asarray(y)
    is_labelled = ~is_unknown(truth) if truth.dtype.kind != "f" else (truth != UNLABELLED) & ~np.isnan(truth)
    if not is_labelled.any():
        raise ValueError("y holds no known class (all are -1), so there is nothing to be right about.")
    right = named[is_labelled] == truth[is_labelled]
    return float(np.average(right, weights=None if weights is None else np.asarray(weights)[is_labelled]))


def _overflow_allowed() -> np.errstate:
    # Numbers too large to hold end a run as "diverged", which says it more clearly than NumPy's warnings.
    return np.errstate(over="ignore", invalid="ignore")


def _arrays_of(source: Step | StepwiseEstimator) -> Mapping[str, Array]:
    if isinstance(source, Step):
        return source.state
    check_is_fitted(source)
    return {name[:-1]: value for name, value in vars(source).items() if name.endswith("_") and name[0] != "_"}


def _views(solver: Solver) -> Mapping[str, Array]:
    return State(solver.arrays(), solver.derived())


def _ending(solver: Solver, curve: list[float], limit: int | None, tol: float) -> Status | None:
    if not np.isfinite(curve[-1]):
        return "diverged"
    if solver.done or _settled(curve, tol):
        return "done"
    if limit is not None and len(curve) > limit:
        return "max_iter"
    return None


def _settled(curve: list[float], tol: float) -> bool:
    # Averaged over a few iterations, so that rounding in float32 does not end a run by chance.
    if tol <= 0 or len(curve) <= _WINDOW:
        return False
    # An objective that rises has not settled either: it may still end as diverged.
    return abs(curve[-1 - _WINDOW] - curve[-1]) <= _WINDOW * tol * abs(curve[-1])
