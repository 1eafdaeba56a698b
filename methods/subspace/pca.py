"""Principal component analysis, one component after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg

from methods.checks import check_data
from methods.memory import copies
from methods.spec import Facts, Param, Spec
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array


class PCA(StepwiseTransformer):
    """Orthogonal directions of largest variance.

    Step i shows the best approximation of rank i; the objective is the squared error that is
    left, so the last steps tell how little the last components matter.
    """

    mean_: Array

    def __init__(self, n_components: int | None = None) -> None:
        self.n_components = n_components

    def _solver(self, X: Any, y: Any, warm_start: Mapping[str, Array] | None) -> _ComponentByComponent:
        self._check_params()
        X = check_data(self, X, nonnegative=False)
        most = min(X.shape)
        k = int(self._resolved("n_components", Facts(X.shape[0], X.shape[1])))
        if k > most:
            raise ValueError(
                f"n_components={k} is more than the data hold: "
                f"{X.shape[0]} samples of {X.shape[1]} features give at most {most}."
            )
        mean = X.mean(axis=0, dtype=np.float64).astype(X.dtype)
        return _ComponentByComponent(X - mean, mean, k)

    def transform(self, X: Any) -> Array:
        """Return the coordinates of rows in the space of the components."""
        X = self._unseen(X, nonnegative=False)
        return np.asarray((X - self.mean_) @ self.components_.T)

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that coordinates stand for."""
        return np.asarray(Z @ self.components_ + self.mean_)


class _ComponentByComponent(Solver):
    def __init__(self, centred: Array, mean: Array, k: int) -> None:
        self._mean = mean
        left, values, right = linalg.svd(centred, full_matrices=False)
        # The sign of a singular vector is arbitrary: the largest entry is made positive.
        signs = np.sign(right[np.arange(values.size), np.abs(right).argmax(axis=1)])
        signs[signs == 0] = 1
        self._all_components = right[:k] * signs[:k, None]
        self._all_scores = left[:, :k] * (values * signs)[:k]
        self._left_over = np.append(np.cumsum(np.square(values, dtype=np.float64)[::-1])[::-1], 0.0)
        self._components, self._scores = np.zeros_like(self._all_components), np.zeros_like(self._all_scores)
        self._shown = 0

    def step(self) -> None:
        """Add one more component."""
        self._components[self._shown] = self._all_components[self._shown]
        self._scores[:, self._shown] = self._all_scores[:, self._shown]
        self._shown += 1
        self.done = self._shown == self._components.shape[0]

    def terms(self) -> dict[str, float]:
        """Return the squared error left with the components shown."""
        return {"reconstruction": float(self._left_over[self._shown])}

    def arrays(self) -> dict[str, Array]:
        """Return the mean, and components and scores, zero where not yet let in."""
        return {"components": self._components, "embedding": self._scores, "mean": self._mean}


def _rank(facts: Facts) -> int:
    return max(1, min(100, facts.n_samples - 1, facts.n_features))


SPEC = PCA.spec = Spec(
    id="pca",
    title="PCA",
    family="subspace",
    summary="Directions of largest variance: whole faces, light and dark, not parts.",
    objective=r"\min_{U^\top U=I}\ \lVert \bar X-UU^\top\bar X\rVert_F^2",
    update=r"\bar X=U\Sigma V^\top\ \text{(singular value decomposition)},\qquad"
    r"\text{largest }\sigma_i\text{ first}",
    references=("I. T. Jolliffe. Principal component analysis. Springer 1986.",),
    params=(
        Param(
            "n_components",
            "int",
            None,
            "How many directions are kept.",
            symbol="k",
            least=1,
            low=1,
            high=200,
            auto=_rank,
        ),
    ),
    estimator=PCA,
    monotone=True,
    signed=True,
    memory=copies(dense=6, span=2),
    cost="One singular value decomposition, O(m·N·min(m, N)).",
)
