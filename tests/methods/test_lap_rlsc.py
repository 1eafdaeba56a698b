"""LapRLSC against its formula in the paper's notation, and among its rivals on faces and digits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import datasets
from experiments.requests import splits
from methods.classifiers.lap_rlsc import LapRLSC
from methods.classifiers.s_rlsc import SRLSC
from tests.methods.manifold_problems import (
    C_A,
    C_I,
    accuracy,
    clouds,
    kernel,
    label_columns,
    nearest_laplacian,
    squares_criterion,
    unit,
)


@pytest.mark.parametrize(("p", "kind"), [(7, "gaussian"), (3, "gaussian"), (7, "linear")])
def test_coefficients_follow_the_formula(p: int, kind: str) -> None:
    X, _, partial = clouds()
    fitted = LapRLSC(n_neighbors=p, kernel=kind).fit(X, partial)
    U = unit(X)
    K = kernel(U, U) if kind == "gaussian" else U @ U.T
    Y, J = label_columns(partial)
    B = Y @ np.linalg.inv(K @ J + C_A * np.eye(len(X)) + C_I * K @ nearest_laplacian(U, p))
    np.testing.assert_allclose(fitted.coef_, B.T, rtol=0, atol=1e-9)


def test_objective_is_the_sum_of_its_terms_and_minimal() -> None:
    X, _, partial = clouds(1)
    fitted = LapRLSC(c_ambient=0.1, c_intrinsic=0.3).fit(X, partial)
    K, L = kernel(unit(X), unit(X)), nearest_laplacian(unit(X), 7)
    best = squares_criterion(fitted.coef_, K, L, partial, 0.1, 0.3).sum()
    assert fitted.objective_curve_[-1] == pytest.approx(best, abs=1e-10)
    assert np.all(np.diff(fitted.objective_curve_) < 0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        moved = fitted.coef_ + 0.01 * rng.normal(size=fitted.coef_.shape)
        assert squares_criterion(moved, K, L, partial, 0.1, 0.3).sum() > best


def test_without_the_graph_it_is_kernel_ridge_regression_on_the_labelled_rows() -> None:
    X, _, partial = clouds(2)
    fitted = LapRLSC(c_intrinsic=0.0).fit(X, partial)
    known = np.flatnonzero(partial >= 0)
    U = unit(X)
    weights = np.linalg.solve(
        kernel(U[known], U[known]) + C_A * np.eye(known.size), np.eye(3)[partial[known]]
    )
    np.testing.assert_allclose(fitted.embedding_, kernel(U, U[known]) @ weights, atol=1e-10)


def test_permuting_samples_permutes_results() -> None:
    X, _, partial = clouds(3)
    order = np.random.default_rng(1).permutation(len(X))
    first, second = LapRLSC().fit(X, partial), LapRLSC().fit(X[order], partial[order])
    np.testing.assert_allclose(second.embedding_, first.embedding_[order], atol=1e-9)


def test_single_precision_is_close_to_double() -> None:
    X, _, partial = clouds(4)
    X = X.astype(np.float32)
    single, double = LapRLSC().fit(X, partial), LapRLSC().fit(X.astype(np.float64), partial)
    np.testing.assert_allclose(single.embedding_, double.embedding_, atol=1e-3)


def test_impossible_problems_are_refused() -> None:
    X, _, partial = clouds(5)
    with pytest.raises(ValueError, match="n_neighbors=36"):
        LapRLSC(n_neighbors=36).fit(X, partial)
    with pytest.raises(ValueError, match="singular"):
        LapRLSC(kernel="linear", c_ambient=0.0).fit(X, partial)
    with pytest.raises(ValueError, match="at least two classes"):
        LapRLSC().fit(X, np.full(len(X), -1))


def test_accuracy_on_digits_with_five_labels_a_class() -> None:
    assert accuracy(LapRLSC(), "digits", 5) >= 0.90


def test_on_faces_with_two_labels_s_rlsc_is_ahead_of_it_and_it_of_the_nearest_neighbour() -> None:
    seeds = range(5)
    ds = datasets.load("orl", size=32)
    U = unit(ds.X)
    nearest = []
    for seed in seeds:
        split = splits.split(ds, labelled_per_class=2, seed=seed)
        plain = KNeighborsClassifier(1).fit(U[split.labelled], ds.y[split.labelled])
        nearest.append(plain.score(U[split.unlabelled], ds.y[split.unlabelled]))
    sparse = np.mean([accuracy(SRLSC(), "orl", 2, seed) for seed in seeds])
    laplacian = np.mean([accuracy(LapRLSC(), "orl", 2, seed) for seed in seeds])
    assert sparse > laplacian > np.mean(nearest)
