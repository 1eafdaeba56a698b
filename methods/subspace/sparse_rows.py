"""Sparse rows around their mean, which is never taken from each entry: products, and what they span."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, sparse

from methods.sparse_products import products
from methods.typing import Array, Codes, Graph

_EPS = float(np.finfo(np.float64).eps)


class CentredRows:
    """(X − 1μᵀ) / scale of sparse X, in double precision, by products alone.

    `scale` is the largest entry of X − 1μᵀ, so that squares of very large or small entries can be held.
    """

    def __init__(self, X: Any) -> None:
        rows = sparse.csr_array(X.astype(np.float64))
        rows.sum_duplicates()
        self.shape: tuple[int, int] = rows.shape
        self.mean = np.asarray(rows.mean(axis=0)).reshape(-1)
        above, below = rows.max(axis=0).toarray().ravel(), rows.min(axis=0).toarray().ravel()
        self.scale = float(np.maximum(above - self.mean, self.mean - below).max(initial=0.0))
        self.all_the_same = self.scale <= np.abs(self.mean).max(initial=0.0) * 4 * _EPS
        unit = self.scale or 1.0
        rows.data /= unit
        self.rows, self.centre = rows, self.mean / unit

    def right(self, V: Array) -> Array:
        """Return the product with V (features × k)."""
        return np.asarray(self.rows @ V - self.centre @ V)

    def left(self, U: Array) -> Array:
        """Return the product of the transpose with U (samples × k)."""
        return np.asarray(self.rows.T @ U - np.multiply.outer(self.centre, U.sum(axis=0)))

    def squared_norm(self) -> float:
        """Return the sum of the squares of all entries."""
        return max(0.0, float(self.rows.data @ self.rows.data - self._offset))

    def gram(self) -> Array:
        """Return the smaller Gram matrix: over the features, or over the samples if these are fewer."""
        n, m = self.shape
        if n >= m:
            gram = products(self.rows.T.tocsr(), self.rows)
            gram -= n * np.multiply.outer(self.centre, self.centre)
            return gram
        gram = products(self.rows, self.rows.T.tocsr())
        shares = self.rows @ self.centre
        gram -= shares[:, None]
        gram -= shares - self.centre @ self.centre
        return gram

    def rounding(self, largest: float) -> float:
        """Return up to where eigenvalues of the Gram matrix, the largest given, may be rounding alone."""
        return max(self.shape) * _EPS * (largest + self._offset)

    @property
    def _offset(self) -> float:
        return float(self.shape[0] * (self.centre @ self.centre))


class ProjectedRows:
    """The coordinates Z = (X − 1μᵀ)Bᵀ of many sparse rows along few axes, which are never held in full."""

    def __init__(self, rows: Graph, centre: Array, basis: Array) -> None:
        self.rows, self.centre, self.basis = rows, centre, basis

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def __getitem__(self, index: Any) -> ProjectedRows:
        return ProjectedRows(self.rows[index], self.centre, self.basis)

    def combined(self, weights: Graph) -> Array:
        """Return WZ for few combinations of rows, one a row of W."""
        totals = np.asarray(weights.sum(axis=1)).reshape(-1, 1)
        return np.asarray((weights @ self.rows) @ self.basis.T - totals * (self.basis @ self.centre))

    def scatter(self, weights: Graph) -> Array:
        """Return ZᵀSZ for symmetric S between samples."""
        n, m = self.rows.shape
        inner = np.zeros((m, m))
        for first in range(0, n, m):
            part = slice(first, first + m)
            inner += self.rows[part].T @ (weights[part] @ self.rows).toarray()
        totals = np.asarray(weights.sum(axis=1)).reshape(-1)
        crossed = np.multiply.outer(self.centre, self.rows.T @ totals)
        inner += totals.sum() * np.multiply.outer(self.centre, self.centre) - crossed - crossed.T
        return np.asarray(self.basis @ inner @ self.basis.T)

    def class_means(self, codes: Codes) -> Array:
        """Return the mean of each class, every row having one."""
        members = (np.ones(codes.size), (codes, np.arange(codes.size)))
        return self.combined(sparse.csr_array(members)) / np.bincount(codes)[:, None]


class RowMixtures:
    """Principal axes of fewer sparse rows than features, as `Axes` are those of dense rows.

    The axes themselves would be as many as the rows and longer: what lies along them is a mixture of rows.
    """

    def __init__(self, rows: CentredRows, coordinates: Array, squares: Array) -> None:
        self._rows, self._coordinates, self._squares = rows, coordinates, squares
        self.mean, self.scale, self.rank = rows.mean, rows.scale, squares.size

    def directions(self, coordinates: Array) -> Array:
        """Return what coordinates along the axes stand for."""
        return self._rows.left(self._coordinates @ (coordinates / self._squares).T).T

    def along(self, directions: Array) -> Array:
        """Return the coordinates of directions along the axes."""
        return np.asarray(self._rows.right(directions.T).T @ self._coordinates / self._squares)

    def completed(self, directions: Array, k: int) -> Array:
        """Return k orthonormal directions: those given, and behind all axes some in which no rows differ."""
        missing = k - len(directions)
        if missing <= 0:
            return directions
        others: Array = np.random.RandomState(0).standard_normal((missing, directions.shape[1]))
        for _ in range(2):
            others = others - (others @ directions.T) @ directions
            others = linalg.qr(others.T, mode="economic")[0].T
        return np.vstack([directions, others])
