"""Data of which some entries are unknown, or count less than others.

    Σ_ij w_ij (X − WH)²_ij ,   0 ≤ w ≤ 1 (1: known, 0: unknown)

is never above ‖X̂ − WH‖² + constant with X̂ = w∘X + (1 − w)∘Z, and equal to it at WH = Z. A solver that
lowers the right-hand side, filled in from its present model Z, therefore lowers the left-hand side: what is
monotone on complete data is monotone on these (Zhang, Wang, Ford and Makedon, SDM 2006). With w = 1 nothing
changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from methods.checks import is_operator
from methods.data_matrix import DataMatrix
from methods.typing import Array, Codes, is_sparse

# Rows whose model is worked out together, and entries where only those are.
_NUMBERS_AT_ONCE = 2**20
_ROWS_AT_ONCE = 256
_NO_SPARSE_MASK = "mask cannot be given for sparse X: store NaN in X wherever an entry is unknown."


class IncompleteMatrix(DataMatrix):
    """Dense X with a weight for each entry; products are with X̂, filled in from the model shown last."""

    incomplete = True

    def __init__(self, X: Array, weights: Array) -> None:
        self.weights = weights.astype(X.dtype, copy=False)
        self.entries = np.where(self.weights > 0, X, X.dtype.type(0))
        filled = self.entries * self.weights
        # Before there is a model: what the column is like where it is known.
        means = filled.sum(axis=0) / np.maximum(self.weights.sum(axis=0), np.finfo(X.dtype).tiny)
        self._missing = 1 - self.weights
        filled += self._missing * means
        super().__init__(filled)

    def fill(self, W: Array, H: Array) -> None:
        """Fill in what is unknown from the model WH."""
        self._refill(W, H)

    def squared_error(
        self, W: Array, H: Array, scores: Array, grams: tuple[Array, Array], factor: Array | None = None
    ) -> float:
        """Return Σ w(X − WH)² in double precision; X is filled in from that model afterwards."""
        return self._refill(W, H)

    def observed_rows(self) -> Array:
        """Return for each row whether anything is known of it."""
        return np.asarray(self.weights.any(axis=1))

    def _refill(self, W: Array, H: Array) -> float:
        total, rows = 0.0, max(1, _NUMBERS_AT_ONCE // self.shape[1])
        for first in range(0, self.shape[0], rows):
            part = slice(first, first + rows)
            model = np.asarray(W[part] @ H)
            left = self.entries[part] - model
            left *= self.weights[part]
            # w(X − Z) + Z = wX + (1 − w)Z
            np.add(model, left, out=self.X[part])
            left *= self.entries[part] - model
            total += float(left.sum(dtype=np.float64))
        return total

    def _sum_of_squares(self) -> float:
        return float(np.einsum("ij,ij,ij->", self.weights, self.entries, self.entries, dtype=np.float64))

    def distances(self, rows: Codes, others: Codes) -> Array:
        """Return the distances between rows over what both have, as if the rest were alike.

        Σ w_a w_b (a − b)² · m / Σ w_a w_b; infinite where two rows have nothing in common.
        """
        a, b = self.entries[rows].astype(np.float64), self.entries[others].astype(np.float64)
        v, w = self.weights[rows].astype(np.float64), self.weights[others].astype(np.float64)
        apart = (v * a * a) @ w.T - 2 * (v * a) @ (w * b).T + v @ (w * b * b).T
        return _root_mean(apart, v @ w.T, self.shape[1])


class IncompleteSparse(DataMatrix):
    """Sparse X that stores NaN wherever an entry is unknown; what is not stored is known to be zero."""

    incomplete = True

    def __init__(self, X: Any) -> None:
        filled = X.tocsr(copy=True)
        self._holes = np.flatnonzero(np.isnan(filled.data))
        self._columns = filled.indices[self._holes]
        self._rows = np.searchsorted(filled.indptr, self._holes, side="right") - 1
        filled.data[self._holes] = 0
        n, m = filled.shape
        self._lacking = type(filled)(
            (np.ones(self._holes.size), (self._rows, self._columns)), shape=filled.shape
        )
        self._entries = filled.copy()
        present = n - np.bincount(self._columns, minlength=m)
        means = np.asarray(filled.sum(axis=0)).ravel() / np.maximum(present, 1)
        filled.data[self._holes] = means[self._columns]
        super().__init__(filled)

    def fill(self, W: Array, H: Array) -> None:
        """Fill in what is unknown from the model WH."""
        self.X.data[self._holes] = self._modelled(W, H)

    def squared_error(
        self, W: Array, H: Array, scores: Array, grams: tuple[Array, Array], factor: Array | None = None
    ) -> float:
        """Return the error over what is known, from products at hand; X is then filled in from that model."""
        whole = self._filled_error(W if factor is None else factor, scores, grams)
        before = self.X.data[self._holes].astype(np.float64)
        self.fill(W, H)
        return max(0.0, whole - float(np.square(before - self.X.data[self._holes]).sum()))

    def _sum_of_squares(self) -> float:
        entries = self._entries.data.astype(np.float64)
        return float(entries @ entries)

    def distances(self, rows: Codes, others: Codes) -> Array:
        """Return the distances between rows over what both have, as if the rest were alike."""
        a, b = self._entries[rows], self._entries[others]
        v, w = self._lacking[rows], self._lacking[others]
        squares_a, squares_b = a.multiply(a).tocsr(), b.multiply(b).tocsr()
        lengths_a, lengths_b = squares_a.sum(axis=1), squares_b.sum(axis=1)
        apart = np.add.outer(np.ravel(lengths_a), np.ravel(lengths_b)) - 2 * (a @ b.T).toarray()
        apart -= (squares_a @ w.T).toarray() + (v @ squares_b.T).toarray()
        shared = (v @ w.T).toarray() - np.add.outer(np.ravel(v.sum(axis=1)), np.ravel(w.sum(axis=1)))
        return _root_mean(apart, shared + self.shape[1], self.shape[1])

    def observed_rows(self) -> Array:
        """Return for each row whether anything is known of it."""
        return np.asarray(np.ravel(self._lacking.sum(axis=1)) < self.shape[1])

    def _filled_error(self, W: Array, scores: Array, grams: tuple[Array, Array]) -> float:
        filled = self.X.data.astype(np.float64)
        overlap = np.multiply(scores, W).sum(dtype=np.float64)
        modelled = np.multiply(*grams).sum(dtype=np.float64)
        return float(filled @ filled - 2 * overlap + modelled)

    def _modelled(self, W: Array, H: Array) -> Array:
        model = np.empty(self._holes.size, W.dtype)
        step = max(1, _NUMBERS_AT_ONCE // len(H))
        for first in range(0, model.size, step):
            part = slice(first, first + step)
            model[part] = np.einsum("ek,ek->e", W[self._rows[part]], H.T[self._columns[part]])
        return model


def has_holes(X: Any) -> bool:
    """Return whether NaN marks entries of X as unknown."""
    return not is_operator(X) and bool(np.isnan(X.data if is_sparse(X) else X).any())


def data_matrix(X: Any, mask: Any = None, *, name: str = "X", empty_rows: bool = False) -> DataMatrix:
    """Return checked data as the solvers see them; NaN and entries of `mask` below 1 make them incomplete.

    `mask` has the shape of X and says how much each entry counts, from 0 (unknown) to 1. A row of which
    nothing is known is refused unless `empty_rows`.
    """
    if is_operator(X):
        if mask is not None:
            raise ValueError("mask needs the entries of X, which products with X alone do not give.")
        return DataMatrix(X)
    if is_sparse(X):
        if mask is not None:
            raise ValueError(_NO_SPARSE_MASK)
        if not has_holes(X):
            return DataMatrix(X)
        holes = X.astype(np.float64)
        holes.data = np.isnan(holes.data).astype(np.float64)
        n, m = X.shape
        if not empty_rows:
            _refuse_empty("row", m - np.ravel(holes.sum(axis=1)), name)
        _refuse_empty("column", n - np.ravel(holes.sum(axis=0)), name)
        return IncompleteSparse(X)
    weights = entry_weights(X, mask, name=name)
    if weights is None:
        return DataMatrix(X)
    if not empty_rows:
        _refuse_empty("row", weights.sum(axis=1), name)
    _refuse_empty("column", weights.sum(axis=0), name)
    return IncompleteMatrix(X, weights)


def entry_weights(X: Array, mask: Any, *, name: str = "X") -> Array | None:
    """Return how much each entry of dense X counts, 0 where it is NaN; None where all count in full."""
    unknown = np.isnan(X)
    if mask is None:
        return None if not unknown.any() else (~unknown).astype(X.dtype)
    weights = np.array(mask, dtype=X.dtype)
    if weights.shape != X.shape:
        raise ValueError(
            f"mask has shape {weights.shape}, but {name} has {X.shape}: give one number an entry."
        )
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ValueError(
            "mask must hold numbers from 0 (unknown) to 1 (known): divide larger weights by the largest."
        )
    weights[unknown] = 0
    return None if (weights == 1).all() else weights


def codes_of_incomplete(
    H: Array,
    X: Any,
    mask: Any,
    whole: Callable[[Any], Array],
    apart: Callable[[Array, Array], Array],
) -> Array:
    """Return the codes of rows in terms of the parts H, each over what is known of it.

    Complete rows are coded together by `whole(rows)`; rows with the same holes by `apart(parts, rows)`, where
    both hold only what counts, by the root of how much it does.
    """
    if is_operator(X) or (is_sparse(X) and mask is None and not has_holes(X)):
        return whole(X)
    if is_sparse(X):
        if mask is not None:
            raise ValueError(
                "mask cannot be given for sparse X: store NaN in X wherever an entry is unknown."
            )
        blocks = [slice(first, first + _ROWS_AT_ONCE) for first in range(0, X.shape[0], _ROWS_AT_ONCE)]
        codes_by_block = [codes_of_incomplete(H, X.tocsr()[b].toarray(), None, whole, apart) for b in blocks]
        return np.concatenate(codes_by_block)
    weights = entry_weights(X, mask)
    if weights is None:
        return whole(X)
    _refuse_empty("row", weights.sum(axis=1), "X")
    patterns, pattern_of = np.unique(weights, axis=0, return_inverse=True)
    pattern_of = pattern_of.reshape(-1)
    codes: Array = np.empty((X.shape[0], H.shape[0]), np.result_type(H.dtype, X.dtype))
    for number, weight in enumerate(patterns):
        rows = np.flatnonzero(pattern_of == number)
        if (weight == 1).all():
            codes[rows] = whole(X[rows])
            continue
        counts = weight > 0
        root = np.sqrt(weight[counts])
        codes[rows] = apart(H[:, counts] * root, X[np.ix_(rows, counts)] * root)
    return codes


def _refuse_empty(what: str, weights: Array, name: str) -> None:
    empty = np.flatnonzero(weights <= 0)
    if empty.size:
        listed = ", ".join(str(index) for index in empty[:5])
        more = f" and {empty.size - 5} more" if empty.size > 5 else ""
        several = empty.size > 1
        raise ValueError(
            f"Nothing is known of {what}{'s' if several else ''} {listed}{more} of {name}: "
            f"leave {'them' if several else 'it'} out, or give at least one entry."
        )


def _root_mean(apart: Array, shared: Array, m: int) -> Array:
    mean: Array = np.divide(apart, shared, out=np.full(apart.shape, np.inf), where=shared > 1e-9)
    return np.asarray(np.sqrt(np.maximum(mean, 0) * m))
