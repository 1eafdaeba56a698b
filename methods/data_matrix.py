"""The data seen through products alone: dense, sparse and implicit matrices run through the same code."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from methods.checks import is_operator
from methods.typing import Array, is_sparse

_BLOCK = 256


class DataMatrix:
    """X (samples × features) as the factorizations need it: WᵀX, XHᵀ and ‖X‖²."""

    def __init__(self, X: Any) -> None:
        self.X = X
        self.shape: tuple[int, int] = X.shape
        self.dtype = np.dtype(X.dtype)
        self._dense = isinstance(X, np.ndarray)
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

    @cached_property
    def squared_norm(self) -> float:
        """‖X‖², summed in double precision."""
        if is_operator(self.X):
            return self._squared_norm_by_products()
        values = self.X.data if is_sparse(self.X) else self.X
        if values.flags.c_contiguous:
            values = values.reshape(-1)
            return float(sum(_dot(values[i : i + 2**20]) for i in range(0, values.size, 2**20)))
        return float(np.square(values, dtype=np.float64).sum())

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


def _dot(block: Array) -> float:
    block = block.astype(np.float64, copy=False)
    return float(block @ block)
