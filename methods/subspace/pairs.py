"""Pairs of samples that must or cannot go together, and the scatter along them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from methods import graphs
from methods.subspace.discriminant import graph_scatter
from methods.subspace.sparse_rows import ProjectedRows
from methods.typing import Array, Codes


def check_pairs(name: str, pairs: Any, n_samples: int) -> Codes:
    """Return pairs of row numbers (i, j), i < j, each once; `name` is the argument they came by."""
    array = np.asarray([] if pairs is None else pairs)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be a list of pairs (i, j) of row numbers, got {_described(array)}.")
    outside = ((array < 0) | (array >= n_samples)).any(axis=1)
    if outside.any():
        raise ValueError(
            f"{name} holds the pair {_described(array[outside][0])}, "
            f"but rows are numbered 0 to {n_samples - 1}."
        )
    alike = array[:, 0] == array[:, 1]
    if alike.any():
        raise ValueError(f"{name} pairs row {array[alike][0, 0]} with itself: name two different rows.")
    return np.unique(np.sort(array.astype(np.int64), axis=1), axis=0)


def beyond_labels(pairs: Codes, codes: Codes, *, same: bool) -> Codes:
    """Return the pairs that labels do not already give: of one class (`same`), or of two."""
    first, second = codes[pairs[:, 0]], codes[pairs[:, 1]]
    implied = (first >= 0) & (second >= 0) & ((first == second) == same)
    return np.asarray(pairs[~implied])


def pair_scatter(Z: Array | ProjectedRows, pairs: Codes) -> Array:
    """Return Σ (z_i − z_j)(z_i − z_j)ᵀ over pairs, as ZᵀLZ with a sparse Laplacian."""
    n = len(Z)
    i, j = np.r_[pairs[:, 0], pairs[:, 1]], np.r_[pairs[:, 1], pairs[:, 0]]
    affinity = sparse.coo_array((np.ones(i.size), (i, j)), shape=(n, n)).tocsr()
    return graph_scatter(Z, graphs.laplacian(affinity))


def _described(array: Array) -> str:
    return (
        f"an array of {array.dtype} of shape {array.shape}" if array.ndim > 1 else str(tuple(array.tolist()))
    )
