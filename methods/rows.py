"""Rows of a data matrix scaled to length one, and class codes as rows of zeros and ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from methods.typing import Array, Codes, Graph, is_sparse


def unit_rows(X: Any) -> Any:
    """Return the rows, sparse or not, scaled to length 1; rows of zeros stay as they are.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    if is_sparse(X):
        return _sparse_unit_rows(X)
    # By their largest entry first, so that no square overflows or vanishes.
    largest = np.abs(X).max(axis=1, keepdims=True).astype(np.float64)
    rows: Array = X / np.where(largest > 0, largest, 1)
    rows /= np.where(largest > 0, np.sqrt(np.square(rows).sum(axis=1, keepdims=True)), 1)
    return rows.astype(X.dtype if np.issubdtype(X.dtype, np.floating) else np.float64)


def _sparse_unit_rows(X: Graph) -> Graph:
    rows = sparse.csr_array(X.astype(np.result_type(X.dtype, np.float32)))
    of = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    largest, squares = np.zeros(rows.shape[0]), np.zeros(rows.shape[0])
    np.maximum.at(largest, of, np.abs(rows.data))
    scaled = rows.data / np.where(largest > 0, largest, 1)[of]
    np.add.at(squares, of, np.square(scaled))
    rows.data = (scaled / np.where(squares > 0, np.sqrt(squares), 1)[of]).astype(rows.dtype)
    return rows


def indicator(codes: Codes, n_classes: int) -> Array:
    """Return the 0/1 label matrix, one row a sample; rows of unlabelled samples are zero.

    >>> indicator(np.array([1, -1]), 2)
    array([[0., 1.],
           [0., 0.]])
    """
    Y = np.zeros((codes.size, n_classes))
    labelled = np.flatnonzero(codes >= 0)
    Y[labelled, codes[labelled]] = 1
    return Y
