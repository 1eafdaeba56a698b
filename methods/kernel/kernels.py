"""Kernels between rows, their square root, and the features that a kernel factorization gives unseen rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import linalg
from sklearn.metrics.pairwise import euclidean_distances

from methods.checks import is_operator
from methods.spec import Param
from methods.typing import Array, is_sparse

_LEAST_WIDTH, _LARGEST_WIDTH = 0.3, 10.0
_BLOCK = 256


class Kernel(Protocol):
    """A function of two rows, worked out for all pairs at once."""

    def __call__(self, X: Any, Z: Any) -> Array:
        """Return the matrix of k(x, z) in double precision, a row for each x."""


@dataclass(frozen=True)
class Gaussian:
    """k(x, z) = exp(−‖x − z‖² / 2σ²)."""

    width: float

    def __call__(self, X: Any, Z: Any) -> Array:
        """Return the kernel between all rows of X and all rows of Z."""
        squared = _squared_distances(X, Z)
        squared *= -0.5 / self.width**2
        return np.asarray(np.exp(squared, out=squared))


@dataclass(frozen=True)
class Polynomial:
    """k(x, z) = ⟨x, z⟩ᵈ."""

    degree: float

    def __call__(self, X: Any, Z: Any) -> Array:
        """Return the kernel between all rows of X and all rows of Z."""
        product = _double(X) @ _double(Z).T
        product = product.toarray() if is_sparse(product) else np.asarray(product)
        return np.asarray(product**self.degree)


SIGMA = Param(
    "sigma",
    "float",
    1.0,
    "How far likeness reaches, in median distances between samples: small keeps only near twins alike.",
    symbol="σ",
    least=_LEAST_WIDTH,
    low=0.5,
    high=4.0,
    scale="log",
    paper="by cross-validation",
)
DEGREE = Param(
    "degree",
    "float",
    2.0,
    "The power the inner products are raised to: 1 is plain NMF's linear world, more bends it.",
    symbol="d",
    least=1.0,
    low=1.0,
    high=6.0,
    paper="by cross-validation",
)
FEATURES = Param(
    "features",
    "choice",
    "lstsq",
    "Features of rows: the true least-squares coefficients, or the formula as the paper prints it.",
    choices=("lstsq", "printed"),
    paper="printed",
    advanced=True,
)


def check_sigma(sigma: Any) -> None:
    """Refuse a width at which the Gaussian kernel says nothing about the samples."""
    SIGMA.but(least=None).check(sigma)
    if _LEAST_WIDTH <= sigma <= _LARGEST_WIDTH:
        return
    harm = (
        "so narrow a kernel finds no two samples alike, and recognition falls to chance"
        if sigma < _LEAST_WIDTH
        else "so wide a kernel finds all samples alike: K is singular to working precision"
    )
    raise ValueError(
        f"sigma={sigma!r} is outside what works: {harm}. Choose between {_LEAST_WIDTH:g} and "
        f"{_LARGEST_WIDTH:g} (in median pairwise distances; 0.5 to 4 is the usual range)."
    )


def check_degree(degree: Any) -> None:
    """Refuse a power at which the kernel is no inner product any more."""
    DEGREE.but(least=None).check(degree)
    if degree < 1:
        raise ValueError(
            f"degree={degree!r} is too small: below 1 the polynomial kernel is indefinite, so there is no "
            "space in which it is an inner product. Choose 1 or more."
        )


def median_distance(X: Any) -> float:
    """Return the median distance between different samples (1 when all are the same)."""
    squared = _squared_distances(X, X)
    apart = squared[np.triu_indices_from(squared, 1)]
    apart = apart[apart > 0]
    return float(np.median(np.sqrt(apart))) if apart.size else 1.0


def refuse_operator(name: str, X: Any) -> None:
    """Say that a kernel needs the rows themselves."""
    if is_operator(X):
        raise ValueError(
            f"{name} compares samples with each other, which products with X alone do not give: "
            "pass a dense or sparse matrix."
        )


def refuse_overflow(largest: float, degree: float, n: int, dtype: Any) -> None:
    """Say so when sums of ⟨x, x⟩ᵈ over pairs of samples are too large for the dtype."""
    # In logarithms, since the numbers themselves may not exist.
    if largest > 0 and degree * np.log(largest) + 2 * np.log(n) > np.log(float(np.finfo(dtype).max)):
        raise ValueError(
            f"degree={degree:g} makes numbers too large for {np.dtype(dtype).name} with rows as long as "
            "these: lower degree, or scale the rows to unit length."
        )


def root(K: Array) -> tuple[Array, Array]:
    """Return S = max(K^½, 0) and its pseudo-inverse.

    The root is taken by eigendecomposition with negative eigenvalues cut: a singular value
    decomposition, as printed, would silently take the root of |K| when K is indefinite.
    """
    values, vectors = linalg.eigh(K)
    # Eigenvalues that are only rounding would have roots that are not: √1e-16 is 1e-8.
    values[values < len(K) * np.finfo(K.dtype).eps * values[-1]] = 0
    S = np.maximum((vectors * np.sqrt(values)) @ vectors.T, 0)
    S = (S + S.T) / 2
    return S, linalg.pinvh(S, rtol=float(np.sqrt(np.finfo(K.dtype).eps)))


def least_squares_map(K: Array, A: Array) -> Array:
    """Return A(AᵀKA)⁺: kernel values times it are the coefficients closest to φ(x) in feature space."""
    return np.asarray(A @ linalg.pinvh(A.T @ (K @ A)))


def printed_map(K: Array, A: Array) -> Array:
    """Return (A⁺K⁻¹)ᵀ, the map as the paper prints it, which is not the least-squares one."""
    return np.asarray(linalg.pinvh(K) @ linalg.pinv(A).T)


def _squared_distances(X: Any, Z: Any) -> Array:
    return np.asarray(euclidean_distances(_double(X), None if Z is X else _double(Z), squared=True))


def _double(X: Any) -> Any:
    return X.astype(np.float64, copy=False)


def squared_lengths(X: Any) -> Array:
    """Return ⟨x, x⟩ of every row in double precision; X may be known by products alone."""
    if is_operator(X):
        m = X.shape[1]
        unit = (np.eye(m, min(_BLOCK, m - first), -first) for first in range(0, m, _BLOCK))
        return np.asarray(sum(np.square(X.matmat(columns)).sum(axis=1) for columns in unit))
    X = _double(X)
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if is_sparse(X) else np.einsum("ij,ij->i", X, X)
