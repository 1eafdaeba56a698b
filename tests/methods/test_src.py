"""SRC against a general-purpose solver, and what it says where ε cannot be reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from methods.classifiers import _ball_codes
from methods.classifiers.src import SRC
from tests.methods.manifold_problems import accuracy, clouds, unit


def smallest_norm(x: Any, D: Any, epsilon: float) -> float:
    """min Σ(p + q) with ‖x − (p − q)D‖ ≤ ε and p, q ≥ 0, by sequential quadratic programming."""
    k = len(D)

    def room(v: Any) -> float:
        residual = x - (v[:k] - v[k:]) @ D
        return epsilon**2 - float(residual @ residual)

    def slope(v: Any) -> Any:
        pull = 2 * D @ (x - (v[:k] - v[k:]) @ D)
        return np.r_[pull, -pull]

    least = np.linalg.lstsq(D.T, x, rcond=None)[0]
    result = minimize(
        np.sum,
        np.r_[np.maximum(least, 0), np.maximum(-least, 0)],
        jac=np.ones_like,
        bounds=[(0, None)] * (2 * k),
        constraints={"type": "ineq", "fun": room, "jac": slope},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    # Near the optimum it may complain of its line search: the test compares from both sides instead. What is
    # missing there differs between processors; by its multiplier it is worth far less than that comparison.
    missing, price = max(0.0, -room(result.x)), float(result.multipliers[0])
    assert missing * price < 1e-8 * result.fun
    return float(result.fun)


def test_codes_are_feasible_and_within_the_gap_of_the_best() -> None:
    X, _, partial = clouds(0, labelled=5)
    fitted = SRC(epsilon=0.1).fit(X, partial)
    U, D = unit(X), unit(X)[partial >= 0]
    for i in range(len(X)):
        residual = np.linalg.norm(U[i] - fitted.codes_[i] @ D)
        assert residual <= fitted.epsilon_[i] * (1 + 1e-9)
        best = smallest_norm(U[i], D, fitted.epsilon_[i])
        assert best * (1 - 1e-6) <= np.abs(fitted.codes_[i]).sum() <= best * (1 + 1e-3) + 1e-6
    assert fitted.gap_.max() <= 1e-3


def test_scores_are_errors_of_one_class_at_a_time() -> None:
    X, y, partial = clouds(1)
    fitted = SRC().fit(X, partial)
    known = np.flatnonzero(partial >= 0)
    U = unit(X)
    for i in range(len(X)):
        for c in range(3):
            kept = sum((fitted.codes_[i, k] * U[j] for k, j in enumerate(known) if partial[j] == c), 0 * U[i])
            assert fitted.embedding_[i, c] == pytest.approx(-np.linalg.norm(U[i] - kept), abs=1e-9)
    np.testing.assert_allclose(fitted.decision_function(X), fitted.embedding_, atol=1e-9)
    assert (fitted.predict(X)[known] == y[known]).all()


def test_epsilon_is_raised_only_where_it_cannot_be_reached_and_says_so() -> None:
    D = np.eye(4)[:3]
    inside, outside = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 1.0])
    fitted = SRC().fit(np.vstack([D, inside, outside]), np.array([0, 1, 1, -1, -1]))
    assert fitted.raised_.tolist() == [False] * 4 + [True]
    np.testing.assert_allclose(fitted.epsilon_[:4], 0.05)
    # Half the energy of the last row lies outside the span of the atoms.
    assert fitted.epsilon_[4] == pytest.approx(1.01 * np.sqrt(0.5))
    told = fitted.code(outside[None])
    assert told.raised.tolist() == [True]
    assert told.epsilon[0] == pytest.approx(fitted.epsilon_[4])


def test_stages_are_feasible_and_the_last_is_the_sparsest() -> None:
    X, _, partial = clouds(2)
    estimator = SRC()
    steps = [step.copy() for step in estimator.iterate(X, partial)]
    U, D = unit(X), unit(X)[partial >= 0]
    for step in steps:
        errors = np.linalg.norm(U - step.state["codes"] @ D, axis=1)
        assert (errors <= step.state["epsilon"] * (1 + 1e-9)).all()
        assert step.objective == pytest.approx(np.abs(step.state["codes"]).sum(axis=1).mean())
    assert steps[1].objective < steps[0].objective


def test_unlabelled_rows_teach_nothing() -> None:
    X, _, partial = clouds(3)
    known = partial >= 0
    alone, among = SRC(gap=1e-5).fit(X[known], partial[known]), SRC(gap=1e-5).fit(X, partial)
    np.testing.assert_allclose(among.decision_function(X), alone.decision_function(X), atol=1e-9)


def test_permuting_samples_permutes_results() -> None:
    X, _, partial = clouds(4)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = SRC().fit(X, partial), SRC().fit(X[order], partial[order])
    np.testing.assert_allclose(second.embedding_, first.embedding_[order], atol=1e-5)


def test_single_precision_is_close_to_double() -> None:
    X, _, partial = clouds(5)
    X = X.astype(np.float32)
    single, double = SRC().fit(X, partial), SRC().fit(X.astype(np.float64), partial)
    assert single.codes_.dtype == np.float32
    np.testing.assert_allclose(single.embedding_, double.embedding_, atol=1e-2)


def test_rows_of_zeros_have_empty_codes() -> None:
    X, _, partial = clouds(6)
    X[np.flatnonzero(partial < 0)[0]] = 0
    fitted = SRC().fit(X, partial)
    assert not fitted.codes_[np.flatnonzero(partial < 0)[0]].any()
    assert np.isfinite(fitted.embedding_).all()


def test_impossible_problems_are_refused() -> None:
    X, _, partial = clouds(7)
    with pytest.raises(ValueError, match="epsilon"):
        SRC(epsilon=-0.1).fit(X, partial)
    with pytest.raises(ValueError, match="at least two classes"):
        SRC().fit(X, np.where(partial == 0, 0, -1))


def test_accuracy_on_faces_with_two_labels_a_person() -> None:
    assert accuracy(SRC(), "orl", 2) >= 0.72


def test_labelled_rows_are_their_own_codes_and_need_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """For an atom x the best code is (1 − ε) of itself: ν = x proves it, and no other code is as short."""
    X, y, _ = clouds(8)
    monkeypatch.setattr(_ball_codes, "solve", lambda *_: pytest.fail("an atom was solved for"))
    fitted = SRC(epsilon=0.1).fit(X, y)
    np.testing.assert_allclose(np.abs(fitted.codes_).sum(axis=1), 0.9, rtol=1e-9)
    assert fitted.gap_.max() < 1e-9
    assert (fitted.predict(X) == y).all()
    errors = np.linalg.norm(unit(X) - fitted.codes_ @ unit(X), axis=1)
    np.testing.assert_allclose(errors, 0.1, rtol=1e-9)


def test_one_atom_is_only_taken_where_it_is_proven_best() -> None:
    X, _, partial = clouds(9, labelled=5)
    fitted = SRC(epsilon=0.1, gap=1e-4).fit(X, partial)
    U, D = unit(X), unit(X)[partial >= 0]
    for i in np.flatnonzero(partial < 0)[:10]:
        best = smallest_norm(U[i], D, fitted.epsilon_[i])
        assert np.abs(fitted.codes_[i]).sum() <= best * (1 + 1e-4) + 1e-6


@pytest.mark.parametrize("gap", [0.1, 1e-3])
@pytest.mark.parametrize("seed", range(6))
def test_the_sparse_stage_is_never_longer_than_the_first(seed: int, gap: float) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.random((30, 3)), np.where(np.arange(30) < 12, np.arange(30) % 2, -1)
    steps = [step.copy() for step in SRC(gap=gap).iterate(X, y)]
    lengths = [np.abs(step.state["codes"]).sum(axis=1) for step in steps]
    assert (lengths[1] <= lengths[0] * (1 + 1e-12)).all()
    assert (steps[1].state["gap"] <= gap + 1e-12).all()
