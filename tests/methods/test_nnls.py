"""Non-negative least squares for many rows, against SciPy's solver for one row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, sparse

import methods
from methods import nnls
from methods.typing import Array


def row_by_row(H: Array, X: Array) -> Array:
    return np.array([optimize.nnls(H.T, row)[0] for row in X])


def squared_errors(H: Array, X: Array, Z: Array) -> Array:
    return np.asarray(((X - Z @ H) ** 2).sum(axis=1))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_equals_scipy_on_hundreds_of_rows(rng: np.random.Generator) -> None:
    H = rng.random((30, 120)) * (rng.random((30, 120)) < 0.4)
    X = rng.random((300, 120))
    Z = nnls.least_squares(H, X)
    assert np.abs(Z - row_by_row(H, X)).max() < 1e-10
    assert ((Z == 0).sum(axis=1) > 0).all()


def test_equals_scipy_where_parts_are_alike(rng: np.random.Generator) -> None:
    # Condition numbers of parts grown together reach thousands; the answer is still unique.
    H = rng.random((1, 60)) + 1e-3 * rng.random((15, 60))
    X = rng.random((50, 60))
    assert np.abs(nnls.least_squares(H, X) - row_by_row(H, X)).max() < 1e-6


def test_signed_rows_and_rows_that_no_part_helps(rng: np.random.Generator) -> None:
    H, X = rng.random((8, 20)), rng.standard_normal((40, 20))
    X[3], X[4] = 0, -1
    Z = nnls.least_squares(H, X)
    assert np.abs(Z - row_by_row(H, X)).max() < 1e-10
    assert not Z[3].any()
    assert not Z[4].any()


@pytest.mark.parametrize("seed", range(20))
def test_is_optimal_where_the_answer_is_not_unique(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, m = int(rng.integers(2, 14)), int(rng.integers(1, 10))
    H = rng.random((k, m)) * (rng.random((k, m)) < 0.6)
    H[0] = H[-1]
    X = rng.standard_normal((9, m))
    Z = nnls.least_squares(H, X)
    assert (Z >= 0).all()
    assert (squared_errors(H, X, Z) <= squared_errors(H, X, row_by_row(H, X)) + 1e-9).all()


def test_parts_that_are_zero_take_no_weight(rng: np.random.Generator) -> None:
    H, X = rng.random((5, 12)), rng.random((6, 12))
    H[2] = 0
    Z = nnls.least_squares(H, X)
    assert not Z[:, 2].any()
    rest = [0, 1, 3, 4]
    assert np.abs(Z[:, rest] - row_by_row(H[rest], X)).max() < 1e-10


def test_portions_and_last_resort_change_nothing(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    H, X = rng.random((12, 40)), rng.random((25, 40))
    whole = nnls.least_squares(H, X)
    monkeypatch.setattr(nnls, "_PORTION", 12 * 12 * 4)
    assert np.abs(nnls.least_squares(H, X) - whole).max() < 1e-12
    monkeypatch.setattr(nnls, "_ROUNDS", 1)
    assert np.abs(nnls.least_squares(H, X) - whole).max() < 1e-10


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_transform_offers_it(
    rng: np.random.Generator, dtype: type, container: Callable[[Array], Array]
) -> None:
    X = rng.random((30, 15)).astype(dtype)
    model = methods.create("nmf", n_components=4, max_iter=20, tol=0, random_state=0).fit(X)
    unseen = rng.random((7, 15)).astype(dtype)
    Z = model.set_params(features="nnls").transform(container(unseen))
    assert Z.dtype == dtype
    oracle = row_by_row(model.components_.astype(float), unseen.astype(float))
    assert np.abs(Z - oracle).max() < (1e-6 if dtype is np.float32 else 1e-10) * oracle.max()
    found = model.set_params(features="pinv").transform(unseen)
    assert np.allclose(found, unseen @ np.linalg.pinv(model.components_), atol=1e-4)


def test_refuses_other_ways(rng: np.random.Generator) -> None:
    model = methods.create("nmf", n_components=2, max_iter=1, tol=0).fit(rng.random((6, 5)))
    with pytest.raises(ValueError, match="features='best' is not known"):
        model.set_params(features="best").transform(rng.random((2, 5)))
