"""Data matrices accessed by products alone: dense, sparse and implicit matrices run through the same code."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from methods.checks import is_operator
from methods.typing import Array, Codes, is_sparse

_BLOCK = 256
_ENTRIES_AT_ONCE = 2**20
# A difference of sums is trusted while it is this many times what rounding may do to the sums: 1e-4 of ‖X‖²
# in single precision, 2e-13 in double.
_TRUSTED = 1000


class DataMatrix:
    """X (samples × features) as the factorizations need it: WᵀX, XHᵀ, ‖X‖² and ‖X − WH‖²."""

    # Whether entries are unknown, so that products are with X filled in from a model.
    incomplete = False
    # Whether errors have become so small that only a pass over the data tells them.
    measured_directly = False

    def __init__(self, X: Any) -> None:
        self.X = X
        self.shape: tuple[int, int] = X.shape
        self.dtype = np.dtype(X.dtype)
        self._dense = isinstance(X, np.ndarray)
        # How many entries of sparse data are stored.
        self.stored: int | None = int(X.nnz) if is_sparse(X) else None
        # The transpose of a CSR matrix is a CSC view: no copy, and fast from this side.
        self._transposed = X.T if is_sparse(X) else None

    def weighted_rows(self, W: Array, out: Array) -> Array:
        """Write WᵀX (k × features) into `out`."""
        if self._dense:
            np.matmul(W.T, self.X, out=out)
            return out
        product = self.X.rmatmat(W) if self._transposed is None else self._transposed @ W
        out[...] = product.T
        return out

    def scores(self, H: Array, out: Array) -> Array:
        """Write XHᵀ (samples × k) into `out`."""
        if self._dense:
            np.matmul(self.X, H.T, out=out)
            return out
        out[...] = self.X @ H.T if self._transposed is not None else self.X.matmat(H.T)
        return out

    def observed_rows(self) -> Array:
        """Return for each row whether anything is known of it."""
        return np.ones(self.shape[0], bool)

    def distances(self, rows: Codes, others: Codes) -> Array:
        """Return the distances between rows over what both have."""
        raise NotImplementedError  # of complete data they are measured faster from the rows themselves

    def fill(self, W: Array, H: Array) -> None:
        """Fill in what is unknown from the model WH: here everything is known."""

    def squared_error(
        self, W: Array, H: Array, scores: Array, grams: tuple[Array, Array], factor: Array | None = None
    ) -> float:
        """Return ‖X − WH‖² from products at hand, without a pass over X: XHᵀ, WᵀW and HHᵀ.

        With `factor` = H the product is WᵀX, which tells the same. Once that is mostly rounding, the error is
        measured directly, then and ever after. Data with unknown entries are filled in from this model
        afterwards.
        """
        if not self.measured_directly:
            error = error_of_products(self.squared_norm, scores, W if factor is None else factor, grams)
            trusted = float(np.finfo(self.dtype).eps) * _TRUSTED * self.squared_norm
            if not error < trusted or is_operator(self.X):
                return error
            self.measured_directly = True
        return self.residual(W, H)

    @cached_property
    def squared_norm(self) -> float:
        """‖X‖², summed in double precision."""
        return self._sum_of_squares()

    def _sum_of_squares(self) -> float:
        if is_operator(self.X):
            return self._squared_norm_by_products()
        values = self.X.data if is_sparse(self.X) else self.X
        if values.flags.c_contiguous:
            values = values.reshape(-1)
            return float(sum(_dot(values[i : i + 2**20]) for i in range(0, values.size, 2**20)))
        return float(np.square(values, dtype=np.float64).sum())

    def residual(self, W: Array, H: Array) -> float:
        """Return ‖X − WH‖², a block of rows at a time: a pass over the data, and right to the last digits."""
        total = 0.0
        rows = max(1, _ENTRIES_AT_ONCE // max(1, self.shape[1]))
        for first in range(0, self.shape[0], rows):
            block = slice(first, first + rows)
            missed = dense_rows(self.X, block) - W[block] @ H
            total += _dot(np.ascontiguousarray(missed).reshape(-1))
        return total

    @cached_property
    def mean(self) -> float:
        """The mean entry, zeros included."""
        ones = np.ones((self.shape[0], 1), self.dtype)
        total = self.weighted_rows(ones, np.empty((1, self.shape[1]), self.dtype)).sum(dtype=np.float64)
        return float(total / (self.shape[0] * self.shape[1]))

    def _squared_norm_by_products(self) -> float:
        total = 0.0
        for first in range(0, self.shape[1], _BLOCK):
            width = min(_BLOCK, self.shape[1] - first)
            columns = self.X.matmat(np.eye(self.shape[1], width, -first, dtype=self.dtype))
            total += float(np.square(columns, dtype=np.float64).sum())
        return total


def dense_rows(X: Any, rows: Any) -> Array:
    """Return some rows of X in full, whatever form it has."""
    if is_operator(X):
        chosen = np.eye(X.shape[0], dtype=X.dtype)[:, rows]
        return np.ascontiguousarray(X.rmatmat(chosen).T)
    return np.asarray(X[rows].toarray() if is_sparse(X) else X[rows])


def error_of_products(squared_norm: float, scores: Array, W: Array, grams: tuple[Array, Array]) -> float:
    """Return ‖X‖² − 2⟨XHᵀ, W⟩ + ⟨WᵀW, HHᵀ⟩, that is ‖X − WH‖², in double precision."""
    from methods.hals_kernels import overlap  # numba takes long to load

    if not scores.flags.c_contiguous:
        scores, W = scores.T, W.T
    shared = overlap(np.ascontiguousarray(scores), np.ascontiguousarray(W))
    modelled = np.multiply(*grams).sum(dtype=np.float64)
    error = float(squared_norm - 2 * shared + modelled)
    # Rounding may leave a hair less than nothing; NaN must stay NaN, since it ends the run.
    return 0.0 if error < 0 else error


def _dot(block: Array) -> float:
    block = block.astype(np.float64, copy=False)
    return float(block @ block)
