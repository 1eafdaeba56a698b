"""Products of sparse matrices that come out full, a few rows at a time."""

from __future__ import annotations

import numpy as np

from methods.typing import Array, Graph

_ENTRIES_AT_ONCE = 2**21


def products(A: Graph, B: Graph) -> Array:
    """Return AB in full, from sparse products of some rows at a time."""
    full = np.empty((A.shape[0], B.shape[1]))
    step = max(1, _ENTRIES_AT_ONCE // max(1, B.shape[1]))
    for first in range(0, A.shape[0], step):
        part = slice(first, first + step)
        full[part] = (A[part] @ B).toarray()
    return full
