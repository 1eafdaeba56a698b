"""Parts that are outer products of one factor a mode: what the matrix and tensor solvers share.

A part of a matrix factorization is the special case of a single mode. Factors are kept transposed,
one part a row (k × d_b), so that loops over a mode run along memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from methods.typing import Array


def outer(factors: Sequence[Array]) -> Array:
    """Return the parts themselves, one a row and flattened; a single factor is returned as it is."""
    parts = factors[0]
    for factor in factors[1:]:
        parts = (parts[:, :, None] * factor[:, None, :]).reshape(len(parts), -1)
    return parts


def gram_but(grams: Sequence[Array], left_out: int | None = None) -> Array:
    """Return the Gram matrix of the outer products of all modes but one, from the modes' own."""
    rest = [gram for mode, gram in enumerate(grams) if mode != left_out]
    return reduce(np.multiply, rest) if rest else np.ones_like(grams[0])


def project(weighted: Array, factors: Sequence[Array], mode: int) -> Array:
    """Contract each row of `weighted` (k × features) with its part's factors, one at a time, but for `mode`.

    The result (k × d_mode) is what the least-squares problem of that mode sees of the data.
    """
    if len(factors) == 1:
        return weighted
    k = len(weighted)
    rest = weighted.reshape(k, -1)
    for factor in reversed(factors[mode + 1 :]):
        rest = np.matmul(rest.reshape(k, -1, factor.shape[1]), factor[:, :, None]).reshape(k, -1)
    for factor in factors[:mode]:
        rest = np.matmul(factor[:, None, :], rest.reshape(k, factor.shape[1], -1)).reshape(k, -1)
    return rest


def lengths(grams: Sequence[Array]) -> Array:
    """Return the norm of every factor, 1 for those that are zero: one row a mode."""
    norms: Array = np.sqrt([np.diagonal(gram) for gram in grams])
    norms[norms == 0] = 1
    return norms
