"""Polynomial NMF: both rules against plain loops, the gradient it follows, and its reduction to NMF."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, sparse
from scipy.sparse.linalg import aslinearoperator

import methods

Array = NDArray[Any]
N, M, K_PARTS = 10, 6, 3


def problem() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(13)
    return rng.random((N, M)) ** 2, rng.random((K_PARTS, M)) + 0.1, 0.3 * rng.random((N, K_PARTS)) + 0.05


def kernel(x: Array, z: Array, d: float) -> float:
    return float(x @ z) ** d


def slope(x: Array, z: Array, d: float) -> float:
    return d * float(x @ z) ** (d - 1)


def published(X: Array, C: Array, V: Array, d: float, variant: str, iterations: int) -> tuple[Array, Array]:
    """Update the columns w_a of W = Cᵀ, then H = Vᵀ, entry by entry."""
    C, V = C.copy(), V.copy()
    samples, parts = range(len(X)), range(len(C))
    for _ in range(iterations):
        new = np.empty_like(C)
        for a in parts:
            if variant == "gradient":
                up = sum(V[i, a] * slope(X[i], C[a], d) * X[i] for i in samples)
                HH = V.T @ V
                down = sum(HH[a, b] * slope(C[a], C[b], d) * C[b] for b in parts)
                new[a] = C[a] * (up / down) ** (1 / (2 * d - 1))
            else:
                up = sum(slope(X[i], C[a], d) * X[i] for i in samples)
                down = sum(V[:, b].sum() * slope(C[b], C[a], d) * C[b] for b in parts)
                new[a] = C[a] * up / down
        C = new
        new = np.empty_like(V)
        for i in samples:
            for a in parts:
                down = sum(kernel(C[a], C[b], d) * V[i, b] for b in parts)
                new[i, a] = V[i, a] * kernel(X[i], C[a], d) / down
        V = new
    return C, V


def objective(X: Array, C: Array, V: Array, d: float) -> float:
    """Return ‖Φ(X) − Φ(W)H‖² by the kernel alone."""
    total = 0.0
    for i in range(len(X)):
        total += kernel(X[i], X[i], d)
        for a in range(len(C)):
            total -= 2 * V[i, a] * kernel(X[i], C[a], d)
            total += sum(V[i, a] * V[i, b] * kernel(C[a], C[b], d) for b in range(len(C)))
    return total


@pytest.mark.parametrize("iterations", [1, 10, 100])
@pytest.mark.parametrize("degree", [1, 1.5, 2, 3])
@pytest.mark.parametrize("variant", ["gradient", "printed"])
def test_equals_the_published_updates(variant: str, degree: float, iterations: int) -> None:
    X, C, V = problem()
    model = methods.create(
        "poly_nmf",
        n_components=K_PARTS,
        degree=degree,
        variant=variant,
        init=(C, V),
        max_iter=iterations,
        tol=0,
    ).fit(X)
    wanted_C, wanted_V = published(X, C, V, degree, variant, iterations)
    np.testing.assert_allclose(model.components_, wanted_C, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.embedding_, wanted_V, rtol=1e-9, atol=1e-12)
    assert model.objective_curve_[-1] == pytest.approx(objective(X, wanted_C, wanted_V, degree), rel=1e-9)


@pytest.mark.parametrize("degree", [1, 1.5, 2, 3, 5])
def test_the_gradient_rule_never_raises_the_objective(degree: float) -> None:
    for seed in range(3):
        X = np.random.default_rng(seed).random((40, 12)) ** 3
        model = methods.create(
            "poly_nmf", n_components=5, degree=degree, max_iter=150, tol=0, random_state=seed
        ).fit(X)
        assert (np.diff(model.objective_curve_) <= 1e-12 * model.objective_curve_[0]).all()


def test_the_printed_rule_goes_uphill_and_ends_higher() -> None:
    X = np.random.default_rng(2).random((40, 12)) ** 3
    settings: dict[str, Any] = {"n_components": 5, "max_iter": 300, "tol": 0, "random_state": 2}
    printed = methods.create("poly_nmf", variant="printed", **settings).fit(X).objective_curve_
    gradient = methods.create("poly_nmf", **settings).fit(X).objective_curve_
    assert np.diff(printed).max() > 1e-4 * printed[0]
    assert printed[-1] > 1.05 * gradient[-1]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_numerator_and_denominator_are_the_two_halves_of_the_gradient(degree: float) -> None:
    X, C, V = problem()
    numeric = optimize.approx_fprime(
        C.ravel(), lambda flat: objective(X, flat.reshape(C.shape), V, degree), 1e-7
    ).reshape(C.shape)
    after = methods.create(
        "poly_nmf", n_components=K_PARTS, degree=degree, init=(C, V), max_iter=1, tol=0
    ).fit(X)
    ratio = (after.components_ / C) ** (2 * degree - 1)
    HH = V.T @ V
    parts = range(K_PARTS)
    below = np.array([sum(HH[a, b] * slope(C[a], C[b], degree) * C[b] for b in parts) for a in parts])
    np.testing.assert_allclose(2 * below * (1 - ratio), numeric, rtol=1e-4, atol=1e-5)


def test_degree_one_is_nmf() -> None:
    X, C, V = problem()
    settings: dict[str, Any] = {"n_components": K_PARTS, "max_iter": 60, "tol": 0}
    for start in ({"init": (C, V)}, {"random_state": 4}, {"init": "nndsvda", "random_state": 4}):
        model = methods.create("poly_nmf", degree=1, **settings, **start).fit(X)
        nmf = methods.create("nmf", **settings, **start).fit(X)
        np.testing.assert_allclose(model.components_, nmf.components_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(model.objective_curve_, nmf.objective_curve_, rtol=1e-9)
        np.testing.assert_allclose(model.transform(X), nmf.transform(X), rtol=1e-7, atol=1e-9)


def test_features_are_least_squares_in_feature_space() -> None:
    X, C, V = problem()
    model = methods.create("poly_nmf", n_components=K_PARTS, degree=2, init=(C, V), max_iter=20, tol=0).fit(X)
    basis = np.array([np.outer(c, c).ravel() for c in model.components_])
    rows = [np.outer(x, x).ravel() for x in X]
    wanted = [np.linalg.lstsq(basis.T, row, rcond=None)[0] for row in rows]
    np.testing.assert_allclose(model.set_params(features="pinv").transform(X), wanted, rtol=1e-7, atol=1e-9)
    wanted = [optimize.nnls(basis.T, row)[0] for row in rows]
    np.testing.assert_allclose(model.set_params(features="nnls").transform(X), wanted, rtol=1e-6, atol=1e-9)
    with pytest.raises(ValueError, match="features='lasso'"):
        model.set_params(features="lasso").transform(X)


def test_sparse_and_implicit_data_permuted_samples_and_single_precision_agree() -> None:
    X, C, V = problem()
    X[X < 0.2], X[3] = 0, 0
    order = np.random.default_rng(0).permutation(N)
    settings: dict[str, Any] = {"n_components": K_PARTS, "degree": 2, "max_iter": 30, "tol": 0}
    dense = methods.create("poly_nmf", init=(C, V), **settings).fit(X)
    assert np.isfinite(dense.components_).all()
    assert not dense.embedding_[3].any()
    for form in (sparse.csr_array, aslinearoperator):
        made = methods.create("poly_nmf", init=(C, V), **settings).fit(form(X))
        np.testing.assert_allclose(made.components_, dense.components_, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(made.objective_curve_, dense.objective_curve_, rtol=1e-9)
        np.testing.assert_allclose(made.transform(form(X)), dense.transform(X), rtol=1e-7, atol=1e-9)
    moved = methods.create("poly_nmf", init=(C, V[order]), **settings).fit(X[order])
    np.testing.assert_allclose(moved.embedding_, dense.embedding_[order], rtol=1e-8, atol=1e-12)
    single = methods.create("poly_nmf", init=(C, V), **settings).fit(X.astype(np.float32))
    assert single.components_.dtype == np.float32
    np.testing.assert_allclose(single.components_, dense.components_, rtol=1e-3, atol=1e-4)


def test_what_cannot_work_is_refused_with_a_reason() -> None:
    X = problem()[0]
    build = methods.spec("poly_nmf").estimator
    with pytest.raises(ValueError, match=r"degree=0.5 is too small.*indefinite"):
        build(n_components=2, degree=0.5).fit(X)
    with pytest.raises(ValueError, match="degree=30 makes numbers too large for float32"):
        build(n_components=2, degree=30).fit(100 * X.astype(np.float32))
