"""The ℓ1 misfit min ‖a‖₁ + ‖x − aD‖₁ of samples coded by each other, as the solvers want it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from methods.typing import Array, Codes


class GraphProblem:
    """The ℓ1 misfit, every sample forbidden to use itself."""

    def __init__(self, X: Array) -> None:
        self.atoms = self.targets = X.astype(np.float64, copy=False)
        self.own: Codes | None = np.arange(X.shape[0])
        # Found by trial on faces and digits of unit length; other lengths are brought to theirs.
        tall = X.shape[1] >= X.shape[0]
        length = np.sqrt(np.square(self.atoms).sum() / X.shape[0])
        self.scale = (3.0 if tall else 1.0) / (length if length > 0 else 1.0)
        self.rho = 14.0 if tall else 30.0
        self._rough = self.atoms.astype(np.float32)

    def excess(self, deviation: Array, rows: Codes) -> Array:
        """Return what soft thresholding takes away."""
        limit = deviation.dtype.type(1 / (self.scale * self.rho))
        return np.clip(deviation, -limit, limit, out=deviation)

    def estimate(self, codes: Array, duals: Array, correlations: Array, rows: Codes) -> tuple[Array, Array]:
        """Return objectives and bounds in the precision of the codes."""
        rough = self._rough if codes.dtype == np.float32 else self.atoms
        residuals = rough[rows] - codes @ rough
        objective = np.abs(codes).sum(axis=1) + np.abs(residuals).sum(axis=1)
        worst = np.maximum(np.abs(duals).max(axis=1), np.abs(correlations).max(axis=1))
        worst[worst == 0] = 1
        return objective, np.abs(np.einsum("nm,nm->n", duals, rough[rows])) / worst

    def certify(self, codes: Array, duals: Array, rows: Codes) -> tuple[Array, Array, Array]:
        """Return codes, objectives, and the value of each dual scaled until it is feasible."""
        targets, nu = self.targets[rows], duals.astype(np.float64)
        residuals = targets - sparse.csr_array(codes.astype(np.float64)) @ self.atoms
        objective = np.abs(codes).sum(axis=1, dtype=np.float64) + np.abs(residuals).sum(axis=1)
        correlations = np.abs(nu @ self.atoms.T)
        correlations[np.arange(rows.size), rows] = 0
        worst = np.maximum(np.abs(nu).max(axis=1), correlations.max(axis=1))
        worst[worst == 0] = 1
        return codes, objective, np.abs(np.einsum("nm,nm->n", nu, targets)) / worst
