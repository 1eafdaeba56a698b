"""What the closed-form projections share: one direction a step, the transform, and the checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted

from methods.spec import Facts
from methods.stepwise import Solver, StepwiseTransformer
from methods.typing import Array, is_sparse


class LinearProjection(StepwiseTransformer):
    """Rows are moved by `mean_` and projected on `components_`, whose rows are the directions."""

    mean_: Array

    def transform(self, X: Any) -> Array:
        """Return the coordinates of rows along the directions."""
        X = self._unseen(X, nonnegative=False, accept_sparse=True, entries=True)
        return np.asarray(moved(X, self.mean_) @ self.components_.T)

    def inverse_transform(self, X: Any) -> Array:
        """Return the rows closest to the mean that have these coordinates."""
        check_is_fitted(self, "components_")
        Z = check_array(X, dtype=[np.float64, np.float32])
        if Z.shape[1] != len(self.components_):
            raise ValueError(f"X has {Z.shape[1]} columns, but there are {len(self.components_)} directions.")
        # Directions need not be orthogonal, hence the pseudo-inverse.
        return np.asarray(Z @ linalg.pinv(self.components_).T.astype(Z.dtype) + self.mean_.astype(Z.dtype))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _how_many(self, facts: Facts, most: int, why: str) -> int:
        """Return n_components: its default is cut to `most`, a larger explicit value is refused."""
        k = int(self._resolved("n_components", facts))
        if self.n_components is None:
            return min(k, most)
        if k > most:
            raise ValueError(f"n_components={k} is more than there are: {why} give at most {most}.")
        return k


def moved(X: Any, mean: Array) -> Any:
    """Return X around `mean`, to be multiplied from the right; sparse X stays sparse."""
    return _Moved(X, mean.astype(X.dtype)) if is_sparse(X) else X - mean


@dataclass(frozen=True)
class _Moved:
    X: Any
    mean: Array

    @property
    def dtype(self) -> Any:
        return self.X.dtype

    def __matmul__(self, other: Array) -> Array:
        return np.asarray(self.X @ other - self.mean @ other)


class DirectionByDirection(Solver):
    """Shows directions computed beforehand, best first, one more at each step.

    `left` names the parts of the criterion that are left out when the first 0, 1, …, k directions are in.
    """

    def __init__(self, centred: Any, directions: Array, left: Mapping[str, Array]) -> None:
        self._all_components = with_settled_signs(directions).astype(centred.dtype)
        self._all_scores = np.asarray(centred @ self._all_components.T)
        self._left = left
        self._components, self._scores = np.zeros_like(self._all_components), np.zeros_like(self._all_scores)
        self._count = 0

    def step(self) -> None:
        """Add one more direction."""
        self._components[self._count] = self._all_components[self._count]
        self._scores[:, self._count] = self._all_scores[:, self._count]
        self._count += 1
        self.done = self._count == self._components.shape[0]

    def terms(self) -> dict[str, float]:
        """Return the parts of the criterion that the directions shown leave out."""
        return {name: float(values[self._count]) for name, values in self._left.items()}

    def arrays(self) -> dict[str, Array]:
        """Return directions and coordinates, zero where not yet let in."""
        return {"components": self._components, "embedding": self._scores}


def with_settled_signs(directions: Array) -> Array:
    """Return the rows, each turned so that its largest entry is positive: the sign has no meaning."""
    largest = directions[np.arange(len(directions)), np.abs(directions).argmax(axis=1)]
    # Adding zero turns -0 into 0.
    return np.asarray(directions * np.where(largest < 0, -1.0, 1.0)[:, None] + 0.0)


def left_after(parts: Array, k: int) -> Array:
    """Return what is left of a sum of non-negative `parts` once the first 0, 1, …, k are taken out."""
    # Summed from the smallest end, so that the remainder neither rises nor falls below zero by rounding.
    remainders = np.append(np.cumsum(parts[::-1])[::-1], 0.0)
    return np.asarray(np.append(remainders, np.zeros(max(0, k + 1 - remainders.size)))[: k + 1])
