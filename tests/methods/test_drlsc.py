"""DRLSC against its formula with both graphs built pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from methods.classifiers.drlsc import DRLSC
from tests.methods.manifold_problems import (
    C_A,
    accuracy,
    clouds,
    kernel,
    label_columns,
    squares_criterion,
    unit,
)


def laplacians(U: Any, partial: Any, p: int) -> tuple[Any, Any]:
    """L_w and L_b over the labelled samples, each joined with its p nearest labelled ones."""
    n = len(U)
    known = [i for i in range(n) if partial[i] >= 0]
    W = {True: np.zeros((n, n)), False: np.zeros((n, n))}
    for i in known:
        near = sorted((float(((U[i] - U[j]) ** 2).sum()), j) for j in known if j != i)[:p]
        for _, j in near:
            alike = bool(partial[i] == partial[j])
            W[alike][i, j] = W[alike][j, i] = 1
    return np.diag(W[True].sum(1)) - W[True], np.diag(W[False].sum(1)) - W[False]


@pytest.mark.parametrize("eta", [0.0, 0.3, 1.0])
def test_coefficients_follow_the_formula(eta: float) -> None:
    X, _, partial = clouds()
    fitted = DRLSC(eta=eta, c_intrinsic=0.05).fit(X, partial)
    U = unit(X)
    K, (within, between) = kernel(U, U), laplacians(U, partial, 7)
    assert within.any()
    assert between.any()
    Y, J = label_columns(partial)
    P = eta * within - (1 - eta) * between
    B = Y @ np.linalg.inv(K @ J + C_A * np.eye(len(X)) + 0.05 * K @ P)
    np.testing.assert_allclose(fitted.coef_, B.T, rtol=0, atol=1e-9)
    terms = squares_criterion(fitted.coef_, K, P, partial, c_i=0.05)
    assert fitted.objective_curve_[-1] == pytest.approx(terms.sum(), abs=1e-10)
    assert np.all(np.diff(fitted.objective_curve_) <= 1e-12)


def test_no_change_lowers_the_criterion() -> None:
    X, _, partial = clouds(1)
    fitted = DRLSC(c_intrinsic=0.05).fit(X, partial)
    K, (within, between) = kernel(unit(X), unit(X)), laplacians(unit(X), partial, 7)
    rng = np.random.default_rng(0)
    for _ in range(30):
        moved = fitted.coef_ + 0.1 * rng.normal(size=fitted.coef_.shape)
        value = squares_criterion(moved, K, (within - between) / 2, partial, c_i=0.05).sum()
        assert value > fitted.objective_curve_[-1]


def test_unlabelled_rows_take_no_part() -> None:
    X, _, partial = clouds(2)
    known = partial >= 0
    alone, among = DRLSC().fit(X[known], partial[known]), DRLSC().fit(X, partial)
    np.testing.assert_allclose(among.decision_function(X), alone.decision_function(X), atol=1e-10)
    assert not among.coef_[~known].any()


def test_permuting_samples_permutes_results() -> None:
    X, _, partial = clouds(3)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = DRLSC().fit(X, partial), DRLSC().fit(X[order], partial[order])
    np.testing.assert_allclose(second.embedding_, first.embedding_[order], atol=1e-9)


def test_single_precision_is_close_to_double() -> None:
    X, _, partial = clouds(4)
    X = X.astype(np.float32)
    single, double = DRLSC().fit(X, partial), DRLSC().fit(X.astype(np.float64), partial)
    np.testing.assert_allclose(single.embedding_, double.embedding_, atol=1e-3)


def test_impossible_problems_are_refused() -> None:
    X, _, partial = clouds(5)
    with pytest.raises(ValueError, match=r"c_intrinsic=100 .*no minimum"):
        DRLSC(eta=0.0, c_intrinsic=100.0).fit(X, partial)
    with pytest.raises(ValueError, match=r"eta=1\.5"):
        DRLSC(eta=1.5).fit(X, partial)
    with pytest.raises(ValueError, match="at least two classes"):
        DRLSC().fit(X, np.zeros(len(X), dtype=int))


def test_accuracy_on_digits_with_five_labels_a_class() -> None:
    assert accuracy(DRLSC(), "digits", 5) >= 0.84
