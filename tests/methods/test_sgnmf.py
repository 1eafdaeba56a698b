"""SGNMF against plain loops, its graph edge by edge, and the rule as published."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import methods

Array = NDArray[Any]
LAM, P, WEIGHT = 0.7, 3, 2.5


def problem(seed: int = 0) -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(16) % 3)
    X = np.abs(rng.random((3, 6))[truth] + 0.3 * rng.standard_normal((16, 6)))
    y = np.where(np.arange(16) % 5 < 3, truth, -1)
    return X, y, rng.random((4, 6)) + 0.1, rng.random((16, 4)) + 0.1


def create(**params: Any) -> Any:
    settings = {"n_components": 4, "lam": LAM, "n_neighbors": P, "label_weight": WEIGHT, "tol": 0}
    return methods.create("sgnmf", **(settings | params))


def graph(X: Array, y: Array) -> Array:
    n = len(X)
    S = np.zeros((n, n))
    for i in range(n):
        distances = [np.linalg.norm(X[i] - X[j]) if i != j else np.inf for j in range(n)]
        for j in sorted(range(n), key=distances.__getitem__)[:P]:
            S[i, j] = S[j, i] = 1
    for i in range(n):
        for j in range(n):
            if i != j and y[i] >= 0 and y[j] >= 0:
                S[i, j] = WEIGHT if y[i] == y[j] else 0
    return S


def plain(
    X: Array, S: Array, H: Array, W: Array, iterations: int, printed: bool
) -> tuple[Array, Array, float]:
    """U is Hᵀ and V is W in the paper's notation."""
    H, W = H.copy(), W.copy()
    D = np.diag(S.sum(axis=1))
    for _ in range(iterations):
        up, down = W.T @ X, W.T @ W @ H
        if not printed:
            for j in range(len(H)):
                up[j] += LAM * (W[:, j] @ S @ W[:, j]) * H[j]
                down[j] += LAM * (W[:, j] @ D @ W[:, j]) * H[j]
        H = H * up / down
        if not printed:
            for j in range(len(H)):
                length = np.sqrt((H[j] ** 2).sum())
                H[j] /= length
                W[:, j] *= length
        W = W * (X @ H.T + LAM * S @ W) / (W @ H @ H.T + LAM * D @ W)
    energies = [W[:, j] @ (D - S) @ W[:, j] * (1 if printed else H[j] @ H[j]) for j in range(len(H))]
    return H, W, float(((X - W @ H) ** 2).sum() + LAM * sum(energies))


@pytest.mark.parametrize("rule", ["scale-free", "printed"])
@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_equals_the_plain_updates(iterations: int, rule: str) -> None:
    X, y, H, W = problem()
    model = create(init=(H, W), max_iter=iterations, rule=rule).fit(X, y)
    np.testing.assert_array_equal(model.graph_.toarray(), graph(X, y))
    wanted_H, wanted_W, objective = plain(X, graph(X, y), H, W, iterations, rule == "printed")
    np.testing.assert_allclose(model.components_, wanted_H, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.embedding_, wanted_W, rtol=1e-9, atol=1e-12)
    assert model.objective_curve_[-1] == pytest.approx(objective, rel=1e-9)


@pytest.mark.parametrize("lam", [1e-2, 1.0, 1e3])
def test_neither_rule_raises_its_objective(lam: float) -> None:
    X, y, H, W = problem(3)
    for rule in ("scale-free", "printed"):
        curve = create(init=(H, W), lam=lam, rule=rule, max_iter=200).fit(X, y).objective_curve_
        assert (np.diff(curve) <= 1e-12 * curve[0]).all()


def test_as_printed_the_graph_can_be_had_for_nothing() -> None:
    X, y, H, W = problem()
    # The same product, with lengths moved from the coefficients into the parts.
    moved = (H * 1e3, W / 1e3)
    for rule, factor in (("printed", 1e-6), ("scale-free", 1.0)):
        terms = [
            next(create(init=init, rule=rule).iterate(X, y)).terms["smoothness"] for init in ((H, W), moved)
        ]
        assert terms[1] == pytest.approx(factor * terms[0], rel=1e-9)


def test_without_the_graph_it_is_nmf() -> None:
    X, y, H, W = problem()
    nmf = methods.create("nmf", n_components=4, init=(H, W), max_iter=30, tol=0).fit(X)
    model = create(init=(H, W), lam=0.0, max_iter=30).fit(X, y)
    np.testing.assert_allclose(
        model.embedding_ @ model.components_, nmf.embedding_ @ nmf.components_, rtol=1e-9
    )


def test_labels_bring_a_class_together() -> None:
    X, y, H, W = problem()
    known = np.flatnonzero(y >= 0)

    def apart(model: Any) -> float:
        """How far labelled samples are from the middle of their class, in units of the whole."""
        V = model.embedding_[known] / np.linalg.norm(model.embedding_[known])
        return float(sum(((V[y[known] == c] - V[y[known] == c].mean(axis=0)) ** 2).sum() for c in range(3)))

    free, tied = (create(init=(H, W), lam=lam, max_iter=200).fit(X, y) for lam in (0.0, 0.5))
    assert apart(tied) < 0.2 * apart(free)
    # What counts is who shares a label, not which number it is.
    renamed = create(init=(H, W), lam=0.5, max_iter=200).fit(X, np.where(y >= 0, 2 - y, -1))
    np.testing.assert_array_equal(renamed.embedding_, tied.embedding_)


def test_sparse_data_and_views_side_by_side() -> None:
    X, y, H, W = problem()
    X[X < 0.3] = 0
    X[:, [0, 2]] += 0.01
    dense = create(init=(H, W), max_iter=20).fit(X, y)
    thin = create(init=(H, W), max_iter=20).fit(sparse.csr_matrix(X), y)
    np.testing.assert_allclose(thin.embedding_, dense.embedding_, rtol=1e-9)
    views = {"left": X[:, :2] * 9, "right": sparse.csc_array(X[:, 2:])}
    lengths = [np.linalg.norm(X[:, part], axis=1, keepdims=True) for part in (slice(2), slice(2, None))]
    whole = np.hstack([X[:, :2] / lengths[0], X[:, 2:] / lengths[1]])
    one, other = (create(init=(H, W), max_iter=20).fit(given, y) for given in (views, whole))
    np.testing.assert_allclose(one.embedding_, other.embedding_, rtol=1e-9)
    np.testing.assert_allclose(one.transform(views), other.transform(whole), rtol=1e-7, atol=1e-9)
    assert one.n_features_in_ == 6


def test_what_cannot_be_done_is_refused() -> None:
    X, y, _, _ = problem()
    with pytest.raises(ValueError, match="n_neighbors=16"):
        create(n_neighbors=16).fit(X, y)
    with pytest.raises(ValueError, match="distances"):
        create().fit(aslinearoperator(X), y)
    with pytest.raises(ValueError, match="solver='accelerated'"):
        create(rule="printed", solver="accelerated").fit(X, y)
    with pytest.raises(ValueError, match="View 'b' has 15 rows"):
        create().fit({"a": X, "b": X[1:]}, y)
