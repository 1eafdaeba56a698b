"""3D-NDTF, and N²S²L on tensors, against plain loops that form every product."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import check_estimator

import datasets
import methods
from methods.tensor.ndtf_3d import NDTF3D
from tests.methods.label_graphs import Array, K, N, Q, by_part, faces, laplacian

ALPHA = 4.0
SHAPES = [(12,), (4, 3), (2, 3, 2), (2, 1, 3, 2)]
SETTINGS: dict[str, Any] = {
    "n_components": K,
    "n_discriminative": Q,
    "alpha": ALPHA,
    "penalty_pairs": 6,
    "tol": 0,
}


def start(shape: tuple[int, ...]) -> tuple[list[Array], Array]:
    rng = np.random.default_rng(1)
    return [rng.random((d, K)) for d in shape], 0.2 * rng.random((N, K))


def khatri_rao(factors: list[Array]) -> Array:
    """Column j is the flattened outer product of the factors' columns j."""
    return np.stack(
        [reduce(np.multiply.outer, [factor[:, j] for factor in factors]).ravel() for j in range(K)], axis=1
    )


def unfolded(A: Array, mode: int) -> Array:
    return np.moveaxis(A, mode, 0).reshape(A.shape[mode], -1)


def plain_run(
    A: Array, factors: list[Array], V: Array, graphs: list[Array], steps: int
) -> tuple[list[Array], Array]:
    factors, V = [factor.copy() for factor in factors], V.copy()
    degrees = [np.diag(S.sum(axis=1)) for S in graphs]
    for _ in range(steps):
        for b in range(len(factors)):
            rest = factors[:b] + factors[b + 1 :]
            # Modes of A: samples first, then those of a sample.
            Z = khatri_rao([V, *rest])
            weight = np.prod([np.ones(K), *((factor**2).sum(axis=0) for factor in rest)], axis=0)
            apart = weight * [V[:, j] @ degrees[j] @ V[:, j] for j in range(K)]
            together = weight * [V[:, j] @ graphs[j] @ V[:, j] for j in range(K)]
            U = factors[b]
            factors[b] = U * (unfolded(A, b + 1) @ Z + U * together) / (U @ Z.T @ Z + U * apart)
        for b, U in enumerate(factors):
            norms = np.linalg.norm(U, axis=0)
            factors[b], V = U / norms, V * norms
        Z = khatri_rao(factors)
        up, down = unfolded(A, 0) @ Z, V @ Z.T @ Z
        for j in range(K):
            up[:, j] += graphs[j] @ V[:, j]
            down[:, j] += degrees[j] @ V[:, j]
        V = V * up / down
    return factors, V


def objective(X: Array, factors: list[Array], V: Array, graphs: list[Array]) -> float:
    parts = khatri_rao(factors)
    energies = [(parts[:, j] @ parts[:, j]) * (V[:, j] @ laplacian(graphs[j]) @ V[:, j]) for j in range(K)]
    return float(((X - V @ parts.T) ** 2).sum() + sum(energies))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("steps", [1, 10, 100])
@pytest.mark.parametrize("smooth", [False, True])
def test_equals_plain_loops(shape: tuple[int, ...], steps: int, smooth: bool) -> None:
    (X, y), (factors, V) = faces(), start(shape)
    graphs = [ALPHA * S for S in by_part(X, y)]
    same = SETTINGS | {"init": (factors, V), "max_iter": steps, "sample_shape": shape}
    if smooth:
        distances = ((X[:, None] - X) ** 2).sum(axis=2) + np.diag(np.full(N, np.inf))
        near = np.zeros((N, N))
        near[np.repeat(np.arange(N), 2), np.argsort(distances, axis=1)[:, :2].ravel()] = 1
        near = np.maximum(near, near.T)
        graphs = [S + 0.7 * near * (j < Q) for j, S in enumerate(graphs)]
        model = methods.create("n2s2l", beta=0.7, smooth_neighbors=2, intrinsic_neighbors=3, **same)
    else:
        model = methods.create("ndtf_3d", **same)
    model.fit(X, y)
    U, W = plain_run(X.reshape(N, *shape), factors, V, graphs, steps)
    for found, expected in zip(model.factors_, U, strict=True):
        assert np.abs(found - expected).max() < 1e-9
    assert np.abs(model.embedding_ - W).max() < 1e-9
    assert np.abs(model.components_ - khatri_rao(U).T).max() < 1e-9
    assert np.isclose(model.objective_curve_[-1], objective(X, U, W, graphs), rtol=1e-9)
    assert np.isclose(model.objective_curve_[0], objective(X, factors, V, graphs), rtol=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_accelerated_falls_to_a_resting_point_of_the_same_objective(
    shape: tuple[int, ...], dtype: type
) -> None:
    (X, y), init = faces(dtype), start(shape)
    same = SETTINGS | {"init": init, "sample_shape": shape}
    model = methods.create("ndtf_3d", solver="accelerated", max_iter=1500, **same).fit(X, y)
    curve = model.objective_curve_
    assert (np.diff(curve) <= 0).all()
    graphs = [ALPHA * S for S in by_part(X, y)]
    assert np.isclose(curve[-1], objective(X, model.factors_, model.embedding_, graphs), rtol=1e-4)
    assert model.components_.dtype == model.factors_[0].dtype == dtype
    if dtype is np.float64:
        _, W = plain_run(X.reshape(N, *shape), model.factors_, model.embedding_, graphs, 20)
        assert np.abs(W - model.embedding_).max() < 1e-4 * W.max()
    slow = methods.create("ndtf_3d", max_iter=100, **same).fit(X, y).objective_curve_
    assert curve[0] == pytest.approx(slow[0], rel=1e-5)
    assert curve[40] < slow[-1]


def test_one_mode_is_ndtf_2d() -> None:
    (X, y), ([U], V) = faces(), start((12,))
    one = methods.create("ndtf_3d", init=([U], V), sample_shape=(12,), max_iter=30, **SETTINGS).fit(X, y)
    other = methods.create("ndtf_2d", init=(U.T, V), max_iter=30, **SETTINGS).fit(X, y)
    assert np.abs(one.embedding_ - other.embedding_).max() < 1e-12


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_tensors_and_rows_are_the_same(solver: str) -> None:
    X, y = faces()
    same = SETTINGS | {"max_iter": 20, "random_state": 0, "solver": solver}
    rows = methods.create("ndtf_3d", sample_shape=[4, 3], **same).fit(X, y)
    tables = methods.create("ndtf_3d", **same).fit(X.reshape(N, 4, 3), y)
    assert (rows.components_ == tables.components_).all()
    assert rows.sample_shape_ == tables.sample_shape_ == (4, 3)
    assert (rows.transform(X) == tables.transform(X.reshape(N, 4, 3))).all()
    with pytest.raises(ValueError, match=r"have shape \(3, 4\)"):
        rows.transform(X.reshape(N, 3, 4))


def test_square_images_need_not_be_told() -> None:
    X, y = faces(shape=(3, 3))
    assert methods.create("ndtf_3d", max_iter=2, **SETTINGS).fit(X, y).sample_shape_ == (3, 3)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (None, "12 features are no square image"),
        ((5, 3), r"sample_shape=\(5, 3\) holds 15 numbers, but rows of X have 12 features"),
        ((4, 0), "no shape"),
        ((), "no shape"),
        (12, "no shape"),
        ("4x3", "no shape"),
        ((4.0, 3.0), "no shape"),
    ],
)
@pytest.mark.parametrize("name", ["ndtf_3d", "ntf", "n2s2l"])
def test_impossible_shapes_are_refused(name: str, shape: Any, words: str) -> None:
    X, y = faces()
    if name == "n2s2l" and shape is None:
        return  # told nothing, samples are vectors there
    model = methods.spec(name).estimator(n_components=K, sample_shape=shape)
    with pytest.raises(ValueError, match=words):
        model.fit(X, y)


def test_starts_that_do_not_fit_are_refused() -> None:
    (X, y), (factors, V) = faces(), start((4, 3))
    same = SETTINGS | {"sample_shape": (4, 3)}
    for init, words in (
        ((factors[:1], V), "one factor for each of the 2 modes"),
        ((factors[::-1], V), r"factors\[0\] has shape \(3, 5\)"),
        ((factors, V[:-1]), "embedding has shape"),
    ):
        with pytest.raises(ValueError, match=words):
            methods.create("ndtf_3d", init=init, **same).fit(X, y)
    vectors = methods.create("ndtf_2d", max_iter=2, **SETTINGS).fit(X, y)
    with pytest.raises(ValueError, match="warm_start has no factors"):
        methods.create("ndtf_3d", **same).fit(X, y, warm_start=vectors)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.parametrize("init", ["random", "nndsvda"])
def test_starts_fit_the_data_best_at_their_scale(solver: str, init: str) -> None:
    X, y = faces()
    model = methods.create(
        "ndtf_3d", init=init, max_iter=0, sample_shape=(4, 3), solver=solver, random_state=0, **SETTINGS
    ).fit(X, y)
    built = model.embedding_ @ model.components_
    assert np.isclose((X * built).sum(), (built**2).sum())
    warm = methods.create("ndtf_3d", max_iter=3, sample_shape=(4, 3), solver=solver, **SETTINGS)
    assert warm.fit(X, y, warm_start=model).objective_curve_[0] == pytest.approx(model.objective_curve_[0])


class OfRows(NDTF3D):
    """3D-NDTF whose samples are tables of one row, so that rows of any length will do."""

    def _folded(self, given: Any, n_features: int) -> tuple[int, ...]:
        return (1, n_features)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_conventions_hold_where_the_shape_is_told(solver: str) -> None:
    results = check_estimator(OfRows(solver=solver, max_iter=20), on_fail=None)
    failed = [
        (result["check_name"], result["exception"]) for result in results if result["status"] == "failed"
    ]
    assert failed == []


def test_faces_are_recognised() -> None:
    ds = datasets.load("orl", size=32)
    assert ds.y is not None
    rng = np.random.default_rng(0)
    train = np.sort(np.concatenate([rng.permutation(np.flatnonzero(ds.y == c))[:5] for c in range(40)]))
    test = np.setdiff1d(np.arange(400), train)
    model = methods.create("ndtf_3d", max_iter=300, tol=0, random_state=0)
    model.fit(ds.X[train], ds.y[train])
    nearest = KNeighborsClassifier(1, metric="cosine").fit(model.transform(ds.X[train]), ds.y[train])
    assert nearest.score(model.transform(ds.X[test]), ds.y[test]) >= 0.88
