"""Separable NMF against successive projection by the formula, and against corners that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize, sparse

import methods
from methods.nonnegative.separable_nmf import SeparableNMF
from methods.typing import Array

N, M, K = 40, 25, 4


def mixtures(seed: int = 0, noise: float = 0.0) -> tuple[Array, set[int]]:
    """Mixtures of K pure samples, which are among them, and where these are."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(K), N)
    corners = rng.choice(N, K, replace=False)
    shares[corners] = np.eye(K)
    brightness = rng.uniform(0.5, 2, (N, 1))
    X = brightness * (shares @ rng.random((K, M))) + noise * rng.random((N, M))
    return X, set(corners.tolist())


def fitted(X: Any, **params: Any) -> SeparableNMF:
    est: SeparableNMF = methods.create("separable_nmf", **({"n_components": K} | params)).fit(X)
    return est


def successive_projection(X: Array, k: int) -> list[int]:
    R, chosen = X / X.sum(axis=1, keepdims=True), []
    for _ in range(k):
        chosen.append(int(np.square(R).sum(axis=1).argmax()))
        u = R[chosen[-1]].copy()
        R = R - np.outer(R @ u, u) / (u @ u)
    return chosen


@pytest.mark.parametrize("seed", range(3))
def test_samples_are_chosen_and_weighed_as_the_formula_says(seed: int) -> None:
    X = np.random.default_rng(seed).random((N, M))
    est = fitted(X, n_components=7)
    assert est.anchors_.tolist() == successive_projection(X, 7)
    np.testing.assert_array_equal(est.components_, X[est.anchors_])
    weights = np.array([optimize.nnls(est.components_.T, row)[0] for row in X])
    np.testing.assert_allclose(est.embedding_, weights, atol=1e-8)
    left = np.square(X - weights @ est.components_).sum()
    assert est.objective_curve_[-1] == pytest.approx(left)
    assert len(est.objective_curve_) == 8


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_pure_samples_are_found(seed: int, form: Any) -> None:
    X, corners = mixtures(seed)
    for dtype, left in ((np.float64, 1e-20), (np.float32, 1e-10)):
        est = fitted(form(X.astype(dtype)))
        assert set(est.anchors_.tolist()) == corners
        assert est.objective_curve_[-1] <= left * np.square(X).sum()


def test_a_little_noise_moves_no_corner_and_brightness_does_not_count() -> None:
    X, corners = mixtures(1, noise=1e-3)
    assert set(fitted(X).anchors_.tolist()) == corners
    # By length alone the brightest sample is the first.
    assert fitted(X, unit_sum=False).anchors_[0] == np.linalg.norm(X, axis=1).argmax()


@pytest.mark.parametrize("scale", [1e-30, 1e30])
@pytest.mark.parametrize("unit_sum", [True, False])
def test_the_scale_of_the_data_changes_no_choice(scale: float, unit_sum: bool) -> None:
    X = np.random.default_rng(3).random((N, M))
    one, other = (fitted(data, unit_sum=unit_sum) for data in (X, scale * X))
    np.testing.assert_array_equal(one.anchors_, other.anchors_)
    np.testing.assert_allclose(one.embedding_, other.embedding_, rtol=1e-8, atol=1e-12)


def test_where_nothing_is_left_no_further_part_is_chosen() -> None:
    X, corners = mixtures(2)
    est = fitted(X, n_components=K + 3)
    assert set(est.anchors_[:K].tolist()) == corners
    assert est.anchors_[K:].tolist() == [-1] * 3
    assert not est.components_[K:].any()
    assert est.status_ == "done"


def test_more_corners_than_there_can_be_are_refused() -> None:
    with pytest.raises(ValueError, match=f"n_components={M + 1} is more than the data hold"):
        fitted(mixtures()[0], n_components=M + 1)
