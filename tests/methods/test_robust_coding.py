"""Robust non-negative coding of many rows, against SciPy's solver for one row."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

import methods
from methods import nnls, robust_coding
from methods.robust_coding import robust_codes, usual_delta
from methods.typing import Array


def row_by_row(H: Array, X: Array, delta: Array) -> Array:
    def one(x: Array, reach: float) -> Array:
        return optimize.least_squares(
            lambda z: z @ H - x, np.full(len(H), 0.1), lambda z: H.T, bounds=(0, np.inf), loss="huber",
            f_scale=reach, method="dogbox", ftol=1e-15, xtol=1e-15, gtol=1e-15, max_nfev=5000,
        ).x  # fmt: skip

    return np.array([one(x, reach) for x, reach in zip(X, delta, strict=True)])


def spoiled_rows(seed: int, n: int = 30, k: int = 8, m: int = 60) -> tuple[Array, Array]:
    """Parts and rows made of them, with a stretch of each row covered and some noise all over."""
    rng = np.random.default_rng(seed)
    H = rng.random((k, m)) * (rng.random((k, m)) < 0.7)
    X = (rng.random((n, k)) * (rng.random((n, k)) < 0.6)) @ H + 0.05 * rng.standard_normal((n, m))
    for row, start in enumerate(rng.integers(0, m - 10, n)):
        X[row, start : start + 10] = 3 * rng.random()
    return H, X


@pytest.mark.parametrize("seed", range(4))
def test_equals_scipy_row_by_row(seed: int) -> None:
    H, X = spoiled_rows(seed)
    delta = usual_delta(X - nnls.least_squares(H, X) @ H)
    Z = robust_codes(H, X, delta)
    assert np.abs(Z - row_by_row(H, X, delta)).max() < 1e-6
    assert (Z == 0).any()


def test_equals_scipy_for_a_reach_of_ones_own_and_parts_of_any_length() -> None:
    H, X = spoiled_rows(9)
    H *= np.geomspace(0.01, 100, len(H))[:, None]
    Z = robust_codes(H, X, 0.05)
    expected = row_by_row(H / np.linalg.norm(H, axis=1)[:, None], X, np.full(len(X), 0.05))
    assert np.abs(Z * np.linalg.norm(H, axis=1) - expected).max() < 1e-6


def test_with_a_far_reach_it_is_least_squares() -> None:
    H, X = spoiled_rows(1)
    assert np.abs(robust_codes(H, X, 1e6) - nnls.least_squares(H, X)).max() < 1e-10


def test_what_is_covered_hardly_changes_the_answer() -> None:
    rng = np.random.default_rng(2)
    H = rng.random((6, 200))
    truth = rng.random((20, 6))
    X = truth @ H + 0.01 * rng.standard_normal((20, 200))
    X[:, 50:80] = 5
    misled = np.abs(nnls.least_squares(H, X) - truth).max()
    assert np.abs(robust_codes(H, X) - truth).max() < 0.1 < 0.5 < misled


def test_rows_do_not_depend_on_each_other_and_portions_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    H, X = spoiled_rows(3)
    whole = robust_codes(H, X)
    assert np.allclose(robust_codes(H, X[4:5]), whole[4:5], atol=1e-10)
    monkeypatch.setattr(robust_coding, "_PORTION", 1)
    assert np.allclose(robust_codes(H, X), whole, atol=1e-10)
    assert robust_codes(H, X[:0]).shape == (0, len(H))


def test_rows_whose_steps_go_in_circles_are_solved_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    H, X = spoiled_rows(4)
    expected = robust_codes(H, X)
    monkeypatch.setattr(robust_coding, "_NEWTON", 0)
    assert np.abs(robust_codes(H, X) - expected).max() < 1e-6


def test_parts_that_are_zero_or_copies_and_rows_of_zeros() -> None:
    H, X = spoiled_rows(5)
    H[2] = 0
    H[3] = H[1]
    X[0] = 0
    Z = robust_codes(H, X, 0.1)
    assert np.isfinite(Z).all()
    assert not Z[:, 2].any()
    assert not Z[0].any()
    fewer = np.delete(H, [2, 3], axis=0)
    assert np.allclose(Z @ H, robust_codes(fewer, X, 0.1) @ fewer, atol=1e-6)


def test_a_reach_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="delta must be above 0"):
        robust_codes(*spoiled_rows(6), delta=0.0)


@pytest.mark.parametrize("name", ["nmf", "n2s2l", "ndtf_2d"])
def test_transform_offers_it(name: str) -> None:
    X = np.abs(spoiled_rows(7)[1])
    est = methods.create(name, n_components=6, max_iter=20, tol=0.0, random_state=0)
    est.fit(X, np.arange(len(X)) % 3)
    found = est.set_params(features="robust").transform(X.astype(np.float32))
    assert (found >= 0).all()
    assert found.dtype == est.components_.dtype
    assert np.allclose(found, robust_codes(est.components_, X.astype(np.float32)), atol=1e-4)
