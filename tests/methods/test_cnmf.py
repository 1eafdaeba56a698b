"""CNMF against the published updates with the constraint matrix written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods

Array = NDArray[Any]


def problem(seed: int = 0) -> tuple[Array, Array, Array, Array, Array]:
    """X, y, the constraint matrix A, and a start H, Z."""
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(15) % 3)
    X = np.abs(rng.random((3, 6))[truth] + 0.3 * rng.standard_normal((15, 6)))
    y = np.where(np.arange(15) % 5 < 2, truth, -1)
    unlabelled = [i for i in range(15) if y[i] < 0]
    A = np.zeros((15, 3 + len(unlabelled)))
    for i in range(15):
        A[i, y[i] if y[i] >= 0 else 3 + unlabelled.index(i)] = 1
    return X, y, A, rng.random((4, 6)) + 0.1, rng.random((A.shape[1], 4)) + 0.1


def create(**params: Any) -> Any:
    return methods.create("cnmf", **({"n_components": 4, "tol": 0} | params))


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_equals_the_published_updates(iterations: int) -> None:
    X, y, A, H, Z = problem()
    model = create(init=(H, A @ Z), max_iter=iterations).fit(X, y)
    U, Z = H.T.copy(), Z.copy()
    for _ in range(iterations):
        U = U * (X.T @ A @ Z) / (U @ Z.T @ A.T @ A @ Z)
        Z = Z * (A.T @ X @ U) / (A.T @ A @ Z @ U.T @ U)
    np.testing.assert_allclose(model.components_, U.T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.embedding_, A @ Z, rtol=1e-9, atol=1e-12)
    assert model.objective_curve_[-1] == pytest.approx(((X.T - U @ Z.T @ A.T) ** 2).sum(), rel=1e-9)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.parametrize("init", ["random", "nndsvda"])
def test_classes_share_coefficients_and_the_objective_is_the_error(solver: str, init: str) -> None:
    X, y, _, _, _ = problem(2)
    model = create(solver=solver, init=init, max_iter=100, random_state=0).fit(X, y)
    for code in range(3):
        assert len(np.unique(model.embedding_[y == code], axis=0)) == 1
    assert len(np.unique(model.embedding_[y < 0], axis=0)) == (y < 0).sum()
    error = ((X - model.embedding_ @ model.components_) ** 2).sum()
    assert model.objective_curve_[-1] == pytest.approx(error, rel=1e-9)
    assert (np.diff(model.objective_curve_) <= 1e-12 * model.objective_curve_[0]).all()


def test_what_is_left_in_the_end_is_at_least_the_spread_of_the_classes() -> None:
    X, y, _, _, _ = problem()
    walk = create(max_iter=5, random_state=0).iterate(X, y)
    spread = sum(((X[y == code] - X[y == code].mean(axis=0)) ** 2).sum() for code in range(3))
    for step in walk:
        assert step.terms["class_spread"] == pytest.approx(spread, rel=1e-9)


def test_accelerated_rests_no_higher() -> None:
    X, y, A, H, Z = problem()
    slow, fast = (
        create(init=(H, A @ Z), solver=solver, max_iter=150).fit(X, y).objective_curve_[-1]
        for solver in ("multiplicative", "accelerated")
    )
    assert fast <= slow * 1.01


def test_one_labelled_sample_a_class_is_nmf() -> None:
    X, _, _, H, _ = problem()
    W = np.random.default_rng(1).random((15, 4)) + 0.1
    y = np.full(15, -1)
    y[[3, 7, 11]] = [2, 0, 1]
    nmf = methods.create("nmf", n_components=4, init=(H, W), max_iter=50, tol=0).fit(X)
    model = create(init=(H, W), max_iter=50).fit(X, y)
    np.testing.assert_allclose(model.embedding_, nmf.embedding_, rtol=1e-9)
    np.testing.assert_allclose(model.objective_curve_, nmf.objective_curve_, rtol=1e-9)


def test_sparse_implicit_and_several_views() -> None:
    X, y, A, H, Z = problem()
    X[X < 0.3] = 0
    X[:, [0, 2]] += 0.01
    init = (H, A @ Z)
    dense = create(init=init, max_iter=20).fit(X, y)
    for form in (sparse.csr_matrix, sparse.csc_array, aslinearoperator):
        made = create(init=init, max_iter=20).fit(form(X), y)
        np.testing.assert_allclose(made.embedding_, dense.embedding_, rtol=1e-9)
    unit = [part / np.linalg.norm(part, axis=1, keepdims=True) for part in (X[:, :2], X[:, 2:])]
    one = create(init=init, max_iter=20).fit([X[:, :2], X[:, 2:] * 3], y)
    other = create(init=init, max_iter=20).fit(np.hstack(unit), y)
    np.testing.assert_allclose(one.embedding_, other.embedding_, rtol=1e-9)
    with pytest.raises(ValueError, match="side by side"):
        create().fit([aslinearoperator(X), aslinearoperator(X)], y)


def test_a_start_in_which_a_class_differs_is_refused() -> None:
    X, y, _, H, _ = problem()
    with pytest.raises(ValueError, match=r"init: row \d+ of the embedding differs"):
        create(init=(H, np.random.default_rng(0).random((15, 4)))).fit(X, y)
