"""Polynomial kernel NMF against a plain implementation, and the root of a kernel that is indefinite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import methods
from methods.kernel.kernels import Root

Array = NDArray[Any]
N, M, K_PARTS = 11, 6, 3


def problem() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(11)
    return rng.random((N, M)), rng.random((K_PARTS, N)), rng.random((N, K_PARTS))


def plain_kernel(X: Array, Z: Array, degree: float) -> Array:
    return np.array([[sum(a * b for a, b in zip(x, z, strict=True)) ** degree for z in Z] for x in X])


def plain_root(K: Array) -> Array:
    values, vectors = np.linalg.eigh(K)
    keep = values > len(K) * np.finfo(float).eps * values.max()
    return np.maximum(
        sum(np.sqrt(v) * np.outer(u, u) for v, u in zip(values[keep], vectors.T[keep], strict=True)), 0
    )


@pytest.mark.parametrize("iterations", [1, 10, 100])
@pytest.mark.parametrize("degree", [1, 1.5, 2, 3])
def test_equals_the_published_updates(iterations: int, degree: float) -> None:
    X, B_rows, H_columns = problem()
    settings: dict[str, Any] = {"n_components": K_PARTS, "max_iter": iterations, "tol": 0}
    model = methods.create("poly_kernel_nmf", degree=degree, init=(B_rows, H_columns), **settings).fit(X)
    S = plain_root(plain_kernel(X, X, degree))
    B, H = B_rows.T.copy(), H_columns.T.copy()
    for _ in range(iterations):
        B *= (S @ H.T) / (B @ (H @ H.T))
        H *= (B.T @ S) / ((B.T @ B) @ H)
    np.testing.assert_allclose(model.root_components_, B.T, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.embedding_, H.T, rtol=1e-8, atol=1e-10)
    assert model.objective_curve_[-1] == pytest.approx(((S - B @ H) ** 2).sum(), rel=1e-8)
    assert (np.diff(model.objective_curve_) <= 1e-12 * model.objective_curve_[0]).all()


def test_features_are_least_squares_in_feature_space() -> None:
    X, B_rows, H_columns = problem()
    unseen = np.random.default_rng(1).random((4, M))
    settings: dict[str, Any] = {"n_components": K_PARTS, "degree": 2, "max_iter": 20, "tol": 0}
    model = methods.create("poly_kernel_nmf", init=(B_rows, H_columns), **settings).fit(X)
    # φ(x) for the square of the inner product is the outer product of x with itself.
    phi = np.array([np.outer(x, x).ravel() for x in X])
    basis = model.dual_components_ @ phi
    wanted = [np.linalg.lstsq(basis.T, np.outer(x, x).ravel(), rcond=None)[0] for x in unseen]
    np.testing.assert_allclose(model.transform(unseen), wanted, rtol=1e-6, atol=1e-8)


def test_with_a_linear_kernel_the_components_are_the_basis_itself() -> None:
    X, _, _ = problem()
    unseen = np.random.default_rng(1).random((4, M))
    model = methods.create(
        "poly_kernel_nmf", n_components=K_PARTS, degree=1, max_iter=20, tol=0, random_state=0
    ).fit(X)
    np.testing.assert_allclose(
        model.transform(unseen), unseen @ np.linalg.pinv(model.components_), rtol=1e-7, atol=1e-9
    )


def test_the_root_of_an_indefinite_kernel_is_not_that_of_its_absolute_value() -> None:
    Q = np.linalg.qr(np.random.default_rng(0).random((5, 5)))[0]
    K = (Q * [4.0, 2.0, 1.0, 0.5, -1.0]) @ Q.T
    root = Root(K)
    np.testing.assert_allclose(root.matrix, plain_root(K), atol=1e-12)
    left, values, _ = np.linalg.svd(K)
    printed = np.maximum((left * np.sqrt(values)) @ left.T, 0)
    assert np.abs(root.matrix - printed).max() > 0.05
    np.testing.assert_allclose(root.matrix @ root.inverse, np.eye(5), atol=1e-9)


def test_permuting_samples_permutes_results_and_single_precision_is_close() -> None:
    X, B_rows, H_columns = problem()
    order = np.random.default_rng(0).permutation(N)
    settings: dict[str, Any] = {"n_components": K_PARTS, "max_iter": 30, "tol": 0}
    one = methods.create("poly_kernel_nmf", init=(B_rows, H_columns), **settings).fit(X)
    moved = (B_rows[:, order], H_columns[order])
    other = methods.create("poly_kernel_nmf", init=moved, **settings).fit(X[order])
    np.testing.assert_allclose(other.embedding_, one.embedding_[order], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(other.transform(X), one.transform(X), rtol=1e-6, atol=1e-8)
    single = methods.create("poly_kernel_nmf", init=(B_rows, H_columns), **settings).fit(X.astype(np.float32))
    np.testing.assert_allclose(single.embedding_, one.embedding_, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_solvers_lower_the_same_objective(solver: str) -> None:
    X, B_rows, H_columns = problem()
    settings: dict[str, Any] = {"n_components": K_PARTS, "max_iter": 60, "tol": 0, "solver": solver}
    model = methods.create("poly_kernel_nmf", init=(B_rows, H_columns), **settings).fit(X)
    S = plain_root(plain_kernel(X, X, 2))
    error = ((S - model.embedding_ @ model.root_components_) ** 2).sum()
    assert model.objective_curve_[-1] == pytest.approx(error, rel=1e-8)
    assert (np.diff(model.objective_curve_) <= 1e-12 * model.objective_curve_[0]).all()


def test_degrees_that_cannot_work_are_refused_with_a_reason() -> None:
    X = problem()[0]
    build = methods.spec("poly_kernel_nmf").estimator
    with pytest.raises(ValueError, match=r"degree=0.5 is too small.*indefinite"):
        build(n_components=2, degree=0.5).fit(X)
    with pytest.raises(ValueError, match="degree=20 makes numbers too large for float32"):
        build(n_components=2, degree=20).fit(100 * X.astype(np.float32))
    with pytest.raises(ValueError, match="Negative values"):
        build(n_components=2).fit(X - 0.5)
