"""N²S²L against a plain implementation in the papers' notation: X is features × samples, X ≈ U Vᵀ."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

import datasets
import methods
from experiments.measures.recognition import accuracy, nearest_neighbour
from experiments.requests.splits import split

Array = NDArray[Any]
M, N, K, Q = 9, 14, 5, 3


class Weights(NamedTuple):
    """The method's own parameters."""

    alpha: float = 10.0
    beta: float = 1.0
    intrinsic: int | None = None
    pairs: int = 20
    near: int = 3

    def params(self) -> dict[str, Any]:
        return {
            "alpha": self.alpha,
            "beta": self.beta,
            "intrinsic_neighbors": self.intrinsic,
            "penalty_pairs": self.pairs,
            "smooth_neighbors": self.near,
        }


WEIGHTS = [
    Weights(),
    Weights(alpha=0.3, beta=0.05, intrinsic=1, pairs=2, near=1),
    Weights(alpha=5.0, beta=0.0),
    Weights(alpha=0.0, beta=2.0, near=4),
    Weights(pairs=0),
    Weights(near=0),
]


def made(seed: int = 0) -> tuple[Array, Array, Array, Array]:
    """X (m × N), y, U (m × k) and V (N × k), every entry of the matrices positive."""
    rng = np.random.default_rng(seed)
    y = np.array([0, 1, 2, 0, 1, 2, 0, 1, -1, -1, -1, -1, 0, -1])
    X = rng.uniform(0, 1, (M, N)) + 0.5 * rng.uniform(0, 1, (M, 3))[:, np.where(y < 0, 0, y)]
    return X, y, rng.uniform(0.1, 1, (M, K)), rng.uniform(0.1, 1, (N, K))


def distance(X: Array, i: int, j: int) -> float:
    return float(np.sqrt(sum((X[f, i] - X[f, j]) ** 2 for f in range(M))))


def intrinsic_graph(X: Array, y: Array, neighbours: int | None) -> Array:
    S = np.zeros((N, N))
    for i in range(N):
        mates = [j for j in range(N) if j != i and y[j] == y[i] != -1]
        nearest = sorted(mates, key=lambda j: distance(X, i, j))
        for j in nearest if neighbours is None else nearest[:neighbours]:
            S[i, j] = S[j, i] = 1
    return S


def penalty_graph(X: Array, y: Array, pairs: int) -> Array:
    S = np.zeros((N, N))
    for c in {code for code in y if code != -1}:
        across = [(i, j) for i in range(N) for j in range(N) if y[i] == c and y[j] not in (c, -1)]
        for i, j in sorted(across, key=lambda pair: distance(X, *pair))[:pairs]:
            S[i, j] = S[j, i] = 1
    return S


def smoothness_graph(X: Array, near: int) -> Array:
    S = np.zeros((N, N))
    for i in range(N):
        others = sorted((j for j in range(N) if j != i), key=lambda j: distance(X, i, j))
        for j in others[:near]:
            S[i, j] = S[j, i] = 1
    return S


class Oracle:
    """The handbook's objective and iteration, with dense matrices and a loop over the columns of U and V."""

    def __init__(self, X: Array, y: Array, weights: Weights, q: int = Q) -> None:
        S = intrinsic_graph(X, y, weights.intrinsic)
        Sp = penalty_graph(X, y, weights.pairs)
        Ss = smoothness_graph(X, weights.near)
        self.X, self.q = X, q
        self.first = weights.alpha * S, weights.beta * Ss
        self.rest = weights.alpha * Sp

    def affinity(self, j: int) -> Array:
        return self.first[0] + self.first[1] if j < self.q else self.rest

    def degree(self, j: int) -> Array:
        return np.diag(self.affinity(j).sum(axis=1))

    def halves_for_U(self, U: Array, V: Array) -> tuple[Array, Array]:
        up, down = self.X @ V, U @ V.T @ V
        for j in range(K):
            up[:, j] += U[:, j] * (V[:, j] @ self.affinity(j) @ V[:, j])
            down[:, j] += U[:, j] * (V[:, j] @ self.degree(j) @ V[:, j])
        return up, down

    def halves_for_V(self, U: Array, V: Array) -> tuple[Array, Array]:
        up, down = self.X.T @ U, V @ U.T @ U
        for j in range(K):
            up[:, j] += self.affinity(j) @ V[:, j]
            down[:, j] += self.degree(j) @ V[:, j]
        return up, down

    def step(self, U: Array, V: Array) -> tuple[Array, Array]:
        up, down = self.halves_for_U(U, V)
        U = U * up / down
        lengths = np.array([np.sqrt(sum(u * u for u in U[:, j])) for j in range(K)])
        U, V = U / lengths, V * lengths
        up, down = self.halves_for_V(U, V)
        return U, V * up / down

    def run(self, U: Array, V: Array, iterations: int) -> tuple[Array, Array]:
        for _ in range(iterations):
            U, V = self.step(U, V)
        return U, V

    def terms(self, U: Array, V: Array) -> dict[str, float]:
        def energy(S: Array, columns: range) -> float:
            # ½ Σ S_ab (v_a − v_b)² is vᵀLv.
            total = 0.0
            for j in columns:
                squares = sum(
                    S[a, b] * (V[a, j] - V[b, j]) ** 2 for a in range(N) for b in range(N) if S[a, b]
                )
                total += float(U[:, j] @ U[:, j]) * squares / 2
            return total

        return {
            "reconstruction": float(((self.X - U @ V.T) ** 2).sum()),
            "separability": energy(self.first[0], range(self.q)),
            "smoothness": energy(self.first[1], range(self.q)),
            "penalty": energy(self.rest, range(self.q, K)),
        }


def n2s2l(iterations: int, weights: Weights = WEIGHTS[0], **params: Any) -> Any:
    settings: dict[str, Any] = {"n_components": K, "n_discriminative": Q, "max_iter": iterations, "tol": 0}
    if "solver" in {param.name for param in methods.spec("n2s2l").params}:
        settings["solver"] = "multiplicative"
    return methods.create("n2s2l", **settings | weights.params() | params)


@pytest.mark.parametrize("iterations", [1, 10, 100])
@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_equals_the_plain_implementation(weights: Weights, iterations: int) -> None:
    X, y, U, V = made()
    steps = list(n2s2l(iterations, weights, init=(U.T, V)).iterate(X.T, y))
    U_end, V_end = Oracle(X, y, weights).run(U, V, iterations)
    np.testing.assert_allclose(steps[-1].state["components"].T, U_end, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(steps[-1].state["embedding"], V_end, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_named_terms_are_those_of_the_fitted_arrays(weights: Weights) -> None:
    X, y, U, V = made(1)
    oracle = Oracle(X, y, weights)
    # The start has parts of any length, later steps parts of length one: the terms must be right for both.
    for step in n2s2l(3, weights, init=(U.T, V)).iterate(X.T, y):
        expected = oracle.terms(step.state["components"].T, step.state["embedding"])
        assert step.terms.keys() == expected.keys()
        for name, value in expected.items():
            assert np.isclose(step.terms[name], value, rtol=1e-9, atol=1e-9), (step.iteration, name)
        assert np.isclose(step.objective, sum(expected.values()), rtol=1e-9)


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_the_update_splits_the_gradient(weights: Weights) -> None:
    X, y, U, V = made(2)
    U /= np.linalg.norm(U, axis=0)  # as it is when V is updated
    oracle = Oracle(X, y, weights)

    def objective(U: Array, V: Array) -> float:
        return float(n2s2l(0, weights, init=(U.T, V)).fit(X.T, y).objective_curve_[0])

    h = 1e-5
    up, down = oracle.halves_for_U(U, V)
    for i, j in np.ndindex(U.shape):
        nudge = np.zeros_like(U)
        nudge[i, j] = h
        slope = (objective(U + nudge, V) - objective(U - nudge, V)) / (2 * h)
        assert np.isclose(slope, 2 * (down - up)[i, j], rtol=1e-5, atol=1e-5)
    up, down = oracle.halves_for_V(U, V)
    for i, j in np.ndindex(V.shape):
        nudge = np.zeros_like(V)
        nudge[i, j] = h
        slope = (objective(U, V + nudge) - objective(U, V - nudge)) / (2 * h)
        assert np.isclose(slope, 2 * (down - up)[i, j], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("iterations", [0, 1, 10, 100])
def test_without_graphs_it_is_nmf(iterations: int) -> None:
    X, y, U, V = made(3)
    ours = n2s2l(iterations, Weights(alpha=0, beta=0), init=(U.T, V)).fit(X.T, y)
    plain = methods.create("nmf", n_components=K, max_iter=iterations, tol=0, init=(U.T, V)).fit(X.T)
    np.testing.assert_allclose(
        ours.embedding_ @ ours.components_, plain.embedding_ @ plain.components_, rtol=1e-9
    )
    np.testing.assert_allclose(ours.objective_curve_, plain.objective_curve_, rtol=1e-9)
    if iterations:
        lengths = np.linalg.norm(plain.components_, axis=1)
        np.testing.assert_allclose(ours.components_, plain.components_ / lengths[:, None], rtol=1e-9)
        np.testing.assert_allclose(ours.embedding_, plain.embedding_ * lengths, rtol=1e-9)


def test_parts_have_unit_length_and_the_class_count_sets_q() -> None:
    X, y, U, V = made(4)
    est = n2s2l(5, n_discriminative=None, init=(U.T, V)).fit(X.T, y)
    assert est.n_discriminative_ == 3
    np.testing.assert_allclose(np.linalg.norm(est.components_, axis=1), 1, rtol=1e-12)
    # With as few parts as classes one part is still left for reconstruction.
    assert n2s2l(1, n_components=3, n_discriminative=None, random_state=0).fit(X.T, y).n_discriminative_ == 2
    assert n2s2l(1, n_components=1, n_discriminative=None, random_state=0).fit(X.T, y).n_discriminative_ == 0


def test_rank_follows_the_labelled_samples() -> None:
    X, y, *_ = made(4)
    est = n2s2l(1, n_components=None, n_discriminative=None, random_state=0).fit(X.T, y)
    assert est.components_.shape == (9 * M // (9 + M), M)  # 9 labelled


@pytest.mark.parametrize("q", [K, K + 1])
def test_no_part_left_for_reconstruction_is_refused(q: int) -> None:
    X, y, *_ = made()
    with pytest.raises(ValueError, match=rf"n_discriminative={q} .*n_components={K}"):
        n2s2l(1, n_discriminative=q).fit(X.T, y)


def test_too_many_neighbours_are_refused_by_name() -> None:
    X, y, *_ = made()
    with pytest.raises(ValueError, match=rf"smooth_neighbors={N} .* at most {N - 1}"):
        n2s2l(1, smooth_neighbors=N).fit(X.T, y)
    n2s2l(1, smooth_neighbors=N - 1, random_state=0).fit(X.T, y)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_data_known_only_through_products_give_the_same(solver: str) -> None:
    X, y, U, V = made()
    dense, products = (
        n2s2l(20, solver=solver, init=(U.T, V)).fit(given, y) for given in (X.T.copy(), aslinearoperator(X.T))
    )
    np.testing.assert_allclose(products.embedding_, dense.embedding_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(products.objective_curve_, dense.objective_curve_, rtol=1e-9)


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.csr_matrix])
def test_sparse_data_give_the_same(form: Any) -> None:
    X, y, U, V = made(5)
    X[X < 0.4] = 0
    dense, other = (n2s2l(20, init=(U.T, V)).fit(given, y) for given in (X.T.copy(), form(X.T)))
    np.testing.assert_allclose(other.embedding_, dense.embedding_, rtol=1e-9)
    np.testing.assert_allclose(other.objective_curve_, dense.objective_curve_, rtol=1e-9)


def test_an_unlabelled_sample_is_tied_by_smoothness_alone() -> None:
    X, y, U, V = made(6)
    # Without the smoothness graph no edge reaches an unlabelled sample: its row of V follows plain NMF.
    U /= np.linalg.norm(U, axis=0)
    oracle = Oracle(X, y, Weights(beta=0))
    est = n2s2l(1, Weights(beta=0), init=(U.T, V)).fit(X.T, y)
    U_end = est.components_.T
    up, down = oracle.halves_for_U(U, V)
    V_scaled = V * np.linalg.norm(U * up / down, axis=0)
    plain = V_scaled * (X.T @ U_end) / (V_scaled @ U_end.T @ U_end)
    unlabelled = y == -1
    np.testing.assert_allclose(est.embedding_[unlabelled], plain[unlabelled], rtol=1e-9)
    assert not np.isclose(est.embedding_[~unlabelled], plain[~unlabelled], rtol=1e-3).all()


def test_stronger_labels_pull_classes_together() -> None:
    X, y, *_ = made(7)

    def spread(alpha: float) -> float:
        V1 = n2s2l(200, alpha=alpha, random_state=0).fit(X.T, y).embedding_[:, :Q]
        V1 = V1 / np.linalg.norm(V1)
        return float(sum(((V1[y == c] - V1[y == c].mean(axis=0)) ** 2).sum() for c in range(3)))

    spreads = [spread(alpha) for alpha in (0.0, 0.1, 1.0, 10.0)]
    assert all(later < 0.5 * earlier for earlier, later in pairwise(spreads)), spreads


FACES = {"n_components": 78, "max_iter": 300, "tol": 0}


@pytest.fixture(scope="module")
def orl() -> datasets.Dataset:
    return datasets.load("orl", size=64)


@pytest.mark.slow
def test_faces_are_recognised_as_well_as_in_the_paper(orl: datasets.Dataset) -> None:
    assert orl.X.dtype == np.float32
    scores = []
    for seed in range(3):
        parts = split(orl, labelled_per_class=2, seed=seed)
        # Twice as many iterations recognise as many, to the last face.
        settings = FACES | {"n_discriminative": 40, "max_iter": 150}
        est = n2s2l(150, **settings, random_state=seed).fit(orl.X, parts.y_partial)
        scores.append(one_nearest(est.embedding_[:, :40], orl.y, parts))
    # Published: 79.19 on aligned faces; these are not, and 82-83 is what other implementations reach.
    assert 0.80 <= np.mean(scores) <= 0.90, scores


@pytest.mark.slow
def test_plain_nmf_recognises_fewer_faces(orl: datasets.Dataset) -> None:
    scores = []
    for seed in range(3):
        parts = split(orl, labelled_per_class=2, seed=seed)
        est = methods.create("nmf", **FACES, features="pinv", random_state=seed).fit(orl.X)
        scores.append(one_nearest(est.transform(orl.X), orl.y, parts))
    assert 0.64 <= np.mean(scores) <= 0.77, scores


def one_nearest(features: Array, y: Any, parts: Any) -> float:
    guess = nearest_neighbour(features[parts.labelled], y[parts.labelled], features[parts.unlabelled])
    return accuracy(guess, y[parts.unlabelled])
