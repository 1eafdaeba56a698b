"""Minibatch NMF against plain loops over batches, and against NMF where one batch is everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import methods
from methods.typing import Array

N, M, K = 60, 15, 4


def made(seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    return rng.random((N, K)) @ rng.random((K, M)) + 0.1 * rng.random((N, M))


def minibatch(**params: Any) -> Any:
    usual = {"n_components": K, "batch_size": 16, "max_iter": 40, "tol": 0, "random_state": 0}
    return methods.create("minibatch_nmf", **usual | params)


def test_batches_are_improved_one_entry_after_the_other() -> None:
    X = made()
    rng = np.random.RandomState(0)
    H, W, curve = rng.uniform(size=(K, M)), np.zeros((N, K)), [np.square(X).sum()]
    for _ in range(2):
        lengths = np.linalg.norm(H, axis=1)
        H, W = H / lengths[:, None], W * lengths
        for rows in np.array_split(rng.permutation(N), 4)[::-1]:
            for _ in range(3):
                for j in range(K):
                    slope = (X[rows] - W[rows] @ H) @ H[j]
                    W[rows, j] = np.maximum(W[rows, j] + slope / (H[j] @ H[j]), 0)
            for _ in range(2):
                for j in range(K):
                    slope = W[:, j] @ (X - W @ H)
                    H[j] = np.maximum(H[j] + slope / (W[:, j] @ W[:, j]), 0)
            curve.append(np.square(X - W @ H).sum())
    est = minibatch(max_iter=8).fit(X)
    np.testing.assert_allclose(est.components_, H, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(est.embedding_, W, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(est.objective_curve_, curve, rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_the_objective_is_that_of_all_samples_and_never_rises(size: int, dtype: Any) -> None:
    X = made(1).astype(dtype)
    est = minibatch(batch_size=size, max_iter=150)
    slack = (1e-10 if dtype == np.float64 else 2e-6) * float(np.square(X).sum())
    for step in est.iterate(X):
        left = np.square(X - step.state["embedding"] @ step.state["components"]).sum()
        assert step.objective == pytest.approx(left, abs=slack)
    assert np.diff(est.objective_curve_).max() <= slack


def test_with_everything_in_one_batch_it_ends_where_nmf_does() -> None:
    X = made(2)
    whole = minibatch(batch_size=N, max_iter=2000).fit(X)
    nmf = methods.create("nmf", n_components=K, solver="accelerated", max_iter=2000, tol=0, random_state=0)
    assert whole.objective_curve_[-1] == pytest.approx(nmf.fit(X).objective_curve_[-1], rel=0.05)


def test_sparse_rows_are_as_good_and_an_exact_start_is_taken_over() -> None:
    X, rare = made(3), np.random.default_rng(4).random((N, 8)) < 0.3
    X[:, ::2] *= rare
    dense, found = (minibatch().fit(form(X)) for form in (np.asarray, sparse.csr_array))
    np.testing.assert_allclose(found.components_, dense.components_, rtol=1e-6, atol=1e-9)
    resumed = minibatch(max_iter=0).fit(X, warm_start=dense)
    assert resumed.objective_curve_[0] == pytest.approx(dense.objective_curve_[-1])
    assert minibatch(init="nndsvda", max_iter=0).fit(X).embedding_.all()
