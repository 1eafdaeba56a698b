"""Principal axes of one view, for CCA and co-training; a sparse view is never made dense."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, svds

from methods.checks import is_operator
from methods.spec import Param
from methods.typing import Array, is_sparse

_EPS = float(np.finfo(np.float64).eps)
# Up to this size the smaller Gram matrix is taken apart whole; beyond it only the leading axes are sought.
_WHOLE = 1500

PCA_COMPONENTS = Param(
    "pca_components",
    "int",
    50,
    "How many principal axes of each view are kept at most; the rest counts as noise.",
    least=1,
    low=1,
    high=200,
    paper="PCA first; how many is not stated",
    words="Axes kept of each view",
)


@dataclass(frozen=True)
class View:
    """The leading principal axes of a view, and the coordinates of its rows along them (all float64).

    `lengths` are singular values, largest first, so `scores` has columns of these lengths.
    """

    mean: Array
    basis: Array
    lengths: Array
    scores: Array


def principal_view(X: Any, most: int, name: str) -> View:
    """Return at most `most` principal axes of the rows of X, and only those along which the rows differ."""
    if is_operator(X):
        raise ValueError(f"View {name!r} offers products alone; its principal axes need a matrix.")
    n, m = X.shape
    X = X.astype(np.float64)
    mean = np.asarray(X.mean(axis=0)).reshape(-1)
    if min(n, m) <= _WHOLE:
        squares, axes = _whole(X, mean)
    else:
        squares, axes = _leading(X, mean, min(most, min(n, m) - 1))
    # What rounding leaves of nothing, in a Gram matrix made of entries of the size of the mean.
    noise = max(n, m) * _EPS * (squares[0] + n * float(mean @ mean))
    n_axes = min(most, int((squares > noise).sum()))
    if not n_axes:
        raise ValueError(f"View {name!r} has rows that are all the same (n_samples={n}, n_features={m}).")
    basis = axes[:, :n_axes] if axes.shape[0] == m else _crossed(X, mean, axes[:, :n_axes])
    scores = np.asarray(X @ basis) - mean @ basis
    return View(mean, np.ascontiguousarray(basis.T), np.sqrt(np.square(scores).sum(axis=0)), scores)


def _whole(X: Any, mean: Array) -> tuple[Array, Array]:
    """Return squared singular values, largest first, and the vectors of the smaller side."""
    n, m = X.shape
    if is_sparse(X):
        gram = (X @ X.T if n < m else X.T @ X).toarray()
        if n < m:
            gram += gram.mean() - gram.mean(axis=0) - gram.mean(axis=1)[:, None]
        else:
            gram -= n * np.multiply.outer(mean, mean)
    else:
        centred = X - mean
        gram = centred @ centred.T if n < m else centred.T @ centred
    values, vectors = linalg.eigh(gram)
    return values[::-1], vectors[:, ::-1]


def _leading(X: Any, mean: Array, most: int) -> tuple[Array, Array]:
    """Return the leading squared singular values and right vectors, from products with X alone."""
    n, m = X.shape
    centred = LinearOperator(
        (n, m),
        matvec=lambda v: X @ v - mean @ v,
        rmatvec=lambda u: X.T @ u - mean * u.sum(),
        matmat=lambda V: X @ V - mean @ V,
        rmatmat=lambda U: X.T @ U - np.multiply.outer(mean, U.sum(axis=0)),
        dtype=np.float64,
    )
    # A fixed start, so that the same data give the same axes.
    first = np.random.default_rng(0).standard_normal(min(n, m))
    _, lengths, right = svds(centred, k=most, v0=first)
    order = np.argsort(-lengths)
    return np.square(lengths[order]), right[order].T


def _crossed(X: Any, mean: Array, left: Array) -> Array:
    """Return unit right vectors that belong to left singular vectors."""
    right = np.asarray(X.T @ left) - np.multiply.outer(mean, left.sum(axis=0))
    return np.asarray(linalg.qr(right, mode="economic")[0])
