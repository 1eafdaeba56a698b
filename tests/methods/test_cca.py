"""CCA against the textbook eigenproblem and scikit-learn's own; more views against Carroll's definition."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn import cross_decomposition

import methods
from methods.multiview import principal

Array = NDArray[Any]


def problem(n: int = 60, sizes: tuple[int, ...] = (6, 5), seed: int = 0) -> list[Array]:
    rng = np.random.default_rng(seed)
    shared = rng.standard_normal((n, 3)) * [3, 2, 1]
    return [shared @ rng.standard_normal((3, m)) + rng.standard_normal((n, m)) + 5 for m in sizes]


def fit(views: Any, **params: Any) -> Any:
    return methods.create("cca", **({"unit_samples": False} | params)).fit(views)


def test_equals_the_textbook() -> None:
    X, Y = problem()
    A, B = X - X.mean(axis=0), Y - Y.mean(axis=0)
    cross = A.T @ B
    values, vectors = linalg.eigh(cross @ np.linalg.inv(B.T @ B) @ cross.T, A.T @ A)
    model = fit([X, Y], n_components=4)
    np.testing.assert_allclose(model.correlations_, np.sqrt(values[::-1][:4]), rtol=1e-9)
    # What view 1 contributes to a coordinate is the canonical variate of view 1.
    ours = A @ model.components_[0].T
    theirs = A @ vectors[:, ::-1][:, :4]
    for j in range(4):
        assert abs(np.corrcoef(ours[:, j], theirs[:, j])[0, 1]) == pytest.approx(1, abs=1e-9)
        partner = B @ model.components_[1][j]
        assert np.corrcoef(ours[:, j], partner)[0, 1] == pytest.approx(model.correlations_[j], rel=1e-9)


def test_agrees_with_scikit_learn() -> None:
    X, Y = problem()
    left, right = cross_decomposition.CCA(n_components=3, max_iter=5000, tol=1e-14).fit_transform(X, Y)
    wanted = [abs(np.corrcoef(left[:, j], right[:, j])[0, 1]) for j in range(3)]
    np.testing.assert_allclose(fit([X, Y], n_components=3).correlations_, wanted, rtol=1e-6)


def test_more_views_maximise_what_all_of_them_hold_of_the_coordinates() -> None:
    views = problem(sizes=(6, 5, 4))
    projections = []
    for X in views:
        A = X - X.mean(axis=0)
        projections.append(A @ np.linalg.pinv(A))
    values, vectors = np.linalg.eigh(sum(projections))
    model = fit(views, n_components=3)
    G = model.embedding_ / np.sqrt(len(views[0]))
    np.testing.assert_allclose(G.T @ G, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(np.abs((G * vectors[:, ::-1][:, :3]).sum(axis=0)), 1, rtol=1e-9)
    np.testing.assert_allclose(model.correlations_, (values[::-1][:3] - 1) / 2, rtol=1e-9)
    # A small view does not keep two larger ones from sharing more.
    assert fit(views).embedding_.shape[1] == 5


def test_embedding_is_the_transform_of_the_training_rows() -> None:
    views = problem(sizes=(6, 5, 4))
    for unit in (False, True):
        model = fit(views, n_components=3, unit_samples=unit)
        np.testing.assert_allclose(model.transform(views), model.embedding_, rtol=1e-8, atol=1e-9)
    with pytest.raises(ValueError, match="2 view"):
        model.transform(views[:2])


def test_each_step_lets_one_coordinate_in() -> None:
    views = problem()
    model = methods.create("cca", n_components=3, unit_samples=False)
    steps = [step.copy() for step in model.iterate(views)]
    assert [np.count_nonzero(step.state["embedding"].any(axis=0)) for step in steps] == [0, 1, 2, 3]
    drops = [before.objective - after.objective for before, after in pairwise(steps)]
    np.testing.assert_allclose(drops, model.correlations_, rtol=1e-9)


def test_principal_axes_first_keep_noise_out() -> None:
    rng = np.random.default_rng(0)
    # More features than samples: without PCA every correlation is 1.
    views = [rng.standard_normal((30, 40)) for _ in range(2)]
    assert fit(views, n_components=1, pca_components=40).correlations_[0] == pytest.approx(1)
    assert fit(views, n_components=1, pca_components=3).correlations_[0] < 0.8


@pytest.mark.parametrize("shape", [(60, 6), (20, 50)])
def test_sparse_views_are_like_dense_ones(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    views = [np.where((X := rng.random(shape)) > 0.5, X, 0) for _ in range(2)]
    dense = fit(views, n_components=3, pca_components=5)
    thin = [sparse.csr_matrix(views[0]), sparse.csc_array(views[1])]
    whole = fit(thin, n_components=3, pca_components=5)
    np.testing.assert_allclose(whole.embedding_, dense.embedding_, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(whole.transform(thin), dense.transform(views), rtol=1e-6, atol=1e-8)
    # Large views: leading axes by products alone.
    monkeypatch.setattr(principal, "_WHOLE", 1)
    leading = fit(thin, n_components=3, pca_components=5)
    np.testing.assert_allclose(leading.embedding_, dense.embedding_, rtol=1e-6, atol=1e-8)


def test_what_cannot_be_done_is_refused() -> None:
    views = problem()
    for given, params, message in (
        (views[0], {}, "at least two"),
        (views, {"n_components": 6}, "at most 5"),
        ({"a": views[0], "b": np.ones((60, 3))}, {}, "View 'b' has rows that are all the same"),
        ({"a": views[0], "b": aslinearoperator(views[1])}, {}, "View 'b' offers products"),
    ):
        with pytest.raises(ValueError, match=message):
            fit(given, **params)
