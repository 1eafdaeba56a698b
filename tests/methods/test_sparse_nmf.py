"""Sparse NMF against its formula, general solvers, and what it promises about sparseness and scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import methods
from methods.hoyer import most_alike, sparseness
from methods.nonnegative.sparse_nmf import SparseNMF
from methods.typing import Array

N, M, K = 40, 25, 4


def made(seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return rng.random((N, K)) @ rng.random((K, M)) + 0.05 * rng.random((N, M))


def fitted(X: Array, **params: Any) -> SparseNMF:
    settings = {"n_components": K, "max_iter": 60, "tol": 0, "random_state": 0} | params
    est: SparseNMF = methods.create("sparse_nmf", **settings).fit(X)
    return est


def objective(X: Array, W: Array, H: Array, share_W: float, share_H: float) -> float:
    price_W = 2 * share_W * np.sqrt((X**2).sum() / len(X))
    price_H = 2 * share_H * (X**2).sum() / (len(H) * np.sqrt(X.shape[1]))
    used = sum(np.linalg.norm(h) * w.sum() for h, w in zip(H, W.T, strict=True))
    spread = sum(h.sum() / np.linalg.norm(h) for h in H)
    return float(((X - W @ H) ** 2).sum() + price_W * used + price_H * spread)


@pytest.mark.parametrize("shares", [(0.0, 0.0), (0.2, 0.0), (0.0, 0.3), (0.1, 0.1)])
def test_steps_are_exact_minimisers_in_turn(shares: tuple[float, float]) -> None:
    X = made(1)
    rng = np.random.default_rng(2)
    H, W = rng.random((K, M)) + 0.1, rng.random((N, K)) + 0.1
    est = fitted(X, sparse_embedding=shares[0], sparse_parts=shares[1], init=(H.copy(), W.copy()), max_iter=1)
    start = objective(X, W, H, *shares)
    price_W = 2 * shares[0] * np.sqrt((X**2).sum() / N)
    price_H = 2 * shares[1] * (X**2).sum() / (K * np.sqrt(M))
    norms = np.linalg.norm(H, axis=1)
    H, W = H / norms[:, None], W * norms
    for _ in range(3):
        for j in range(K):
            left = X - W @ H + np.outer(W[:, j], H[j])
            h = np.maximum(left.T @ W[:, j] - price_H / 2, 0)
            H[j] = h / np.linalg.norm(h) if h.any() else np.eye(M)[(left.T @ W[:, j]).argmax()]
    for _ in range(3):
        for j in range(K):
            left = X - W @ H + np.outer(W[:, j], H[j])
            W[:, j] = np.maximum(left @ H[j] - price_W / 2, 0)
    np.testing.assert_allclose(est.components_, H, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(est.embedding_, W, rtol=1e-9, atol=1e-12)
    expected = [start, objective(X, W, H, *shares)]
    np.testing.assert_allclose(est.objective_curve_, expected, rtol=1e-10)


def test_without_a_price_it_is_nmf() -> None:
    X = made(3)
    free = fitted(X, sparse_embedding=0.0, max_iter=2000)
    plain = methods.create("nmf", n_components=K, solver="accelerated", max_iter=2000, tol=0, random_state=0)
    assert np.isclose(free.objective_curve_[-1], plain.fit(X).objective_curve_[-1], rtol=0.05)


def test_a_higher_price_leaves_fewer_entries() -> None:
    X = made(4)
    used = [(fitted(X, sparse_embedding=share).embedding_ > 0).mean() for share in (0.0, 0.2, 0.5)]
    assert used[0] > used[1] > used[2]
    kept = [
        (fitted(X, sparse_embedding=0, sparse_parts=share).components_ > 0).mean() for share in (0.0, 1.0)
    ]
    assert kept[0] > kept[1]


@pytest.mark.parametrize("scale", [1e-6, 1e5])
@pytest.mark.parametrize("which", ["sparse_embedding", "sparse_parts", "hoyer_parts", "hoyer_embedding"])
def test_a_setting_means_the_same_at_any_scale(scale: float, which: str) -> None:
    X = made(5)
    one, other = (fitted(data, max_iter=15, **{which: 0.3}) for data in (X, scale * X))
    np.testing.assert_allclose(other.components_, one.components_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(other.embedding_ / scale, one.embedding_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("hoyer", [0.0, 0.3, 0.7, 0.95])
@pytest.mark.parametrize("which", ["hoyer_parts", "hoyer_embedding"])
def test_sparseness_is_kept_and_the_objective_never_rises(hoyer: float, which: str) -> None:
    X = made(6)
    for sparse_embedding in (0.0, 0.1):
        est = fitted(X, sparse_embedding=sparse_embedding, **{which: hoyer})
        rows = est.components_ if which == "hoyer_parts" else est.embedding_.T
        rows = rows[rows.any(axis=1)]
        np.testing.assert_allclose(sparseness(rows), hoyer, atol=1e-7)
        assert (np.diff(est.objective_curve_) <= 1e-10 * est.objective_curve_[0]).all()
        assert rows.min() >= 0


@pytest.mark.parametrize("seed", range(8))
def test_no_part_of_that_sparseness_is_more_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    point, hoyer = rng.standard_normal(6), rng.uniform(0.1, 0.9)
    found = most_alike(point, hoyer)
    assert np.isclose(np.linalg.norm(found), 1)
    assert np.isclose(sparseness(found[None])[0], hoyer, atol=1e-7)
    total = np.sqrt(6) - hoyer * (np.sqrt(6) - 1)
    rules = (
        {"type": "eq", "fun": lambda h: h @ h - 1},
        {"type": "eq", "fun": lambda h: h.sum() - total},
    )
    for _ in range(20):
        start = rng.random(6)
        other = optimize.minimize(lambda h: -h @ point, start, bounds=[(0, 1)] * 6, constraints=rules)
        if other.success and abs(other.x @ other.x - 1) < 1e-6:
            assert point @ found >= point @ other.x - 1e-5


def test_entries_all_alike_still_get_their_sparseness() -> None:
    found = most_alike(np.ones(9), 0.5)
    assert np.isclose(sparseness(found[None])[0], 0.5, atol=1e-6)
    assert np.isclose(np.linalg.norm(found), 1)


def test_sparseness_of_the_extremes() -> None:
    rows = np.vstack([np.ones(9), np.eye(9)[0], np.zeros(9)])
    np.testing.assert_allclose(sparseness(rows), [0, 1, 0], atol=1e-12)


@pytest.mark.parametrize("name", ["hoyer_parts", "hoyer_embedding"])
def test_more_than_a_single_entry_cannot_be_asked_for(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        fitted(made(), **{name: 1.2})
