"""Co-training with regularised least squares (Blum and Mitchell, 1998)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from methods.checks import check_labels
from methods.memory import copies
from methods.multiview.principal import PCA_COMPONENTS, View, principal_view
from methods.multiview.views import UNIT_SAMPLES, check_views, unit_rows
from methods.spec import MAX_ITER, Param, Spec
from methods.stepwise import Solver, StepwiseClassifier
from methods.typing import Array, Codes


class CoTraining(StepwiseClassifier):
    """One classifier a view; in every round each labels the samples it is surest of, for all of them.

    y holds class codes, -1 where unknown. Fitted: `pool_` (the codes of the rows labelled so far, by people
    or by the classifiers), `embedding_` (mean scores, samples × classes), `components_` (the weights of each
    view, classes × features) and `intercept_`. A row belongs to the class with the largest mean score. One
    view alone teaches itself.

    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(30) % 3
    >>> views = [np.eye(3)[y] + 0.2 * rng.random((30, 3)) for _ in range(2)]
    >>> model = CoTraining().fit(views, np.where(np.arange(30) < 6, y, -1))
    >>> bool((model.predict(views) == y).all())
    True
    """

    components_: list[Array]
    intercept_: Array
    embedding_: Array

    def __init__(
        self,
        ridge: float = 0.01,
        *,
        per_class: int = 1,
        pca_components: int = 50,
        unit_samples: bool = True,
        max_iter: int = 30,
    ) -> None:
        self.ridge = ridge
        self.per_class = per_class
        self.pca_components = pca_components
        self.unit_samples = unit_samples
        self.max_iter = max_iter

    @property
    def transduction_(self) -> Array:
        """The class of every training row."""
        check_is_fitted(self, "embedding_")
        return np.asarray(self.classes_[self.embedding_.argmax(axis=1)])

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Any] | None) -> _Rounds:
        self._check_params()
        views = check_views(self, X, nonnegative=False)
        codes, self.classes_ = check_labels("CoTraining", y, views[0].shape[0])
        axes = [
            principal_view(view, int(self.pca_components), name)
            for name, view in zip(self.view_names_, self._scaled(views), strict=True)
        ]
        pool = codes.copy()
        if warm_start is not None:
            earlier = np.asarray(warm_start["pool"])
            if earlier.shape != codes.shape or earlier.max(initial=0) >= self.classes_.size:
                raise ValueError("warm_start: pool is of other samples or other classes than these.")
            pool = np.where(codes >= 0, codes, earlier)
        return _Rounds(axes, pool, self.classes_.size, self.ridge, int(self.per_class), views[0].dtype)

    def _class_scores(self, X: Any) -> Array:
        check_is_fitted(self, "components_")
        views = self._scaled(check_views(self, X, nonnegative=False, reset=False))
        scores = sum(view @ part.T for view, part in zip(views, self.components_, strict=True))
        return np.asarray(scores / len(views) + self.intercept_)

    def _scaled(self, views: list[Any]) -> list[Any]:
        return [unit_rows(view) for view in views] if self.unit_samples else views

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class _Rounds(Solver):
    """The pool of labelled rows and the classifiers trained on it."""

    def __init__(
        self, axes: list[View], pool: Codes, n_classes: int, ridge: float, per_class: int, dtype: Any
    ) -> None:
        self._axes, self.pool, self._n_classes = axes, pool, n_classes
        self._ridge, self._per_class, self._dtype = ridge, per_class, dtype
        self._train()

    def step(self) -> None:
        """Let every view label the rows it is surest of, then train all anew."""
        wishes = [self._surest(scores) for scores in self._scores]
        # Where two views want the same row, the surer one names it.
        for _, row, code in sorted((wish for view in wishes for wish in view), key=lambda wish: wish[0]):
            self.pool[row] = code
        self._train()
        self.done = bool((self.pool >= 0).all())

    def terms(self) -> dict[str, float]:
        """Return the error of the classifiers on the pool, and what their weights cost."""
        return {"classification": self._error, "ridge": self._cost}

    def arrays(self) -> dict[str, Any]:
        """Return the pool, the mean scores and the weights behind them."""
        return {
            "embedding": self._mean_scores,
            "pool": self.pool,
            "components": self._components,
            "intercept": self._intercept,
        }

    def _train(self) -> None:
        rows = np.flatnonzero(self.pool >= 0)
        Y = np.eye(self._n_classes)[self.pool[rows]]
        self._scores: list[Array] = []
        self._components, intercept = [], np.zeros(self._n_classes)
        self._error = self._cost = 0.0
        for view in self._axes:
            B, bias, penalty = least_squares(view.scores[rows], Y, self._ridge)
            scores = view.scores @ B + bias
            self._error += float(np.square(scores[rows] - Y).sum())
            self._cost += float(penalty * np.square(B).sum())
            weights = B.T @ view.basis
            intercept += bias - weights @ view.mean
            self._scores.append(scores)
            self._components.append(weights.astype(self._dtype))
        self._intercept = (intercept / len(self._axes)).astype(self._dtype)
        self._mean_scores = np.mean(self._scores, axis=0).astype(self._dtype)

    def _surest(self, scores: Array) -> list[tuple[float, int, int]]:
        """Return (margin, row, class) of the unlabelled rows a classifier would stake most on, by class."""
        rows = np.flatnonzero(self.pool < 0)
        open_scores = scores[rows]
        best = open_scores.argmax(axis=1)
        runner_up = np.partition(open_scores, -2, axis=1)[:, -2]
        margins = open_scores.max(axis=1) - runner_up
        wishes: list[tuple[float, int, int]] = []
        for code in range(self._n_classes):
            named = np.flatnonzero(best == code)
            surest = named[np.argsort(-margins[named], kind="stable")[: self._per_class]]
            wishes += [(float(margins[index]), int(rows[index]), code) for index in surest]
        return wishes


def least_squares(Z: Array, Y: Array, ridge: float) -> tuple[Array, Array, float]:
    """Return the weights and bias that minimise ‖ZB + b − Y‖² + r‖B‖², and r.

    `ridge` is in units of the mean squared length of what the axes vary by. The bias costs nothing.
    """
    centre, level = Z.mean(axis=0), Y.mean(axis=0)
    apart = Z - centre
    gram = apart.T @ apart
    # Labelled rows may all be alike in a view: then it has nothing to say.
    penalty = ridge * float(np.trace(gram)) / len(gram) or 1.0
    B = linalg.solve(gram + penalty * np.eye(len(gram)), apart.T @ (Y - level), assume_a="pos")
    return B, level - centre @ B, penalty


SPEC = CoTraining.spec = Spec(
    id="cotraining",
    title="CoTra",
    family="multiview",
    summary="Each view's classifier teaches the others, with the samples it is surest of.",
    objective=r"\sum_v\Bigl(\lVert Z_vB_v+1b_v^\top-Y\rVert_F^2+r\lVert B_v\rVert_F^2\Bigr)"
    r"\ \text{on the pool},\qquad f(x)=\tfrac1P\sum_v B_v^\top z_v+b_v",
    update=r"\text{pool}\leftarrow\text{pool}\cup\bigcup_{v,c}R_{vc},"
    r"\qquad R_{vc}:\ \text{unlabelled rows with the largest}"
    r"\qquad\text{margin for class }c\text{ in view }v",
    references=(
        "A. Blum and T. Mitchell. Combining labeled and unlabeled data with co-training. COLT 1998.",
    ),
    params=(
        Param(
            "ridge",
            "float",
            0.01,
            "How strongly the weights of the classifiers are held back, relative to the data.",
            symbol="r",
            least=1e-12,
            low=1e-6,
            high=1e2,
            scale="log",
        ),
        Param(
            "per_class",
            "int",
            1,
            "How many samples of each class a view may label in a round.",
            least=1,
            low=1,
            high=20,
            paper="1 positive and 3 negative",
            words="New labels a class",
        ),
        PCA_COMPONENTS,
        UNIT_SAMPLES,
        MAX_ITER.but(
            default=30,
            meaning="How many rounds of labelling are made, unless no sample is left to label.",
            low=1,
            high=500,
            paper="30",
            words="Rounds",
        ),
    ),
    estimator=CoTraining,
    needs=frozenset({"labels", "views"}),
    gives=frozenset({"embedding", "predict", "objective"}),
    signed=True,
    memory=copies(dense=2.5, span=3),
    cost="The principal axes of each view once; then d²(N + d) a view and round, for d axes.",
    corrections=(
        "The objective grows with the pool it is summed over: it is no measure of progress. Blum and "
        "Mitchell draw a random pool of 75 candidates in every round; here all unlabelled samples are "
        "candidates, so that there is nothing random."
    ),
    recognition="predict",
    expected_failed_checks={
        "check_classifiers_classes": "-1 marks an unlabelled row, so labels -1 and 1 of it are one class"
    },
)
