"""One view of the data for dense, sparse and implicit matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from methods.data_matrix import DataMatrix

Array = NDArray[Any]
FORMS = [
    np.asarray,
    np.asfortranarray,
    lambda X: np.repeat(X, 2, axis=1)[:, ::2],  # neither C nor Fortran order
    sparse.csr_array,
    sparse.csc_array,
    sparse.csr_matrix,
    aslinearoperator,
]


class OnlyProducts:
    """Something alike a LinearOperator: a shape, a dtype, and products with X and Xᵀ."""

    def __init__(self, X: Array) -> None:
        self._X, self.shape, self.dtype = X, X.shape, X.dtype

    def matmat(self, B: Array) -> Array:
        return np.asarray(self._X @ B)

    def rmatmat(self, B: Array) -> Array:
        return np.asarray(self._X.T @ B)


def made(n: int = 13, m: int = 300, dtype: Any = np.float64) -> Array:
    X = np.random.default_rng(0).random((n, m))
    X[X < 0.5] = 0
    return X.astype(dtype)


@pytest.mark.parametrize("form", [*FORMS, OnlyProducts])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_products_norm_and_mean_are_those_of_the_matrix(form: Any, dtype: Any) -> None:
    X = made(dtype=dtype)
    data = DataMatrix(form(X))
    tolerance = 1e-12 if dtype == np.float64 else 1e-5
    W, H = np.random.default_rng(1).random((13, 4)).astype(dtype), np.random.default_rng(2).random((4, 300))
    H = H.astype(dtype)
    rows, scores = np.empty((4, 300), dtype), np.empty((13, 4), dtype)
    assert data.weighted_rows(W, rows) is rows
    assert data.scores(H, scores) is scores
    np.testing.assert_allclose(rows, W.T @ X, rtol=tolerance)
    np.testing.assert_allclose(scores, X @ H.T, rtol=tolerance)
    exact = X.astype(np.float64)
    assert np.isclose(data.squared_norm, (exact**2).sum(), rtol=tolerance)
    assert np.isclose(data.mean, exact.mean(), rtol=tolerance)
    assert (data.shape, data.dtype) == (X.shape, dtype)


@pytest.mark.parametrize("m", [1, 255, 256, 257, 600])
def test_norm_by_products_covers_every_column(m: int) -> None:
    X = made(5, m)
    assert np.isclose(DataMatrix(OnlyProducts(X)).squared_norm, (X**2).sum(), rtol=1e-12)


def test_norm_of_many_single_precision_entries_is_summed_in_double() -> None:
    # Three million entries of about 0.3: float32 sums would keep four digits or so.
    X = np.random.default_rng(0).random((1500, 2001), dtype=np.float32)
    assert np.isclose(DataMatrix(X).squared_norm, (X.astype(np.float64) ** 2).sum(), rtol=1e-13)
    assert np.isclose(DataMatrix(X.T).squared_norm, (X.astype(np.float64) ** 2).sum(), rtol=1e-13)


def test_no_copy_is_made_of_the_data() -> None:
    X = made()
    assert np.shares_memory(DataMatrix(X).X, X)
    S = sparse.csr_array(X)
    assert np.shares_memory(DataMatrix(S)._transposed.data, S.data)
