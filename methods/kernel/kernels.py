"""Kernels between rows, their square root, and the features that a kernel factorization gives unseen rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy import linalg
from sklearn.metrics.pairwise import euclidean_distances

from methods.checks import is_operator
from methods.leading import few_of_many, leading_eigenpairs
from methods.spec import Param
from methods.typing import Array, is_sparse

_LEAST_WIDTH, _LARGEST_WIDTH = 0.3, 10.0
_BLOCK = 256
# Above so many samples a root is taken from the leading eigenpairs.
_MANY = 2000
_EPS = float(np.finfo(np.float64).eps)


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
        return self.at(_squared_distances(X, Z))

    def at(self, squared: Array) -> Array:
        """Return the kernel at squared distances, in the place of these."""
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


def gaussian_kernel(X: Any, sigma: float, *, in_single: bool = False) -> tuple[Gaussian, Array]:
    """Return the kernel that is `sigma` median distances wide, and its values between all rows of X.

    Those are in double precision, unless single is as good as what becomes of them.
    """
    squared = _single_distances(X) if in_single and not is_sparse(X) else _squared_distances(X, X)
    kernel = Gaussian(float(sigma) * _median_distance(squared))
    return kernel, kernel.at(squared)


def _median_distance(squared: Array) -> float:
    """Return the median distance between different samples (1 when all are the same)."""
    apart = np.concatenate([row[i + 1 :] for i, row in enumerate(squared)])
    apart = apart[apart > 0]
    if not apart.size:
        return 1.0
    # One entry in the middle, or two of which the mean counts.
    first, last = (apart.size - 1) // 2, apart.size // 2
    apart.partition((first, last))
    return float(np.sqrt(apart[first : last + 1], dtype=np.float64).mean())


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


class Root:
    """S = max(K^½, 0), and its pseudo-inverse, which is as much work again, once that is asked for.

    The root is taken by eigendecomposition with negative eigenvalues cut: a singular value
    decomposition, as printed, would silently take the root of |K| when K is indefinite.
    """

    def __init__(self, K: Array) -> None:
        values, vectors = linalg.eigh(K, driver="evd")
        # Eigenvalues that are only rounding would have roots that are not: √1e-16 is 1e-8.
        real = values >= len(K) * _EPS * values[-1]
        # A matrix times its own transpose takes half the time, and is symmetric to the last digit.
        halves = vectors[:, real] * values[real] ** 0.25
        self.matrix: Array = halves @ halves.T
        np.maximum(self.matrix, 0, out=self.matrix)

    @cached_property
    def inverse(self) -> Array:
        """S⁺, without the directions that are shorter than what rounding leaves of a root."""
        values, vectors = linalg.eigh(self.matrix, driver="evd")
        lengths = np.abs(values)
        real = lengths > np.sqrt(_EPS) * lengths.max()
        return np.asarray((vectors[:, real] / values[real]) @ vectors[:, real].T)


class RootOfMany(Root):
    """The root of a large positive K from its leading eigenpairs alone, for k parts that are few.

    The eigenvalues that follow are taken for their mean, so that the trace of K is kept: k parts tell little
    of them apart. O(n²·k) instead of O(n³). The inverse is that of K^½, before negative entries are cut.
    """

    def __init__(self, K: Array, k: int) -> None:
        values, vectors = leading_eigenpairs(K, _pairs_for(k))
        real = values > len(K) * _EPS * values[0]
        self._lengths, self._vectors = np.sqrt(values[real]), vectors[:, real]
        rest = float((np.trace(K) - values.sum()) / (len(K) - len(values)))
        self._rest = np.sqrt(rest) if rest > len(K) * _EPS * values[0] else 0.0
        self.matrix = (self._vectors * (self._lengths - self._rest)) @ self._vectors.T
        self.matrix[np.diag_indices_from(self.matrix)] += self._rest
        np.maximum(self.matrix, 0, out=self.matrix)

    @cached_property
    def inverse(self) -> Array:
        """The pseudo-inverse of K^½."""
        rest = 1 / self._rest if self._rest > 0 else 0.0
        inverse: Array = (self._vectors * (1 / self._lengths - rest)) @ self._vectors.T
        inverse[np.diag_indices_from(inverse)] += rest
        return inverse


def root(K: Array, k: int, *, definite: bool) -> Root:
    """Return the root of a kernel that is to be factorized into k parts; whole where samples are not many."""
    if definite and len(K) > _MANY and few_of_many(len(K), _pairs_for(k)):
        return RootOfMany(K, k)
    return Root(K)


def _pairs_for(k: int) -> int:
    return 2 * k + 40


def least_squares_map(K: Array, A: Array) -> Array:
    """Return A(AᵀKA)⁺: kernel values times it are the coefficients closest to φ(x) in feature space."""
    return np.asarray(A @ linalg.pinvh(A.T @ (K @ A)))


def printed_map(K: Array, A: Array) -> Array:
    """Return (A⁺K⁻¹)ᵀ, the map as the paper prints it, which is not the least-squares one."""
    return np.asarray(linalg.pinvh(K) @ linalg.pinv(A).T)


def _squared_distances(X: Any, Z: Any) -> Array:
    return np.asarray(euclidean_distances(_double(X), None if Z is X else _double(Z), squared=True))


def _single_distances(X: Array) -> Array:
    """Return the squared distances between all rows, to rounding of the longest in single precision."""
    rows = (X - X.mean(axis=0, dtype=np.float64)).astype(np.float32)
    squared: Array = rows @ rows.T
    lengths = np.diagonal(squared).copy()
    squared *= -2
    squared += lengths
    squared += lengths[:, None]
    np.maximum(squared, 0, out=squared)
    np.fill_diagonal(squared, 0)
    return squared


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
