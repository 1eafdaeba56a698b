"""The leading eigenpairs of large symmetric matrices: as good as those of LAPACK, without the other ones.

Few pairs of a large matrix are found by block Lanczos iteration, whose time is that of products with the
matrix; many pairs, or those of a small matrix, by LAPACK. Which it is follows from the sizes alone, the
start is always the same, and pairs that do not come close in time are left to LAPACK as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from methods.typing import Array

# Below this size, or when more than this share of the pairs is wanted, LAPACK is quicker.
_SMALL, _FEW = 500, 0.1
# Vectors multiplied together, and how much the subspace grows between two looks at what it holds.
_BLOCK, _GROWTH = 16, 1.15


def few_of_many(n: int, k: int) -> bool:
    """Return whether k of n pairs are found by iteration."""
    return n > _SMALL and k <= _FEW * n


def leading_eigenpairs(A: Array, k: int) -> tuple[Array, Array]:
    """Return the k largest eigenvalues of symmetric A, largest first, and their vectors as columns.

    Few are found by `lanczos`, the others by LAPACK.
    """
    n = len(A)
    eigenpairs = lanczos(lambda rows: rows @ A, n, k, A.dtype) if few_of_many(n, k) else None
    if eigenpairs is not None:
        return eigenpairs
    if k == n:
        values, vectors = linalg.eigh(A, driver="evd")
    else:
        values, vectors = linalg.eigh(A, subset_by_index=(n - k, n - 1), driver="evr")
    return values[::-1], vectors[:, ::-1]


def lanczos(
    multiply: Callable[[Array], Array], n: int, k: int, dtype: np.dtype[Any]
) -> tuple[Array, Array] | None:
    """Return what `leading_eigenpairs` does, from products of rows with A alone; None if that takes too long.

    ‖Av − λv‖ ≤ 1e-9·λ for every pair (1e-5·λ in single precision), or as small as rounding of the largest
    allows. Every block is made orthogonal to all before it, twice, so that the residuals of Ritz pairs can be
    read off the last one.
    """
    tol, floor = 1e-5 if dtype == np.float32 else 1e-9, 4 * float(np.finfo(dtype).eps)
    most = min(n // 2, 8 * k + 12 * _BLOCK) // _BLOCK * _BLOCK
    basis, projected = np.empty((most, n), dtype), np.zeros((most, most))
    block = _orthonormal(np.random.RandomState(0).standard_normal((_BLOCK, n)).astype(dtype))[0]
    look = k + k // 2 + 2 * _BLOCK
    for count in range(_BLOCK, most + 1, _BLOCK):
        own, before = slice(count - _BLOCK, count), basis[:count]
        basis[own] = block
        image = multiply(block)
        coupling = before @ image.T
        projected[:count, own], projected[own, :count] = coupling, coupling.T
        block, left = _orthonormal(image - coupling.T @ before)
        # Once more: what is left of an image that lies almost within the subspace is mostly rounding.
        block, again = _orthonormal(block - (block @ before.T) @ before)
        if count < look and count < most:
            continue
        look = int(_GROWTH * count)
        values, vectors = linalg.eigh(projected[:count, :count], subset_by_index=(count - k, count - 1))
        residuals = np.linalg.norm(again @ left @ vectors[own], axis=0)
        if (residuals <= np.maximum(tol * values, floor * values[-1])).all():
            return values[::-1], before.T @ vectors[:, ::-1].astype(dtype)
    return None


def _orthonormal(rows: Array) -> tuple[Array, Array]:
    """Return orthonormal rows that span the same, and R with rows = Rᵀ times them."""
    Q, R = linalg.qr(rows.T, mode="economic")
    return np.ascontiguousarray(Q.T), R
