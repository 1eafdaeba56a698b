"""S-RLSC against the corrected formula in the paper's notation, columns being samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from methods.classifiers import _manifold
from methods.classifiers.s_rlsc import SRLSC
from methods.l1_graph import l1_graph
from tests.methods.manifold_problems import (
    C_A,
    C_I,
    accuracy,
    clouds,
    kernel,
    label_columns,
    squares_criterion,
    unit,
)


def system(X: Any, partial: Any, A: Any) -> tuple[Any, Any, Any]:
    K = kernel(unit(X), unit(X))
    Y, J = label_columns(partial)
    eye = np.eye(len(X))
    return K, Y, K @ J + C_A * eye + C_I * K @ (eye - A).T @ (eye - A)


@pytest.mark.parametrize("many", [2500, 1])
def test_coefficients_follow_the_corrected_formula(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # From so many samples on, a penalty matrix with few zeros is multiplied as a dense one.
    monkeypatch.setattr(_manifold, "_MANY", many)
    X, _, partial = clouds()
    fitted = SRLSC().fit(X, partial)
    K, Y, M = system(X, partial, fitted.graph_.toarray())
    B = Y @ np.linalg.inv(M)
    np.testing.assert_allclose(fitted.coef_, B.T, rtol=0, atol=1e-9)
    np.testing.assert_allclose(fitted.embedding_, (B @ K).T, rtol=0, atol=1e-9)


def test_rows_of_the_graph_are_the_codes_and_not_its_columns() -> None:
    X, _, partial = clouds(1)
    fitted = SRLSC().fit(X, partial)
    A = fitted.graph_.toarray()
    U = unit(X)
    # Row i of A makes up sample i better than nothing does; column i does not.
    for i in range(len(U)):
        assert np.abs(A[i]).sum() + np.abs(U[i] - A[i] @ U).sum() <= np.abs(U[i]).sum() * 1.01
    _, Y, M = system(X, partial, A.T)
    assert np.abs(fitted.coef_.T - Y @ np.linalg.inv(M)).max() > 1e-3


def test_gradient_of_the_criterion_vanishes() -> None:
    X, _, partial = clouds(2)
    fitted = SRLSC().fit(X, partial)
    K, Y, _ = system(X, partial, fitted.graph_.toarray())
    _, J = label_columns(partial)
    B, R = fitted.coef_.T, np.eye(len(X)) - fitted.graph_.toarray()
    # d/dB of (1/l)‖Y − BKJ‖² + γ_A tr(BKBᵀ) + γ_I/(l+u)² ‖BK(I−A)ᵀ‖², term by term.
    labelled = J.sum()
    gradient = -2 / labelled * (Y - B @ K @ J) @ J @ K
    gradient += 2 * (C_A / labelled) * B @ K + 2 * (C_I / labelled) * B @ K @ R.T @ R @ K
    assert np.abs(gradient).max() < 1e-10


def test_objective_is_the_sum_of_its_terms_and_no_change_lowers_it() -> None:
    X, _, partial = clouds(3)
    estimator = SRLSC()
    steps = [step.copy() for step in estimator.iterate(X, partial)]
    K = kernel(unit(X), unit(X))
    R = np.eye(len(X)) - estimator.graph_.toarray()
    for step in steps:
        terms = squares_criterion(step.state["coef"], K, R.T @ R, partial)
        np.testing.assert_allclose(list(step.terms.values()), terms, atol=1e-10)
        assert step.objective == pytest.approx(terms.sum(), abs=1e-10)
    assert steps[0].objective == 1
    assert np.all(np.diff(estimator.objective_curve_) < 0)
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-1, 10.0):
        for _ in range(10):
            moved = estimator.coef_ + size * rng.normal(size=estimator.coef_.shape)
            assert squares_criterion(moved, K, R.T @ R, partial).sum() > steps[-1].objective


def test_graph_is_the_same_whatever_the_labels() -> None:
    X, y, partial = clouds(4)
    graphs = [SRLSC().fit(X, labels).graph_ for labels in (partial, y, np.arange(len(y)) % 2)]
    for graph in graphs[1:]:
        assert graph.data.tobytes() == graphs[0].data.tobytes()
        assert graph.indices.tobytes() == graphs[0].indices.tobytes()
    assert l1_graph(unit(X)).shape == graphs[0].shape


def test_permuting_samples_permutes_results() -> None:
    X, _, partial = clouds(5)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = SRLSC(gap=0.0).fit(X, partial), SRLSC(gap=0.0).fit(X[order], partial[order])
    np.testing.assert_allclose(second.embedding_, first.embedding_[order], atol=1e-6)


def test_unseen_rows_and_lengths() -> None:
    X, y, partial = clouds(6)
    fitted = SRLSC().fit(X, partial)
    # A training row given again, at any length, gets the score it had.
    np.testing.assert_allclose(fitted.decision_function(3 * X), fitted.embedding_, atol=1e-10)
    assert (fitted.predict(X) == y).mean() > 0.9


def test_single_precision_is_close_to_double() -> None:
    X, _, partial = clouds(7)
    X = X.astype(np.float32)
    single, double = SRLSC().fit(X, partial), SRLSC().fit(X.astype(np.float64), partial)
    assert single.embedding_.dtype == single.coef_.dtype == np.float32
    np.testing.assert_allclose(single.embedding_, double.embedding_, atol=1e-3)


def test_impossible_problems_are_refused() -> None:
    X, _, partial = clouds(8)
    with pytest.raises(ValueError, match="at least two classes"):
        SRLSC().fit(X, np.where(partial == 0, 0, -1))
    with pytest.raises(ValueError, match=r"singular.*c_ambient"):
        SRLSC(c_ambient=0.0).fit(np.vstack([X, X]), np.r_[partial, partial])
    with pytest.raises(ValueError, match="gap"):
        SRLSC(gap=1.0).fit(X, partial)


def test_accuracy_on_digits_with_five_labels_a_class() -> None:
    assert accuracy(SRLSC(), "digits", 5, rows=900) >= 0.84
