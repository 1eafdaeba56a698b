"""Eigen-problems of the projections, always in double precision: principal axes, and ratios of scatters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from methods.subspace.sparse_rows import CentredRows, ProjectedRows, RowMixtures
from methods.typing import Array, is_sparse

_EPS = float(np.finfo(np.float64).eps)
_ALL_THE_SAME = "The {} (n_samples={}) are all the same: give some that differ."


@dataclass(frozen=True)
class Axes:
    """Principal axes of some rows, most variance first: orthonormal rows of `basis`.

    The first `rank` axes span everything in which the rows differ. `scale` divides coordinates, so that
    squares of very large or very small entries can still be held.
    """

    mean: Array
    scale: float
    basis: Array
    rank: int
    # Orthonormal to all axes: directions in which the rows do not differ.
    beyond: Array | None = None

    def coordinates(self, X: Array) -> Array:
        """Return rows in coordinates along the axes."""
        return np.asarray(((X.astype(np.float64) - self.mean) / self.scale) @ self.basis.T)

    def first(self, most: int) -> Axes:
        """Return the first axes, at most `most`, and only those along which the rows differ."""
        count = min(most, self.rank)
        return Axes(self.mean, self.scale, self.basis[:count], count, self.basis[self.rank :])

    def directions(self, coordinates: Array) -> Array:
        """Return what coordinates along the axes stand for."""
        return np.asarray(coordinates @ self.basis)

    def along(self, directions: Array) -> Array:
        """Return the coordinates of directions along the axes."""
        return np.asarray(directions @ self.basis.T)

    def completed(self, directions: Array, k: int) -> Array:
        """Return k orthonormal directions: those given, and behind all axes some in which no rows differ."""
        rest = self.basis[:0] if self.beyond is None else self.beyond
        return np.vstack([directions, rest[: max(0, k - len(directions))]])


def principal_axes(X: Array, called: str = "rows of X") -> Axes:
    """Return the min(n, m) principal axes of rows, from the smaller of the two Gram matrices.

    O(n·m·min(n, m) + min(n, m)³). Rows that are all the same have no axes and are refused.
    """
    rows = X.astype(np.float64)
    mean = rows.mean(axis=0)
    rows -= mean
    scale = float(np.abs(rows).max(initial=0.0))
    n, m = rows.shape
    if scale <= np.abs(mean).max(initial=0.0) * 4 * _EPS:
        raise ValueError(_ALL_THE_SAME.format(called, n))
    rows /= scale
    if m <= n:
        values, vectors = linalg.eigh(rows.T @ rows, driver="evd")
        basis: Array = vectors[:, ::-1].T
    else:
        values, vectors = linalg.eigh(rows @ rows.T, driver="evd")
        # QR makes the axes orthonormal to the last digit, and completes them where the rank ends.
        basis = linalg.qr(rows.T @ vectors[:, ::-1], mode="economic")[0].T
    rank = int((values > values[-1] * max(n, m) * _EPS).sum())
    return Axes(mean, scale, np.ascontiguousarray(basis), rank)


def span(X: Any, most: int) -> tuple[Axes | RowMixtures, Array | ProjectedRows]:
    """Return at most `most` principal axes of rows, sparse or not, and the coordinates of the rows."""
    if is_sparse(X):
        return _sparse_span(CentredRows(X), most)
    axes = principal_axes(X).first(most)
    return axes, axes.coordinates(X)


def _sparse_span(rows: CentredRows, most: int) -> tuple[Axes | RowMixtures, Array | ProjectedRows]:
    n, m = rows.shape
    if rows.all_the_same:
        raise ValueError(_ALL_THE_SAME.format("rows of X", n))
    # The transpose is in the order of LAPACK, which then needs no copy.
    values, vectors = linalg.eigh(rows.gram().T, driver="evd", overwrite_a=True, check_finite=False)
    rank = int((values > rows.rounding(values[-1])).sum())
    if m <= n:
        axes = Axes(rows.mean, rows.scale, np.ascontiguousarray(vectors[:, ::-1].T), rank).first(most)
        return axes, ProjectedRows(rows.rows, rows.centre, axes.basis)
    squares = values[::-1][: min(most, rank)]
    coordinates = np.multiply(vectors[:, ::-1][:, : squares.size], np.sqrt(squares), order="C")
    return RowMixtures(rows, coordinates, squares), coordinates


def best_ratios(apart: Array, together: Array, ridge: float, k: int) -> tuple[Array, Array]:
    """Return the k directions w (rows) with the largest ‖F w‖² / wᵀ(A + rI)w, and every such ratio.

    F is `apart` (f × d), A is `together` (d × d), r = `ridge` times the mean of A's diagonal. Directions
    satisfy W(A + rI)Wᵀ = I. One Cholesky factor and one thin SVD: O(d³/3 + d²·f + d·f·min(d, f)).
    """
    d = together.shape[0]
    # A may vanish (samples of a class all alike); then the ridge is measured against F, as in the limit.
    size = max(float(np.trace(together)), _EPS * float(np.square(apart).sum())) / d
    factor = _cholesky(together + ridge * size * np.eye(d), ridge)
    whitened: Array = linalg.solve_triangular(factor, apart.T, lower=True)
    # Directions beyond the rank of F have ratio zero; columns of zeros let the SVD supply them too.
    padded = np.hstack([whitened, np.zeros((d, max(0, k - whitened.shape[1])))])
    left, values, _ = linalg.svd(padded, full_matrices=False)
    directions = linalg.solve_triangular(factor, left[:, :k], lower=True, trans="T").T
    return np.ascontiguousarray(directions), np.square(values)


def _cholesky(A: Array, ridge: float) -> Array:
    message = (
        f"ridge={ridge:g} leaves directions in which nothing tells how close samples should be "
        "(a singular scatter): use a larger ridge, such as 0.01, or a smaller pca_components."
    )
    try:
        factor = np.asarray(linalg.cholesky(A, lower=True))
    except linalg.LinAlgError:
        raise ValueError(message) from None
    pivots = np.square(np.diagonal(factor))
    if pivots.min() <= len(A) * _EPS * pivots.max():
        raise ValueError(message)
    return factor
