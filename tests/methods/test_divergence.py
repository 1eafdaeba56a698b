"""KL and Itakura–Saito factorization against the formulas, scikit-learn, and what its steps promise."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import optimize, sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.decomposition import NMF

import methods
from methods.divergence import Misfit
from methods.typing import Array

KL, IS = "kullback-leibler", "itakura-saito"
N, M, K = 23, 70, 4
losses = pytest.mark.parametrize("loss", [KL, IS])
solvers = pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])


def made(loss: str, seed: int = 0) -> tuple[Array, Array, Array]:
    """Counts with many zeros for KL, positive numbers for Itakura–Saito; and a start."""
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.6, 1, (N, K)) @ rng.gamma(0.6, 1, (K, M)) + 0.01
    X = rng.poisson(2 * X).astype(float) if loss == KL else X * rng.gamma(5, 0.2, X.shape)
    return X, rng.random((K, M)) + 0.1, rng.random((N, K)) + 0.1


def divergence(loss: str, X: Array, Y: Array) -> float:
    if loss == KL:
        logs = np.log(np.where(X > 0, X, 1) / np.where(X > 0, Y, 1))
        return float((X * logs - X + Y).sum())
    return float((X / Y - np.log(X / Y) - 1).sum())


def fitted(loss: str, X: Any, start: Any = None, **params: Any) -> Any:
    settings = {"n_components": K, "loss": loss, "max_iter": 30, "tol": 0, "random_state": 0}
    return methods.create("nmf", **settings | ({"init": start} if start else {}) | params).fit(X)


@losses
@pytest.mark.parametrize("iterations", [1, 30])
def test_multiplicative_steps_are_the_published_ones(loss: str, iterations: int) -> None:
    X, H, W = made(loss)
    est = fitted(loss, X, (H, W), max_iter=iterations)
    for _ in range(iterations):
        for which in ("H", "W"):
            Y = W @ H
            up, down = (X / Y, np.ones_like(X)) if loss == KL else (X / Y**2, 1 / Y)
            power = 1 if loss == KL else 0.5
            if which == "H":
                H = H * ((W.T @ up) / (W.T @ down)) ** power
            else:
                W = W * ((up @ H.T) / (down @ H.T)) ** power
    np.testing.assert_allclose(est.components_, H, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, W, rtol=1e-9)
    assert np.isclose(est.objective_curve_[-1], divergence(loss, X, W @ H), rtol=1e-9)


@losses
def test_multiplicative_steps_equal_scikit_learns(loss: str) -> None:
    # It updates the other factor first: of the transposed data that is ours.
    X, H, W = made(loss, 1)
    theirs = NMF(K, init="custom", solver="mu", beta_loss=loss, max_iter=20, tol=0)
    parts = theirs.fit_transform(X.T.copy(), W=H.T.copy(), H=W.T.copy()).T
    est = fitted(loss, X, (H, W), max_iter=20)
    np.testing.assert_allclose(est.components_, parts, rtol=1e-6)
    np.testing.assert_allclose(est.embedding_, theirs.components_.T, rtol=1e-6)


@losses
def test_accelerated_gets_further_than_many_multiplicative_steps(loss: str) -> None:
    X, H, W = made(loss, 2)
    slow = fitted(loss, X, (H, W), max_iter=300)
    fast = fitted(loss, X, (H, W), max_iter=60, solver="accelerated")
    assert fast.objective_curve_[-1] <= slow.objective_curve_[-1] * 1.001
    assert np.isclose(
        fast.objective_curve_[-1], divergence(loss, X, np.maximum(fast.embedding_ @ fast.components_, 1e-15))
    )


@pytest.mark.parametrize("seed", range(3))
def test_steps_of_the_embedding_end_at_the_minimum(seed: int) -> None:
    # With parts as they are, KL is convex in the embedding: a general solver must end at the same value.
    X, H, W = made(KL, seed)
    misfit, turned = Misfit(X, KL), np.ascontiguousarray(W.T)
    for _ in range(300):
        misfit.step_embedding(turned, H)
    for row in range(3):

        def value(w: Array, x: Array = X[row]) -> tuple[float, Array]:
            y = w @ H
            return float((y - x * np.log(y)).sum()), H @ (1 - x / y)

        best = optimize.minimize(value, W[row], jac=True, bounds=[(1e-12, None)] * K, options={"ftol": 1e-14})
        assert value(turned[:, row] + 1e-15)[0] <= best.fun + 1e-6 * abs(best.fun)


@losses
@solvers
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=20)
def test_never_rises(loss: str, solver: str, data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from([np.float64, np.float32]), "dtype")
    X, _, _ = made(loss, data.draw(st.integers(0, 2**31), "seed"))
    X = X[X.any(axis=1)][:, X.any(axis=0)] * 10.0 ** data.draw(st.integers(-6, 6), "scale")
    est = fitted(loss, X.astype(dtype), solver=solver)
    curve = est.objective_curve_
    assert np.isfinite(curve).all()
    slack = (1e-10 if dtype == np.float64 else 2e-5) * max(np.abs(curve).max(), abs(float(X.sum())))
    assert (np.diff(curve) <= slack).all(), np.diff(curve).max() / curve.max()
    assert est.components_.dtype == est.embedding_.dtype == dtype
    assert curve[-1] < curve[0]


@losses
@solvers
def test_steps_alone_never_rise(loss: str, solver: str) -> None:
    # Without the guard of the solver: it is the step itself that cannot overshoot.
    for seed in range(20):
        X, H, W = made(loss, seed)
        misfit, W = Misfit(X, loss), np.ascontiguousarray(W.T)
        before = misfit.value(W.T, H)
        for _ in range(10):
            for step, one, other in ((misfit.step_parts, H, W), (misfit.step_embedding, W, H)):
                step(one, other)
                now = misfit.value(W.T, H)
                assert now <= before * (1 + 1e-12)
                before = now


@solvers
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array])
def test_sparse_counts_give_the_same(solver: str, form: Any) -> None:
    X, H, W = made(KL, 3)
    dense = fitted(KL, X, (H, W), solver=solver)
    other = fitted(KL, form(X), (H, W), solver=solver)
    np.testing.assert_allclose(other.objective_curve_, dense.objective_curve_, rtol=1e-9)
    np.testing.assert_allclose(other.components_, dense.components_, rtol=1e-6, atol=1e-9)


@solvers
def test_sparse_counts_stay_sparse(solver: str) -> None:
    # Dense, these would be 80 GB.
    rng = np.random.default_rng(0)
    shape, entries = (200_000, 50_000), 60_000
    places = (rng.integers(0, shape[0], entries), rng.integers(0, shape[1], entries))
    X = sparse.csr_array((rng.integers(1, 9, entries).astype(np.float32), places), shape=shape)
    est = fitted(KL, X, n_components=2, max_iter=2, solver=solver)
    assert est.objective_curve_[-1] < est.objective_curve_[0]


def test_what_a_misfit_cannot_measure_is_refused() -> None:
    X, _, _ = made(KL, 4)
    with pytest.raises(ValueError, match="above zero"):
        fitted(IS, X)
    with pytest.raises(ValueError, match="every entry"):
        fitted(KL, np.where(X > 5, np.nan, X))
    with pytest.raises(ValueError, match="entry by entry"):
        fitted(KL, aslinearoperator(X))
    with pytest.raises(ValueError, match="loss='other'"):
        fitted("other", X)


@solvers
def test_features_of_unseen_rows_and_going_on(solver: str) -> None:
    X, _, _ = made(KL, 5)
    est = fitted(KL, X, solver=solver)
    assert est.transform(X).shape == (N, K)
    again = methods.create("nmf", n_components=K, loss=KL, solver=solver, max_iter=5, tol=0)
    again.fit(X, warm_start=est)
    assert np.isclose(again.objective_curve_[0], est.objective_curve_[-1], rtol=1e-9)
