"""What solvers have in common that improve H, then W, each with one look at the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from methods.hals_kernels import descend
from methods.typing import Array


class Alternating:
    """X ≈ WᵀH with both factors a part a row (W: k × samples, H: k × features).

    Either factor F then solves min ½⟨F, gram F⟩ − ⟨F, linear⟩, F ≥ 0, in which the other one stands still: a
    solver says how it comes closer.
    """

    def __init__(self, X: Any, W: Array, H: Array) -> None:
        self.X = X
        self.W, self.H = np.array(W.T, order="C"), np.array(H, order="C")
        self.size = float(np.square(X.data if hasattr(X, "indptr") else X, dtype=np.float64).sum())

    def step(self) -> None:
        """Improve H, then W."""
        self.H = self.improved("H", self.H, times(self.W, self.X), self.W @ self.W.T)
        self._linear, self._gram = times(self.H, self.X.T), self.H @ self.H.T
        self.W = self.improved("W", self.W, self._linear, self._gram)

    def improved(self, name: str, factor: Array, linear: Array, gram: Array) -> Array:
        """Return a better factor; it may be the one given, changed."""
        raise NotImplementedError

    def objective(self) -> float:
        """Return ‖X − WᵀH‖² from the products at hand."""
        overlap = np.multiply(self._linear, self.W).sum(dtype=np.float64)
        modelled = np.multiply(self._gram, self.W @ self.W.T).sum(dtype=np.float64)
        return float(self.size - 2 * overlap + modelled)


def times(factor: Array, X: Any) -> Array:
    """Return factor · X in C order, for dense and sparse X."""
    return np.ascontiguousarray(factor @ X if isinstance(X, np.ndarray) else (X.T @ factor.T).T)


def swept(factor: Array, linear: Array, gram: Array) -> Array:
    """Return the factor after one sweep of coordinate descent over its rows."""
    descend(factor, linear, gram, 1)
    return factor
