"""Factorization by other misfits than squares: Kullback–Leibler (counts) and Itakura–Saito (power).

    D(X‖WH) = Σ x log(x/y) − x + y          (Kullback–Leibler)
    D(X‖WH) = Σ x/y − log(x/y) − 1          (Itakura–Saito),      y = WH

Sparse X stays sparse for Kullback–Leibler: where x = 0 only the sum of y counts, a product of two sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from methods import divergence_kernels as kernels
from methods.accelerated import CEILING_GROWTH, CUT, FIRST_REACH, GROWTH
from methods.stepwise import Solver
from methods.typing import Array, is_sparse

ITAKURA = "itakura-saito"
# Rows whose model is worked out together, so that it stays in the cache while it is used.
_ROWS_AT_ONCE = 64


class Misfit:
    """X with a divergence: its value, its multiplicative ratios and its coordinate steps."""

    def __init__(self, X: Any, loss: str) -> None:
        self.itakura = loss == ITAKURA
        self.sparse = bool(is_sparse(X))
        rows: Any = sparse.csr_array(X) if self.sparse else np.ascontiguousarray(X)
        # The same data a feature a row, for steps of the parts.
        by_feature: Any = sparse.csr_array(rows.T) if self.sparse else np.ascontiguousarray(rows.T)
        self.X, self._by_feature = rows, by_feature
        values: Array = (rows.data if self.sparse else rows).astype(np.float64)
        if self.itakura and (self.sparse or (values <= 0).any()):
            raise ValueError(
                f"loss={ITAKURA!r} compares ratios, so every entry of X must be above zero (and X dense): "
                "add a small constant, or choose loss='kullback-leibler'."
            )
        positive = values[values > 0]
        mean = values.sum() / max(1, X.shape[0] * X.shape[1])
        # A model below this is none: dividing by it would only overflow.
        self.floor = float(np.finfo(X.dtype).eps * mean) or 1.0
        logs = np.log(positive)
        self._constant = float(-logs.sum() - values.size if self.itakura else positive @ logs - values.sum())

    def value(self, W: Array, H: Array) -> float:
        """Return D(X‖WH), summed in double precision."""
        if self.sparse:
            logs = np.log(np.maximum(self._entries(W, H), self.floor))
            fitted = float(np.multiply(self.X.data, logs).sum(dtype=np.float64))
            return max(0.0, self._constant - fitted + _total(W, H))
        total = 0.0
        for part in _blocks(len(W)):
            model = np.maximum(W[part] @ H, self.floor)
            logs = np.log(model)
            if self.itakura:
                total += float((self.X[part] / model).sum(dtype=np.float64) + logs.sum(dtype=np.float64))
            else:
                total -= float(np.multiply(self.X[part], logs).sum(dtype=np.float64))
        return max(0.0, self._constant + total + (0.0 if self.itakura else _total(W, H)))

    def ratios(self, W: Array, H: Array) -> tuple[Array, Array]:
        """Return by what the published updates multiply W and H at the same WH."""
        if self.sparse:
            quotient = self.X.copy()
            quotient.data = quotient.data / np.maximum(self._entries(W, H), self.floor)
            return _safe(quotient @ H.T, H.sum(axis=1)), _safe((quotient.T @ W).T, W.sum(axis=0)[:, None])
        for_W, for_H = np.empty_like(W), np.zeros_like(H)
        against_W = np.empty_like(W) if self.itakura else np.broadcast_to(H.sum(axis=1), W.shape)
        against_H = np.zeros_like(H) if self.itakura else W.sum(axis=0)[:, None]
        for part in _blocks(len(W)):
            model = np.maximum(W[part] @ H, self.floor)
            quotient = self.X[part] / model
            if self.itakura:
                inverse = 1 / model
                quotient *= inverse
                np.matmul(inverse, H.T, out=against_W[part])
                against_H += W[part].T @ inverse
            np.matmul(quotient, H.T, out=for_W[part])
            for_H += W[part].T @ quotient
        ratios = _safe(for_W, against_W), _safe(for_H, against_H)
        return (np.sqrt(ratios[0]), np.sqrt(ratios[1])) if self.itakura else ratios

    def step_parts(self, H: Array, W: Array) -> None:
        """Step through the coefficients of H (k × features) with W (k × samples) as it is."""
        self._step(H, self._by_feature, W)

    def step_embedding(self, W: Array, H: Array) -> None:
        """Step through the coefficients of W (k × samples) with H as it is."""
        self._step(W, self.X, H)

    def _step(self, factor: Array, rows: Any, other: Array) -> None:
        sums = other.sum(axis=1)
        if self.sparse:
            other = np.ascontiguousarray(other.T)
            kernels.newton_sparse_rows(factor, rows.indptr, rows.indices, rows.data, other, sums, self.floor)
            return
        for part in _blocks(factor.shape[1]):
            model = factor[:, part].T @ other
            kernels.newton_rows(factor, rows[part], model, other, sums, part.start, self.floor, self.itakura)

    def _entries(self, W: Array, H: Array) -> Array:
        model = np.empty(self.X.nnz, W.dtype)
        X = self.X
        kernels.modelled_entries(
            X.indptr, X.indices, np.ascontiguousarray(W), np.ascontiguousarray(H.T), model
        )
        return model


class MultiplicativeDivergence(Solver):
    """The published updates: H, then W (Lee and Seung 2000; with the square root, Févotte and Idier 2011)."""

    def __init__(self, misfit: Misfit, H: Array, W: Array) -> None:
        self.misfit, self.H, self.W = misfit, H, W
        self._floor = float(np.finfo(H.dtype).tiny / np.finfo(H.dtype).eps)

    def step(self) -> None:
        """Update H, then W."""
        for factor, which in ((self.H, 1), (self.W, 0)):
            factor *= self.misfit.ratios(self.W, self.H)[which]
            # No product with anything smaller could be told from rounding.
            factor[factor < self._floor] = 0

    def terms(self) -> dict[str, float]:
        """Return the divergence."""
        return {"divergence": self.misfit.value(self.W, self.H)}

    def arrays(self) -> dict[str, Array]:
        """Return H as components, W as embedding."""
        return {"components": self.H, "embedding": self.W}


class AcceleratedDivergence(Solver):
    """Coordinate steps that cannot raise D, with extrapolation and restart as in `AcceleratedSolver`."""

    def __init__(self, misfit: Misfit, H: Array, W: Array) -> None:
        self.misfit = misfit
        self.H, self.W = np.array(H, order="C"), np.array(W.T, order="C")
        self._before, self._onset = self.H.copy(), self.W.copy()
        self._reach, self._ceiling, self._plain = FIRST_REACH, 1.0, True
        self._value = misfit.value(self.W.T, self.H)

    def step(self) -> None:
        """Improve the parts, go beyond, improve the embedding; keep it all only if D is no higher."""
        parts, W = self.H.copy(), self._onset.copy()
        self.misfit.step_parts(parts, self._onset)
        beyond = parts if self._plain else _beyond(parts, self._before, self._reach)
        self.misfit.step_embedding(W, beyond)
        value = self.misfit.value(W.T, beyond)
        if value > self._value:
            # The next step starts from what is shown, without momentum, and cannot rise from there.
            self._onset, self._before, self._plain = self.W.copy(), self.H.copy(), True
            self._ceiling, self._reach = self._reach, self._reach / CUT
            return
        self._value = value
        self._onset = _beyond(W, self.W, self._reach)
        self.W, self.H, self._before = W, beyond, parts
        self._normalise()
        if not self._plain:
            self._reach = min(self._ceiling, GROWTH * self._reach)
            self._ceiling = min(1.0, CEILING_GROWTH * self._ceiling)
        self._plain = False

    def terms(self) -> dict[str, float]:
        """Return the divergence."""
        return {"divergence": self._value}

    def arrays(self) -> dict[str, Array]:
        """Return H as components, W as embedding."""
        return {"components": self.H, "embedding": self.W.T}

    def _normalise(self) -> None:
        """Give parts length 1, which leaves WH as it is."""
        norms = np.linalg.norm(self.H, axis=1)[:, None]
        norms[norms == 0] = 1
        self.H, self._before = self.H / norms, self._before / norms
        self.W, self._onset = self.W * norms, self._onset * norms


def _beyond(new: Array, old: Array, reach: float) -> Array:
    return np.asarray(np.maximum(new + new.dtype.type(reach) * (new - old), 0))


def _safe(numerator: Array, denominator: Array) -> Array:
    # A part that nobody uses stays as it is.
    return np.divide(numerator, denominator, out=np.ones_like(numerator), where=denominator > 0)


def _total(W: Array, H: Array) -> float:
    return float(W.sum(axis=0, dtype=np.float64) @ H.sum(axis=1, dtype=np.float64))


def _blocks(n: int) -> list[slice]:
    return [slice(first, min(first + _ROWS_AT_ONCE, n)) for first in range(0, n, _ROWS_AT_ONCE)]
