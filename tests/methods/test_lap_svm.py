"""LapSVM against bounded least squares on its dual, and its own conditions of optimality."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from sklearn.svm import LinearSVC

from methods.classifiers._box_newton import newton_step
from methods.classifiers.lap_svm import LapSVM
from tests.methods.manifold_problems import C_A, C_I, accuracy, clouds, kernel, nearest_laplacian, unit


def bent_kernel(X: Any, partial: Any, c_a: float, c_i: float, p: int = 7) -> tuple[Any, Any, Any]:
    """Return K, L and ½(C_A I + C_I LK)⁻¹Jᵀ."""
    U = unit(X)
    K, L = kernel(U, U), nearest_laplacian(U, p)
    J = np.eye(len(X))[:, [i for i, label in enumerate(partial) if label >= 0]]
    return K, L, 0.5 * np.linalg.inv(c_a * np.eye(len(X)) + c_i * L @ K) @ J


def hinge_criterion(B: Any, K: Any, L: Any, partial: Any, c_a: float, c_i: float) -> Any:
    F = K @ B
    known = [i for i, label in enumerate(partial) if label >= 0]
    loss = 0.0
    for c in range(B.shape[1]):
        for i in known:
            z = 1 if partial[i] == c else -1
            loss += max(0.0, 1 - z * F[i, c])
    complexity = c_a * sum(float(b @ K @ b) for b in B.T)
    smoothness = c_i * sum(float(f @ L @ f) for f in F.T)
    return np.array([loss, complexity, smoothness]) / len(known)


@pytest.mark.parametrize(("c_a", "c_i"), [(C_A, C_I), (0.5, 0.1), (5.0, 1.0)])
def test_it_reaches_the_optimum_of_the_quadratic_programs(c_a: float, c_i: float) -> None:
    X, _, partial = clouds(0, n=45, labelled=8)
    fitted = LapSVM(c_ambient=c_a, c_intrinsic=c_i, gap=1e-10).fit(X, partial)
    assert fitted.status_ == "done"
    K, _, lift = bent_kernel(X, partial, c_a, c_i)
    known = np.flatnonzero(partial >= 0)
    G = (K @ lift)[known]
    for c in range(3):
        z = np.where(partial[known] == c, 1.0, -1.0)
        # min ½βᵀQβ − 1ᵀβ is least squares in the Cholesky factor of Q.
        R = np.linalg.cholesky((G + G.T) / 2 * np.outer(z, z)).T
        best = lsq_linear(R, np.linalg.solve(R.T, np.ones(known.size)), (0, 1), tol=1e-14, method="bvls").x
        np.testing.assert_allclose(fitted.embedding_[:, c], K @ lift @ (z * best), atol=1e-5)


def test_criterion_is_the_sum_of_its_terms_and_no_change_lowers_it() -> None:
    X, _, partial = clouds(1)
    estimator = LapSVM(c_ambient=0.2, c_intrinsic=0.1, gap=1e-9)
    for step in estimator.iterate(X, partial):
        last = step.copy()
        K, L, _ = bent_kernel(X, partial, 0.2, 0.1)
        terms = hinge_criterion(last.state["coef"], K, L, partial, 0.2, 0.1)
        np.testing.assert_allclose(list(last.terms.values()), terms, atol=1e-9)
    rng = np.random.default_rng(0)
    for size in (1e-3, 1e-1):
        for _ in range(10):
            moved = estimator.coef_ + size * rng.normal(size=estimator.coef_.shape)
            assert hinge_criterion(moved, K, L, partial, 0.2, 0.1).sum() > last.objective - 1e-8


def test_without_the_graph_and_with_a_linear_kernel_it_is_a_support_vector_machine() -> None:
    X, _, partial = clouds(2, labelled=8)
    known = partial >= 0
    fitted = LapSVM(kernel="linear", c_ambient=0.5, c_intrinsic=0.0, gap=1e-10).fit(X, partial)
    # Σ hinge + 0.5‖w‖² is the usual form with C = 1; without an offset.
    plain = LinearSVC(C=1.0, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=200_000, random_state=0)
    plain.fit(unit(X)[known], partial[known])
    np.testing.assert_allclose(fitted.embedding_, plain.decision_function(unit(X)), atol=1e-4)


def test_newton_steps_never_raise_the_dual_objective() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        R = rng.normal(size=(15, 12))
        Q, beta = R.T @ R, rng.random(12)
        for _ in range(30):
            moved = newton_step(Q, beta)
            assert moved.min() >= 0
            assert moved.max() <= 1
            assert moved @ Q @ moved / 2 - moved.sum() <= beta @ Q @ beta / 2 - beta.sum() + 1e-12
            beta = moved
        gradient = Q @ beta - 1
        assert np.abs(beta - np.clip(beta - gradient, 0, 1)).max() < 1e-8


def test_samples_that_occur_twice_do_no_harm() -> None:
    X, _, partial = clouds(4)
    fitted = LapSVM().fit(np.vstack([X, X]), np.r_[partial, partial])
    assert fitted.status_ == "done"


def test_warm_start_continues_from_the_multipliers() -> None:
    X, _, partial = clouds(5)
    cold = LapSVM(c_ambient=0.5).fit(X, partial)
    warm = LapSVM(c_ambient=0.5).fit(X, partial, warm_start=cold)
    assert cold.n_iter_ > 0
    assert warm.n_iter_ == 0
    np.testing.assert_allclose(warm.embedding_, cold.embedding_, atol=1e-12)


def test_permuting_samples_permutes_results() -> None:
    X, _, partial = clouds(6)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = LapSVM(gap=1e-10).fit(X, partial), LapSVM(gap=1e-10).fit(X[order], partial[order])
    np.testing.assert_allclose(second.embedding_, first.embedding_[order], atol=1e-5)


def test_single_precision_is_close_to_double() -> None:
    X, _, partial = clouds(7)
    X = X.astype(np.float32)
    single, double = LapSVM().fit(X, partial), LapSVM().fit(X.astype(np.float64), partial)
    np.testing.assert_allclose(single.embedding_, double.embedding_, atol=1e-2)


def test_impossible_problems_are_refused() -> None:
    X, _, partial = clouds(8)
    with pytest.raises(ValueError, match="c_ambient"):
        LapSVM(c_ambient=0.0).fit(X, partial)
    with pytest.raises(ValueError, match="at least two classes"):
        LapSVM().fit(X, np.where(partial == 0, 0, -1))


def test_accuracy_on_digits_with_five_labels_a_class() -> None:
    assert accuracy(LapSVM(), "digits", 5) >= 0.90
