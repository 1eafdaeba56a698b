"""Kernel PCA against scikit-learn's, and against plain PCA where the kernel is linear."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial.distance import pdist
from sklearn.decomposition import KernelPCA

import methods

Array = NDArray[Any]
N, M, K_PARTS = 25, 6, 4


def rows(seed: int, n: int = N) -> Array:
    return np.random.default_rng(seed).random((n, M))


def turned(made: Array, wanted: Array) -> Array:
    """Return `made` with the sign of each column that fits `wanted`: an eigenvector has none of its own."""
    return made * np.sign((made * wanted).sum(axis=0))


def oracle(X: Array, kernel: str, **params: float) -> Any:
    if kernel == "gaussian":
        gamma = 1 / (2 * (params["sigma"] * np.median(pdist(X))) ** 2)
        return KernelPCA(K_PARTS, kernel="rbf", gamma=gamma, eigen_solver="dense").fit(X)
    return KernelPCA(
        K_PARTS, kernel="poly", gamma=1, coef0=0, degree=params["degree"], eigen_solver="dense"
    ).fit(X)


CASES = [
    ("gaussian", {"sigma": 0.5}),
    ("gaussian", {"sigma": 2.0}),
    ("polynomial", {"degree": 2}),
    ("polynomial", {"degree": 3}),
]


@pytest.mark.parametrize(("kernel", "params"), CASES)
def test_equals_scikit_learn(kernel: str, params: dict[str, float]) -> None:
    X, unseen = rows(0), rows(1, 7)
    model = methods.create("kernel_pca", n_components=K_PARTS, kernel=kernel, **params).fit(X)
    wanted = oracle(X, kernel, **params)
    np.testing.assert_allclose(
        turned(model.embedding_, wanted.transform(X)), wanted.transform(X), rtol=1e-8, atol=1e-10
    )
    for asked in (X, unseen):
        expected = wanted.transform(asked)
        np.testing.assert_allclose(turned(model.transform(asked), expected), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(("kernel", "params"), CASES)
def test_objective_is_the_variance_left_after_each_component(kernel: str, params: dict[str, float]) -> None:
    X = rows(0)
    model = methods.create("kernel_pca", n_components=N - 1, kernel=kernel, **params)
    explained = [(step.state["embedding"] ** 2).sum() for step in model.iterate(X)]
    curve = model.objective_curve_
    np.testing.assert_allclose(curve[0] - curve, explained, rtol=1e-9, atol=1e-9 * curve[0])
    assert (np.diff(curve) <= 0).all()
    assert curve[-1] == pytest.approx(0, abs=1e-9 * curve[0])
    assert model.status_ == "done"


def test_with_a_linear_kernel_it_is_pca() -> None:
    X, unseen = rows(0), rows(1, 7)
    model = methods.create("kernel_pca", n_components=K_PARTS, kernel="polynomial", degree=1).fit(X)
    pca = methods.create("pca", n_components=K_PARTS).fit(X)
    wanted = pca.transform(unseen)
    np.testing.assert_allclose(turned(model.transform(unseen), wanted), wanted, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(
        turned(model.components_.T, pca.components_.T), pca.components_.T, rtol=1e-8, atol=1e-10
    )
    np.testing.assert_allclose(model.objective_curve_, pca.objective_curve_, rtol=1e-9)


def test_with_a_linear_kernel_rows_are_rebuilt_as_by_pca() -> None:
    X, unseen = rows(0), rows(1, 7)
    model = methods.create("kernel_pca", n_components=K_PARTS, kernel="polynomial", degree=1).fit(X)
    pca = methods.create("pca", n_components=K_PARTS).fit(X)
    for asked in (X, unseen):
        found, wanted = (one.inverse_transform(one.transform(asked)) for one in (model, pca))
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("kernel", "params"), CASES)
def test_rows_are_rebuilt_as_well_as_any_linear_map_can(kernel: str, params: dict[str, float]) -> None:
    X = rows(0)
    model = methods.create("kernel_pca", n_components=K_PARTS, kernel=kernel, **params).fit(X)
    with_constant = np.column_stack([model.embedding_, np.ones(N)])
    wanted = with_constant @ np.linalg.lstsq(with_constant, X)[0]
    np.testing.assert_allclose(model.inverse_transform(model.embedding_), wanted, rtol=1e-8, atol=1e-10)
    whole = methods.create("kernel_pca", n_components=N - 1, kernel="gaussian", sigma=0.5).fit(X)
    np.testing.assert_allclose(whole.inverse_transform(whole.embedding_), X, rtol=1e-7, atol=1e-9)
    assert model.fit(sparse.csr_array(X)).mean_.shape == (M,)


def test_directions_that_do_not_exist_stay_zero() -> None:
    X = np.vstack([rows(0, 3), rows(0, 3)])
    model = methods.create("kernel_pca", n_components=6).fit(X)
    # Three different samples span two directions around their mean.
    assert np.abs(model.embedding_[:, :2]).max() > 0.1
    np.testing.assert_array_equal(model.embedding_[:, 2:], 0)
    np.testing.assert_array_equal(model.transform(rows(1, 4))[:, 2:], 0)
    same = methods.create("kernel_pca", n_components=2).fit(np.ones((4, 3)))
    np.testing.assert_array_equal(same.transform(np.ones((2, 3))), 0)


def test_permuted_samples_sparse_data_and_single_precision_agree() -> None:
    X = rows(0)
    X[X < 0.3] = 0
    order = np.random.default_rng(0).permutation(N)
    one = methods.create("kernel_pca", n_components=K_PARTS).fit(X)
    moved = methods.create("kernel_pca", n_components=K_PARTS).fit(X[order])
    np.testing.assert_allclose(
        turned(moved.embedding_, one.embedding_[order]), one.embedding_[order], rtol=1e-7, atol=1e-9
    )
    thin = methods.create("kernel_pca", n_components=K_PARTS).fit(sparse.csr_array(X))
    np.testing.assert_allclose(
        turned(thin.transform(sparse.csr_array(X)), one.embedding_), one.embedding_, rtol=1e-7, atol=1e-9
    )
    single = methods.create("kernel_pca", n_components=K_PARTS).fit(X.astype(np.float32))
    assert single.embedding_.dtype == single.components_.dtype == np.float32
    scores = turned(single.embedding_, one.embedding_)
    np.testing.assert_allclose(scores, one.embedding_, rtol=1e-3, atol=1e-4)


def test_what_cannot_work_is_refused_with_a_reason() -> None:
    X = rows(0)
    build = methods.spec("kernel_pca").estimator
    with pytest.raises(ValueError, match="25 samples give at most 25"):
        build(n_components=26).fit(X)
    with pytest.raises(ValueError, match=r"sigma=0.01.*chance"):
        build(sigma=0.01).fit(X)
    with pytest.raises(ValueError, match=r"degree=0.2.*indefinite"):
        build(kernel="polynomial", degree=0.2).fit(X)
    with pytest.raises(ValueError, match="Negative values"):
        build(kernel="polynomial", degree=1.5).fit(X - 0.5)
    assert build(2, kernel="polynomial", degree=2).fit_transform(X - 0.5).shape == (N, 2)
