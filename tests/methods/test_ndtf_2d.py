"""2D-NDTF against plain loops, against N²S²L, and on faces."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import datasets
import methods
from tests.methods.label_graphs import Array, K, N, Q, by_part, faces, laplacian

ALPHA = 4.0
SETTINGS = {"n_components": K, "n_discriminative": Q, "alpha": ALPHA, "penalty_pairs": 6, "tol": 0}


def plain_run(X: Array, H: Array, W: Array, graphs: list[Array], steps: int) -> tuple[Array, Array]:
    U, V = H.T.copy(), W.copy()
    for _ in range(steps):
        apart = np.array([ALPHA * V[:, j] @ np.diag(graphs[j].sum(axis=1)) @ V[:, j] for j in range(K)])
        together = np.array([ALPHA * V[:, j] @ graphs[j] @ V[:, j] for j in range(K)])
        U = U * (X.T @ V + U * together) / (U @ V.T @ V + U * apart)
        norms = np.linalg.norm(U, axis=0)
        U, V = U / norms, V * norms
        up, down = X @ U, V @ U.T @ U
        for j in range(K):
            up[:, j] += ALPHA * graphs[j] @ V[:, j]
            down[:, j] += ALPHA * graphs[j].sum(axis=1) * V[:, j]
        V = V * up / down
    return U.T, V


def start() -> tuple[Array, Array]:
    rng = np.random.default_rng(1)
    return rng.random((K, 12)), 0.2 * rng.random((N, K))


@pytest.mark.parametrize("steps", [1, 10, 100])
def test_equals_plain_loops(steps: int) -> None:
    (X, y), (H, W) = faces(), start()
    model = methods.create("ndtf_2d", init=(H, W), max_iter=steps, **SETTINGS).fit(X, y)
    graphs = by_part(X, y)
    U, V = plain_run(X, H, W, graphs, steps)
    assert np.abs(model.components_ - U).max() < 1e-9
    assert np.abs(model.embedding_ - V).max() < 1e-9
    energies = [ALPHA * (U[j] @ U[j]) * (V[:, j] @ laplacian(graphs[j]) @ V[:, j]) for j in range(K)]
    terms = {
        "reconstruction": ((X - V @ U) ** 2).sum(),
        "separability": sum(energies[:Q]),
        "penalty": sum(energies[Q:]),
    }
    assert dict(list(model.iterate(X, y))[-1].terms) == pytest.approx(terms, rel=1e-9)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_is_n2s2l_without_neighbours(solver: str) -> None:
    (X, y), init = faces(), start()
    same = SETTINGS | {"init": init, "max_iter": 40, "solver": solver}
    one = methods.create("ndtf_2d", **same).fit(X, y)
    other = methods.create("n2s2l", beta=0.0, intrinsic_neighbors=3, **same).fit(X, y)
    assert (one.components_ == other.components_).all()
    assert (one.embedding_ == other.embedding_).all()
    assert np.allclose(one.objective_curve_, other.objective_curve_, rtol=1e-14)


def test_defaults_are_those_of_the_paper() -> None:
    spec = methods.spec("ndtf_2d")
    assert spec.param("intrinsic_neighbors").default == 3
    assert spec.param("penalty_pairs").default == 20
    assert spec.param("n_discriminative").starting_value(methods.Facts(200, 4096, 200, 40)) == 40


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_labels_that_are_not_told_change_nothing(solver: str) -> None:
    (X, y), init = faces(), start()
    told = y.copy()
    told[y < 0] = -1
    one = methods.create("ndtf_2d", init=init, max_iter=20, solver=solver, **SETTINGS).fit(X, y)
    other = methods.create("ndtf_2d", init=init, max_iter=20, solver=solver, **SETTINGS).fit(X, told)
    assert (one.embedding_ == other.embedding_).all()
    known = np.flatnonzero(y == 0)[0]
    told[known] = -1
    changed = methods.create("ndtf_2d", init=init, max_iter=20, solver=solver, **SETTINGS).fit(X, told)
    assert np.abs(one.embedding_ - changed.embedding_).max() > 1e-6


@pytest.mark.parametrize(
    ("solver", "steps", "how", "least"),
    [
        ("multiplicative", 300, "ridge", 0.9),
        ("accelerated", 100, "nnls", 0.9),
        ("accelerated", 100, "ridge", 0.9),
    ],
)
def test_faces_are_recognised(solver: str, steps: int, how: str, least: float) -> None:
    ds = datasets.load("orl", size=32)
    assert ds.y is not None
    rng = np.random.default_rng(0)
    train = np.sort(np.concatenate([rng.permutation(np.flatnonzero(ds.y == c))[:5] for c in range(40)]))
    test = np.setdiff1d(np.arange(400), train)
    model = methods.create("ndtf_2d", solver=solver, max_iter=steps, tol=0, features=how, random_state=0)
    features = model.fit(ds.X[train], ds.y[train]).transform(ds.X)
    nearest = KNeighborsClassifier(1, metric="cosine").fit(features[train], ds.y[train])
    assert nearest.score(features[test], ds.y[test]) >= least


def test_copies_of_a_part_do_not_blow_up_noise() -> None:
    (X, y), (H, W) = faces(), start()
    H[4] = H[3] + 1e-4 * np.random.default_rng(2).random(H.shape[1])
    model = methods.create("ndtf_2d", init=(H, W), max_iter=0, **SETTINGS).fit(X, y)
    features = model.transform(X)
    assert np.allclose(features[:, 3], features[:, 4], rtol=1e-2)
    noisy = X + 0.01 * np.random.default_rng(3).standard_normal(X.shape)
    changed = np.abs(model.transform(noisy) - features).max()
    assert changed < 1e-2 * np.abs((noisy - X) @ np.linalg.pinv(H)).max()
