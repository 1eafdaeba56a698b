"""PCA against scikit-learn's, and step by step against the best approximation of each rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import PCA

import methods

Array = NDArray[Any]


def made(n: int, m: int, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.standard_normal((n, m)) * np.geomspace(3, 0.1, m) + 5)


def same_up_to_sign(ours: Array, theirs: Array, axis: int) -> None:
    signs = np.sign((ours * theirs).sum(axis=axis, keepdims=True))
    np.testing.assert_allclose(ours * signs, theirs, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("n", "m", "k"), [(30, 8, 3), (8, 30, 5), (12, 12, 11), (30, 8, 8)])
def test_equals_scikit_learn(n: int, m: int, k: int) -> None:
    X = made(n, m)
    ours = methods.create("pca", n_components=k).fit(X)
    theirs = PCA(k, svd_solver="full").fit(X)
    unseen = made(5, m, seed=1)
    same_up_to_sign(ours.components_, theirs.components_, axis=1)
    same_up_to_sign(ours.embedding_, theirs.transform(X), axis=0)
    same_up_to_sign(ours.transform(unseen), theirs.transform(unseen), axis=0)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-12)
    np.testing.assert_allclose(
        ours.inverse_transform(ours.transform(unseen)),
        theirs.inverse_transform(theirs.transform(unseen)),
        rtol=1e-9,
    )
    np.testing.assert_allclose(
        -np.diff(ours.objective_curve_), theirs.explained_variance_ * (n - 1), rtol=1e-9
    )


def test_each_step_is_the_best_approximation_of_its_rank() -> None:
    X = made(15, 6)
    centred = X - X.mean(axis=0)
    left, values, right = np.linalg.svd(centred, full_matrices=False)
    est = methods.create("pca", n_components=6)
    for rank, step in enumerate(est.iterate(X)):
        best = (left[:, :rank] * values[:rank]) @ right[:rank]
        shown = step.state["embedding"] @ step.state["components"]
        np.testing.assert_allclose(shown, best, atol=1e-12)
        assert np.isclose(step.objective, ((centred - shown) ** 2).sum(), rtol=1e-9, atol=1e-10)
    assert (rank, est.status_, est.n_iter_) == (6, "done", 6)


def test_embedding_is_the_transform_of_the_training_rows() -> None:
    X = made(20, 7)
    est = methods.create("pca", n_components=4).fit(X)
    np.testing.assert_allclose(est.transform(X), est.embedding_, rtol=1e-9, atol=1e-11)


def test_signs_do_not_depend_on_the_order_of_rows() -> None:
    X = made(20, 7)
    order = np.random.default_rng(1).permutation(20)
    one, other = (methods.create("pca", n_components=4).fit(rows) for rows in (X, X[order]))
    np.testing.assert_allclose(other.components_, one.components_, rtol=1e-9, atol=1e-11)
    assert (one.components_[np.arange(4), np.abs(one.components_).argmax(axis=1)] > 0).all()


def test_single_precision_mean_of_many_rows_far_from_zero() -> None:
    # Added up row after row in float32 the mean would be off by a hundredth.
    X = (made(20_000, 4) + 1000).astype(np.float32)
    est = methods.create("pca", n_components=2).fit(X)
    assert est.mean_.dtype == np.float32
    np.testing.assert_allclose(est.mean_, X.mean(axis=0, dtype=np.float64), rtol=1e-7)


@pytest.mark.parametrize(("n", "m", "most"), [(5, 9, 5), (9, 5, 5)])
def test_more_components_than_the_data_hold_are_refused(n: int, m: int, most: int) -> None:
    with pytest.raises(ValueError, match=rf"n_components=6 .* at most {most}"):
        methods.create("pca", n_components=6).fit(made(n, m))
