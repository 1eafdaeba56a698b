"""NTF: what it recovers, what it reduces to, and that its speed-up minimises the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.utils.estimator_checks import check_estimator

import methods
from methods.rank_one import gram_but, outer, project
from methods.tensor.ntf import NTF
from methods.typing import Array
from tests.methods.label_graphs import faces

SHAPE = (4, 3)


def planted(noise: float = 0.0) -> tuple[Array, list[Array]]:
    rng = np.random.default_rng(4)
    factors = [rng.random((d, 3)) * (rng.random((d, 3)) < 0.7) + 0.01 for d in (25, 7, 6)]
    A = np.einsum("nj,aj,bj->nab", *factors)
    return A + noise * rng.random(A.shape), factors


def test_pieces_equal_products_that_are_formed() -> None:
    rng = np.random.default_rng(0)
    factors = [rng.random((5, d)) for d in (2, 4, 3)]
    weighted = rng.random((5, 24))
    Z = outer(factors)
    assert np.allclose(Z, np.einsum("ja,jb,jc->jabc", *factors).reshape(5, -1))
    assert np.allclose(gram_but([factor @ factor.T for factor in factors]), Z @ Z.T)
    tensors = weighted.reshape(5, 2, 4, 3)
    for mode, formula in enumerate(("jabc,jb,jc->ja", "jabc,ja,jc->jb", "jabc,ja,jb->jc")):
        rest = [factor for other, factor in enumerate(factors) if other != mode]
        assert np.allclose(project(weighted, factors, mode), np.einsum(formula, tensors, *rest))
        assert np.allclose(
            gram_but([factor @ factor.T for factor in factors], mode), outer(rest) @ outer(rest).T
        )


@pytest.mark.parametrize("steps", [1, 10, 100])
@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_is_ndtf_3d_without_graphs(steps: int, solver: str) -> None:
    X, y = faces()
    rng = np.random.default_rng(0)
    init = ([rng.random((d, 5)) for d in SHAPE], rng.random((len(X), 5)))
    same: dict[str, Any] = {"n_components": 5, "sample_shape": SHAPE, "init": init, "tol": 0}
    same |= {"max_iter": steps, "solver": solver}
    one = methods.create("ntf", **same).fit(X)
    other = methods.create("ndtf_3d", alpha=0.0, **same).fit(X, y)
    assert (one.components_ == other.components_).all()
    assert (one.embedding_ == other.embedding_).all()


def test_equals_plain_loops() -> None:
    A, _ = planted(0.1)
    rng = np.random.default_rng(0)
    P, Q, V = rng.random((7, 4)), rng.random((6, 4)), rng.random((25, 4))
    model = methods.create("ntf", n_components=4, init=([P, Q], V), max_iter=25, tol=0).fit(A)
    for _ in range(25):
        built = np.einsum("nj,aj,bj->nab", V, P, Q)
        P = P * np.einsum("nab,nj,bj->aj", A, V, Q) / np.einsum("nab,nj,bj->aj", built, V, Q)
        built = np.einsum("nj,aj,bj->nab", V, P, Q)
        Q = Q * np.einsum("nab,nj,aj->bj", A, V, P) / np.einsum("nab,nj,aj->bj", built, V, P)
        p, q = np.linalg.norm(P, axis=0), np.linalg.norm(Q, axis=0)
        P, Q, V = P / p, Q / q, V * p * q
        built = np.einsum("nj,aj,bj->nab", V, P, Q)
        V = V * np.einsum("nab,aj,bj->nj", A, P, Q) / np.einsum("nab,aj,bj->nj", built, P, Q)
    assert np.abs(model.factors_[0] - P).max() < 1e-9
    assert np.abs(model.factors_[1] - Q).max() < 1e-9
    assert np.abs(model.embedding_ - V).max() < 1e-9
    error = ((A - np.einsum("nj,aj,bj->nab", V, P, Q)) ** 2).sum()
    assert np.isclose(model.objective_curve_[-1], error, rtol=1e-9)


def test_planted_factors_are_found() -> None:
    A, (_, P, Q) = planted()
    model = methods.create("ntf", n_components=3, solver="accelerated", max_iter=3000, tol=0, random_state=1)
    model.fit(A)
    assert model.objective_curve_[-1] < 1e-9 * (A**2).sum()
    for found, true in zip(model.factors_, (P, Q), strict=True):
        likeness = (true / np.linalg.norm(true, axis=0)).T @ found
        assert np.allclose(likeness.max(axis=0), 1, atol=1e-3)
        assert sorted(likeness.argmax(axis=0)) == [0, 1, 2]


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_sparse_and_implicit_data_give_the_same(solver: str) -> None:
    X, _ = faces()
    X[X < 0.6] = 0
    same: dict[str, Any] = {"n_components": 4, "sample_shape": SHAPE, "max_iter": 30, "tol": 0}
    same |= {"solver": solver, "random_state": 0}
    dense = methods.create("ntf", **same).fit(X)
    for other in (sparse.csr_array(X), aslinearoperator(X)):
        found = methods.create("ntf", **same).fit(other)
        assert np.abs(found.components_ - dense.components_).max() < 1e-6


def test_steps_show_factors_that_cannot_be_written_to() -> None:
    A, _ = planted(0.1)
    for step in methods.create("ntf", n_components=3, max_iter=3, random_state=0, tol=0).iterate(A):
        factors: Any = step.state["factors"]
        kept: Any = step.copy().state["factors"]
        assert [factor.shape for factor in factors] == [(7, 3), (6, 3)]
        assert not any(factor.flags.writeable for factor in (*factors, *kept))
        assert not np.shares_memory(factors[0], kept[0])
        assert np.allclose(step.state["components"], np.einsum("aj,bj->jab", *factors).reshape(3, -1))


class OfRows(NTF):
    """NTF whose samples are tables of one column, so that rows of any length will do."""

    def _folded(self, given: Any, n_features: int) -> tuple[int, ...]:
        return (n_features, 1)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_conventions_hold_where_the_shape_is_told(solver: str) -> None:
    results = check_estimator(OfRows(solver=solver, max_iter=20), on_fail=None)
    failed = [
        (result["check_name"], result["exception"]) for result in results if result["status"] == "failed"
    ]
    assert failed == []
