"""Randomised HALS: sweeps on data compressed once (Erichson, Mendible, Wihlborn and Kutz, PRL 2018)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.reference.alternating import Alternating, swept, times
from methods.typing import Array

# The paper's defaults.
_OVERSAMPLED, _POWERS = 20, 2


class RandomisedHALS(Alternating):
    """The longer side of X is replaced by its coordinates in a basis Q of k + 20 columns.

    The factor of that side is a sum of the basis; it is kept ≥ 0 by going back to full length row by row.
    """

    def __init__(self, X: Any, W: Array, H: Array) -> None:
        super().__init__(X, W, H)
        n, m = X.shape
        self._turned = m > n
        tall, long, self._short = (X.T, self.H, self.W) if self._turned else (X, self.W, self.H)
        self._basis, self._compressed = compression(tall, len(H))
        self._long, self._inside = long, long @ self._basis

    def step(self) -> None:
        """Sweep over the short factor, then over the compressed one."""
        short, long, inside = self._short, self._long, self._inside
        swept(short, inside @ self._compressed, long @ long.T)
        linear, gram = times(short, self._compressed.T), short @ short.T
        for j in range(len(short)):
            if gram[j, j] > 0:
                moved = inside[j] + (linear[j] - gram[j] @ inside) / gram[j, j]
                np.maximum(self._basis @ moved, 0, out=long[j])
                inside[j] = long[j] @ self._basis

    def objective(self) -> float:
        """Return ‖X − WᵀH‖², of the data themselves."""
        self._linear, self._gram = times(self.H, self.X.T), self.H @ self.H.T
        return super().objective()


def compression(X: Any, k: int) -> tuple[Array, Array]:
    """Return Q (samples × l) with orthonormal columns and QᵀX, by two rounds of subspace iteration."""
    n, m = X.shape
    width = min(k + _OVERSAMPLED, n, m)
    drawn = np.random.default_rng(0).random((m, width)).astype(X.dtype)
    basis = np.linalg.qr(np.asarray(X @ drawn))[0]
    for _ in range(_POWERS):
        basis = np.linalg.qr(np.asarray(X.T @ basis))[0]
        basis = np.linalg.qr(np.asarray(X @ basis))[0]
    return basis, times(np.ascontiguousarray(basis.T), X)
