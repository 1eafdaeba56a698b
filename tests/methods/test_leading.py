"""The leading eigenpairs against a full eigendecomposition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import methods
from methods import leading
from methods.kernel import kernel_pca, kernels
from methods.kernel.kernels import Root, root
from methods.leading import lanczos, leading_eigenpairs
from methods.subspace import pca
from methods.subspace.pca import gram_matrix, principal_components

Array = NDArray[Any]


def symmetric(values: Array, seed: int = 0) -> Array:
    """Return a matrix with these eigenvalues."""
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((len(values), len(values))))[0]
    return np.asarray((Q * values) @ Q.T)


def agree(A: Array, values: Array, vectors: Array, tol: float) -> None:
    """Check pairs against LAPACK's: eigenvalues, residuals, and that the vectors span the same."""
    k = len(values)
    wanted, full = np.linalg.eigh(A)
    np.testing.assert_allclose(values, wanted[::-1][:k], atol=tol * wanted[-1])
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-12)
    assert np.linalg.norm(A @ vectors - vectors * values, axis=0).max() <= tol * wanted[-1]
    apart = wanted[-k] - wanted[-k - 1]
    inside = np.linalg.norm(full[:, -k:].T @ vectors, 2), np.linalg.norm(full[:, :-k].T @ vectors, 2)
    assert inside[0] <= 1 + 1e-12
    assert inside[1] <= 2 * tol * wanted[-1] / apart


@pytest.mark.parametrize("k", [1, 7, 30])
def test_few_pairs_of_a_large_matrix_are_those_of_lapack(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leading, "_SMALL", 100)
    A = symmetric(1 / np.arange(1, 401) ** 2)
    found = lanczos(lambda rows: rows @ A, 400, k, A.dtype)
    assert found is not None
    agree(A, *found, 1e-9)
    again = leading_eigenpairs(A, k)
    assert (again[0] == found[0]).all(), "the start is always the same"


@pytest.mark.parametrize("k", [3, 40])
def test_many_pairs_and_those_of_a_small_matrix_are_those_of_lapack(k: int) -> None:
    A = symmetric(np.append(np.geomspace(1, 1e-3, 39), -0.5))
    values, vectors = leading_eigenpairs(A, k)
    wanted = np.linalg.eigvalsh(A)[::-1][:k]
    np.testing.assert_allclose(values, wanted, atol=1e-13)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-13)


def test_what_does_not_come_close_in_time_is_left_to_lapack(monkeypatch: pytest.MonkeyPatch) -> None:
    A = symmetric(np.random.default_rng(1).random(600))
    monkeypatch.setattr(leading, "_BLOCK", 1)
    assert lanczos(lambda rows: rows @ A, 600, 5, A.dtype) is None
    agree(A, *leading_eigenpairs(A, 5), 1e-9)


@pytest.mark.parametrize("rank", [0, 3, 20])
def test_a_matrix_of_low_rank_has_zeros_beyond_it(rank: int) -> None:
    A = symmetric(np.append(np.arange(rank, 0, -1.0), np.zeros(600 - rank)))
    values, vectors = leading_eigenpairs(A, 8)
    np.testing.assert_allclose(values, np.append(np.arange(rank, 0, -1.0), np.zeros(8))[:8], atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(8), atol=1e-12)


def test_the_root_of_a_large_kernel_keeps_what_leads_and_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.random.default_rng(0).random((620, 12))
    K = np.exp(-np.square(X[:, None] - X[None]).sum(axis=2))
    assert type(root(K, 5, definite=True)) is Root, "not yet large"
    monkeypatch.setattr(kernels, "_MANY", 600)
    assert type(root(K, 5, definite=False)) is Root
    assert type(root(K, 50, definite=True)) is Root, "not few"
    found = root(K, 5, definite=True)
    values, vectors = np.linalg.eigh(K)
    values[:-50] = values[:-50].mean()
    wanted = (vectors * np.sqrt(values)) @ vectors.T
    np.testing.assert_allclose(found.matrix, np.maximum(wanted, 0), atol=1e-8)
    np.testing.assert_allclose(found.inverse @ wanted, np.eye(620), atol=1e-7)
    # As good for parts: what is explained of the exact root hardly differs.
    S = Root(K).matrix
    explained = [
        1 - np.square(S - model.embedding_ @ model.components_).sum() / np.square(S).sum()
        for model in (nmf(S), nmf(found.matrix))
    ]
    assert explained[1] == pytest.approx(explained[0], rel=1e-2)


def test_the_root_of_a_kernel_that_few_directions_span_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_MANY", 600)
    K = symmetric(np.append(np.arange(10, 0, -1.0), np.zeros(600)))
    found = root(K, 5, definite=True)
    exact = symmetric(np.append(np.sqrt(np.arange(10, 0, -1.0)), np.zeros(600)))
    np.testing.assert_allclose(found.matrix, np.maximum(exact, 0), atol=1e-6)
    np.testing.assert_allclose(found.inverse, np.linalg.pinv(exact, rcond=1e-6), atol=1e-6)


def nmf(S: Array) -> Any:
    """Return the factors of S after a fixed number of steps from one start."""
    settings: dict[str, Any] = {"n_components": 5, "solver": "accelerated", "max_iter": 25, "tol": 0}
    return methods.create("nmf", random_state=0, **settings).fit(S)


@pytest.mark.parametrize("shape", [(700, 90), (90, 700)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_principal_components_are_the_singular_vectors(shape: tuple[int, int], dtype: type) -> None:
    rng = np.random.default_rng(0)
    X = (rng.standard_normal(shape) * np.geomspace(3, 0.03, shape[1])).astype(dtype)
    X -= X.mean(axis=0)
    components, scores, left_over = principal_components(X, 6)
    left, lengths, right = np.linalg.svd(X.astype(float), full_matrices=False)
    exact = 1e-5 if dtype is np.float32 else 1e-12
    np.testing.assert_allclose(np.abs((components * right[:6]).sum(axis=1)), 1, atol=exact)
    np.testing.assert_allclose(np.abs(scores), np.abs(left[:, :6] * lengths[:6]), atol=10 * exact)
    rest = np.append(np.cumsum(lengths[::-1] ** 2)[::-1], 0)[:7]
    np.testing.assert_allclose(left_over, rest, rtol=10 * exact)
    assert components.dtype == scores.dtype == dtype


@pytest.mark.parametrize("shape", [(700, 600), (600, 700)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_very_few_components_are_found_from_products_with_the_data(
    shape: tuple[int, int], dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((shape[0], 6)) @ rng.standard_normal((6, shape[1]))).astype(dtype)
    X += 0.1 * rng.standard_normal(shape).astype(dtype)
    X -= X.mean(axis=0)
    monkeypatch.setattr(pca, "gram_matrix", None)
    monkeypatch.setattr(pca, "_LARGE", 1000)
    components, scores, left_over = principal_components(X, 4)
    right = np.linalg.svd(X.astype(float), full_matrices=False)[2][:4]
    exact = 1e-3 if dtype is np.float32 else 1e-7
    assert np.linalg.norm(right - right @ components.T @ components) < exact
    np.testing.assert_allclose(scores, X @ components.T, atol=1e-3 if dtype is np.float32 else 1e-8)
    error = np.square(X - scores @ components).sum(dtype=float)
    np.testing.assert_allclose(left_over[-1], error, rtol=1e-4)


def test_directions_too_short_for_squares_come_from_the_data_themselves() -> None:
    lengths = np.geomspace(1, 1e-6, 6)
    left = np.linalg.qr(np.random.default_rng(0).standard_normal((40, 6)))[0]
    right = np.linalg.qr(np.random.default_rng(1).standard_normal((9, 6)))[0].T
    X = (left * lengths) @ right
    components, scores, _ = principal_components(X, 6)
    np.testing.assert_allclose(np.abs((components * right).sum(axis=1)), 1, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(scores, axis=0), lengths, rtol=1e-9)


def test_products_in_single_precision_are_summed_up_in_double() -> None:
    X = np.random.default_rng(0).random((2000, 5), np.float32)
    exact = X.astype(float).T @ X.astype(float)
    np.testing.assert_allclose(gram_matrix(X, np.float64), exact, rtol=1e-13)
    np.testing.assert_allclose(gram_matrix(X, np.float32), exact, rtol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernel_pca_of_many_rows_has_the_directions_of_a_full_decomposition(
    dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_pca, "_LARGE", 1000)
    X = np.random.default_rng(0).random((620, 4)).astype(dtype)
    exact = 2e-3 if dtype is np.float32 else 1e-8
    model = methods.create("kernel_pca", n_components=5, sigma=1.0).fit(X)
    K = model.kernel_(X, X)
    J = np.eye(620) - 1 / 620
    values, vectors = np.linalg.eigh(J @ K @ J)
    wanted = vectors[:, ::-1][:, :5] * np.sqrt(values[::-1][:5])
    signs = np.sign((wanted * model.embedding_).sum(axis=0))
    np.testing.assert_allclose(model.embedding_ * signs, wanted, atol=exact)
    np.testing.assert_allclose(model.objective_curve_[-1], values[:-5].sum(), rtol=exact)


def test_directions_too_short_for_single_precision_are_found_in_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernel_pca, "_LARGE", 1000)
    X = np.random.default_rng(0).random((80, 2), np.float32)
    single = methods.create("kernel_pca", n_components=20, sigma=2.0).fit(X)
    double = methods.create("kernel_pca", n_components=20, sigma=2.0).fit(X.astype(float))
    assert (np.abs(double.embedding_).max(axis=0) > 0).all()
    np.testing.assert_allclose(single.embedding_[:, :12], double.embedding_[:, :12], atol=1e-5)
