"""SULF against a plain implementation of the corrected rule; what its paper claims, and what it prints."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn.utils.estimator_checks import check_estimator

import methods
from methods.multiview.view_weights import best_weights

Array = NDArray[Any]
EPSILON = 1e-8


def problem(n: int = 18, sizes: tuple[int, ...] = (7, 4, 5), k: int = 3, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 3)
    views = [np.abs(rng.random((3, m))[truth] + 0.3 * rng.standard_normal((n, m))) for m in sizes]
    # Labelled rows are scattered among the others.
    y = np.where(rng.random(n) < 0.5, truth, -1)
    y[[np.flatnonzero(truth == c)[0] for c in range(3)]] = range(3)
    V = rng.random((n, k)) + 0.1
    H = [rng.random((k, m)) + 0.1 for m in sizes]
    return {"views": views, "y": y, "truth": truth, "init": (H, V / np.linalg.norm(V, axis=0))}


def create(setup: dict[str, Any], **params: Any) -> Any:
    settings = {"n_components": setup["init"][1].shape[1], "init": setup["init"], "tol": 0, "lam": 3.0}
    return methods.create("sulf", **(settings | {"unit_samples": False} | params))


def fit(setup: dict[str, Any], **params: Any) -> Any:
    return create(setup, **params).fit(setup["views"], setup["y"])


class Plain:
    """Section 9 of the corrected mathematics, sample by sample, in the paper's orientation (columns)."""

    def __init__(self, setup: dict[str, Any], beta: float, gamma: float, lam: float, printed: bool = False):
        self.X = [view.T for view in setup["views"]]
        self.U = [part.T.copy() for part in setup["init"][0]]
        self.V = setup["init"][1].T.copy()
        self.L = np.flatnonzero(setup["y"] >= 0)
        self.Y = np.eye(3)[setup["y"][self.L]].T
        self.beta, self.gamma, self.lam, self.printed = beta, gamma, lam, printed
        self.pi = [1 / len(self.X)] * len(self.X)
        self.W = np.zeros((self.V.shape[0], 3))
        self.fit_W(50, first=True)

    def fit_W(self, rounds: int, first: bool = False) -> None:
        V = self.V[:, self.L]
        for turn in range(rounds):
            E = np.zeros((len(V), len(V)))
            for k in range(len(V)):
                square = 1.0 if first and turn == 0 else sum(w * w for w in self.W[k])
                E[k, k] = 1 / (2 * sqrt(square + EPSILON))
            A = self.beta * V @ V.T + self.gamma * E
            self.W = self.beta * np.linalg.inv(A) @ V @ self.Y.T

    def step(self) -> None:
        for p, X in enumerate(self.X):
            self.U[p] = self.U[p] * (X @ self.V.T) / (self.U[p] @ self.V @ self.V.T)
        new = np.zeros_like(self.V)
        for n in range(self.V.shape[1]):
            new[:, n] = self.column(n)
        self.V = new
        if not self.printed:
            for k in range(len(new)):
                length = sqrt(sum(v * v for v in new[k]))
                self.V[k] /= length
                self.W[k] *= length
                for U in self.U:
                    U[:, k] *= length
        self.pi = list(best_weights(np.array(self.errors()), self.lam))
        self.fit_W(5)

    def column(self, n: int) -> Array:
        v, W = self.V[:, n], self.W
        up = sum(p * U.T @ X[:, n] for p, U, X in zip(self.pi, self.U, self.X, strict=True))
        down = sum(p * U.T @ U @ v for p, U in zip(self.pi, self.U, strict=True))
        if not self.printed:
            for k in range(len(v)):
                square = W[k] @ W[k]
                down[k] += self.gamma * square / (2 * sqrt(square + EPSILON)) * v[k]
        if n not in self.L:
            return v * (np.sqrt(up / down) if self.printed else up / down)
        label = W @ self.Y[:, list(self.L).index(n)]
        up = up + self.beta * np.maximum(label, 0)
        down = down + self.beta * np.maximum(-label, 0)
        if not self.printed:
            gram = W @ W.T
            up = up + self.beta * np.maximum(-gram, 0) @ v
            down = down + self.beta * np.maximum(gram, 0) @ v
        return v * np.sqrt(up / down)

    def errors(self) -> list[float]:
        return [float(((X - U @ self.V) ** 2).sum()) for X, U in zip(self.X, self.U, strict=True)]

    def objective(self) -> float:
        total = sum(p * c + self.lam * p * p for p, c in zip(self.pi, self.errors(), strict=True))
        total += self.beta * ((self.W.T @ self.V[:, self.L] - self.Y) ** 2).sum()
        return float(total + self.gamma * sum(sqrt(w @ w + EPSILON) for w in self.W))


@pytest.mark.parametrize("iterations", [1, 10, 100])
@pytest.mark.parametrize("beta", [0.05, 30.0])
def test_equals_the_corrected_rule(iterations: int, beta: float) -> None:
    setup = problem()
    plain = Plain(setup, beta, gamma=0.1 * beta, lam=3.0)
    for _ in range(iterations):
        plain.step()
    model = fit(setup, beta=beta, gamma=0.1 * beta, max_iter=iterations)
    np.testing.assert_allclose(model.embedding_, plain.V.T, rtol=1e-9, atol=1e-12)
    for ours, theirs in zip(model.components_, plain.U, strict=True):
        np.testing.assert_allclose(ours, theirs.T, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.classifier_, plain.W, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.view_weights_, plain.pi, rtol=1e-9)
    assert model.objective_curve_[-1] == pytest.approx(plain.objective(), rel=1e-9)


@pytest.mark.parametrize("iterations", [1, 10, 20])
def test_equals_the_printed_rule(iterations: int) -> None:
    setup = problem()
    plain = Plain(setup, 2.0, gamma=0.4, lam=3.0, printed=True)
    for _ in range(iterations):
        plain.step()
    model = fit(setup, beta=2.0, gamma=0.4, max_iter=iterations, rule="printed")
    np.testing.assert_allclose(model.embedding_, plain.V.T, rtol=1e-8, atol=1e-12)
    assert model.objective_curve_[-1] == pytest.approx(plain.objective(), rel=1e-8)


def random_problem(seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    k, sizes = int(rng.integers(1, 7)), tuple(int(m) for m in rng.integers(3, 12, rng.integers(1, 4)))
    setup = problem(int(rng.integers(9, 40)), sizes, k, seed)
    setup["views"] = [view * 10 ** rng.uniform(-2, 2) for view in setup["views"]]
    setup["beta"], setup["lam"] = 10 ** rng.uniform(-3, 8), 10 ** rng.uniform(-2, 5)
    setup["gamma_share"] = 10 ** rng.uniform(-4, 0.3)
    return setup


@pytest.mark.parametrize("seed", range(25))
def test_split_never_raises_the_objective_whatever_beta(seed: int) -> None:
    setup = random_problem(seed)
    settings = {name: setup[name] for name in ("beta", "lam", "gamma_share")}
    for params in (settings, settings | {"unit_samples": True}, settings | {"gamma_share": 0.0}):
        curve = fit(setup, max_iter=80, **params).objective_curve_
        assert np.isfinite(curve).all()
        assert (np.diff(curve) <= 1e-11 * np.abs(curve).max()).all()
    assert curve[-1] < curve[0]


@pytest.mark.parametrize("beta", [10.0**power for power in range(-3, 9)])
def test_at_every_beta_split_falls_where_printed_may_rise(beta: float) -> None:
    rises = 0
    for seed in range(100, 106):
        setup = random_problem(seed)
        settings = {"beta": beta, "lam": setup["lam"], "unit_samples": True, "max_iter": 20}
        split = fit(setup, **settings).objective_curve_
        assert (np.diff(split) <= 1e-11 * np.abs(split).max()).all()
        printed = fit(setup, rule="printed", **settings).objective_curve_
        rises += bool((np.diff(printed) > 1e-3 * np.abs(printed[:-1])).any())
    # Where labels count for little the mistake in the printed rule does, too.
    assert rises == 6 or beta <= 1


@pytest.mark.parametrize("beta", [1e3, 1e8])
def test_printed_rule_raises_the_objective_and_the_spec_says_so(beta: float) -> None:
    setup = problem()
    model = fit(setup, beta=beta, rule="printed", max_iter=500, unit_samples=True, tol=1e-6)
    assert model.n_iter_ == 20, "an objective that rises has not settled"
    assert model.objective_curve_[-1] > 1.2 * model.objective_curve_.min()
    corrected = fit(setup, beta=beta, max_iter=20, unit_samples=True)
    assert corrected.objective_curve_[-1] < 0.5 * model.objective_curve_[-1]
    assert "objective rises" in methods.spec("sulf").corrections


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_printed_rule_that_overflows_ends_as_diverged(dtype: Any) -> None:
    setup = problem()
    setup["views"] = [view.astype(dtype) * dtype(1e18) for view in setup["views"]]
    H, V = setup["init"]
    setup["init"] = ([part.astype(dtype) for part in H], V.astype(dtype) * dtype(1e15))
    model = create(setup, beta=1e200, rule="printed", max_iter=20)
    steps = list(model.iterate(setup["views"], setup["y"]))
    assert model.status_ == "diverged"
    assert not np.isfinite(steps[-1].objective)


@pytest.mark.parametrize("evenness", [1e-3, 0.5, 3.0, 1e4])
def test_weights_are_optimal(evenness: float) -> None:
    model = fit(problem(), lam=evenness, beta=0.1, max_iter=30)
    weights, errors = model.view_weights_, model.view_errors_
    assert weights.sum() == pytest.approx(1, abs=1e-15)
    assert (weights >= 0).all()
    # One price for all views in use, and no lower one among those that are not.
    prices = errors + 2 * evenness * weights
    used = weights > 0
    np.testing.assert_allclose(prices[used], prices[used].min(), rtol=1e-12)
    assert (prices[~used] >= prices[used].min() * (1 - 1e-12)).all()
    exact = [
        float(((X - model.embedding_ @ H) ** 2).sum())
        for X, H in zip(problem()["views"], model.components_, strict=True)
    ]
    np.testing.assert_allclose(errors, exact, rtol=1e-10)


@pytest.mark.parametrize("seed", range(40))
def test_weights_are_the_best_there_are_for_any_errors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors, evenness = 10 ** rng.uniform(-6, 6, rng.integers(1, 9)), 10 ** rng.uniform(-6, 6)
    weights = best_weights(errors, evenness)
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    best = errors @ weights + evenness * weights @ weights
    others = rng.dirichlet(np.full(errors.size, 0.5), 200)
    assert (best <= others @ errors + evenness * np.square(others).sum(axis=1) + 1e-9 * abs(best)).all()
    prices = errors + 2 * evenness * weights
    assert np.ptp(prices[weights > 0]) <= 1e-9 * prices.max()
    assert (prices[weights == 0] >= prices[weights > 0].min() * (1 - 1e-9)).all()


def test_weights_of_errors_that_are_no_numbers_are_none() -> None:
    assert np.isnan(best_weights(np.array([1.0, np.nan]), 1.0)).all()
    assert np.isnan(best_weights(np.array([np.inf, np.inf]), 1.0)).all()
    np.testing.assert_array_equal(best_weights(np.array([1.0, np.inf]), 1.0), [1, 0])


def test_weights_without_evenness_go_to_the_best_view() -> None:
    np.testing.assert_array_equal(best_weights(np.array([3.0, 1.0, 1.0]), 0.0), [0, 0.5, 0.5])
    assert sorted(fit(problem(), lam=0.0, max_iter=5).view_weights_) == [0, 0, 1]
    even = fit(problem(), lam=1e9, max_iter=5).view_weights_
    np.testing.assert_allclose(even, 1 / 3, atol=1e-6)


def test_scaling_law() -> None:
    setup, s = problem(), 7.5
    one = fit(setup, beta=0.3, gamma=0.05, lam=2.0, max_iter=40)
    scaled = setup | {
        "views": [s * view for view in setup["views"]],
        "init": ([s * H for H in setup["init"][0]], setup["init"][1]),
    }
    other = fit(scaled, beta=0.3 * s**2, gamma=0.05 * s**2, lam=2.0 * s**2, max_iter=40)
    for name in ("embedding_", "classifier_", "view_weights_"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other.objective_curve_, s**2 * one.objective_curve_, rtol=1e-10)
    # With samples of length 1 the scale of a view means nothing at all.
    unit = fit(setup, unit_samples=True, max_iter=20)
    again = fit(scaled | {"init": setup["init"]}, unit_samples=True, max_iter=20)
    np.testing.assert_allclose(again.embedding_, unit.embedding_, rtol=1e-9)


def test_permuting_views_permutes_weights_and_parts() -> None:
    setup, order = problem(), [2, 0, 1]
    one = fit(setup, beta=0.3, max_iter=30)
    H, V = setup["init"]
    moved = setup | {"views": [setup["views"][p] for p in order], "init": ([H[p] for p in order], V)}
    other = fit(moved, beta=0.3, max_iter=30)
    np.testing.assert_allclose(other.view_weights_, one.view_weights_[order], rtol=1e-12)
    np.testing.assert_allclose(other.embedding_, one.embedding_, rtol=1e-9)
    for a, p in zip(other.components_, order, strict=True):
        np.testing.assert_allclose(a, one.components_[p], rtol=1e-9)


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_one_view_without_labels_is_nmf(iterations: int) -> None:
    setup = problem(sizes=(8,))
    X, (H, V) = setup["views"][0], setup["init"]
    nmf = methods.create("nmf", n_components=3, init=(H[0], V), max_iter=iterations, tol=0).fit(X)
    sulf = create(setup, beta=0, max_iter=iterations, init=(H[0], V)).fit(X)
    # The same product; lengths sit in the parts, so that columns of the embedding have length 1.
    lengths = np.linalg.norm(nmf.embedding_, axis=0)
    np.testing.assert_allclose(sulf.embedding_, nmf.embedding_ / lengths, rtol=1e-9)
    np.testing.assert_allclose(sulf.components_, nmf.components_ * lengths[:, None], rtol=1e-9)
    np.testing.assert_allclose(sulf.objective_curve_ - 3.0, nmf.objective_curve_, rtol=1e-9)


def test_variants() -> None:
    setup = problem()
    blind = create(setup, beta=0, max_iter=20).fit(setup["views"])
    np.testing.assert_array_equal(fit(setup, beta=0, max_iter=20).embedding_, blind.embedding_)
    with pytest.raises(ValueError, match="without labels"):
        blind.predict(setup["views"])
    single = fit(setup, only_view=1, beta=0.2, max_iter=20)
    np.testing.assert_array_equal(single.view_weights_, [0, 1, 0])
    alone = setup | {"views": [setup["views"][1]], "init": ([setup["init"][0][1]], setup["init"][1])}
    np.testing.assert_allclose(single.embedding_, fit(alone, beta=0.2, max_iter=20).embedding_, rtol=1e-10)
    np.testing.assert_array_equal(
        single.embedding_, fit(setup, weights=(0, 1, 0), beta=0.2, max_iter=20).embedding_
    )
    np.testing.assert_array_equal(fit(setup, weights="equal", max_iter=9).view_weights_, [1 / 3] * 3)


def test_gamma_max_empties_the_classifier_and_a_share_of_it_does_not() -> None:
    setup = problem()
    # The largest share at which anything can be left, up to the smoothing ε.
    gone = fit(setup, gamma_share=1.2, beta=0.2, max_iter=0)
    assert np.linalg.norm(gone.classifier_, axis=1).max() < 0.02
    there = fit(setup, gamma_share=0.8, beta=0.2, max_iter=0)
    assert np.linalg.norm(there.classifier_, axis=1).max() > 0.2
    V = setup["init"][1]
    labelled = setup["y"] >= 0
    pull = max(np.linalg.norm(np.eye(3)[setup["y"][labelled]].T @ V[labelled, k]) for k in range(3))
    absolute = fit(setup, gamma=0.03 * 2 * 0.2 * pull, beta=0.2, max_iter=15)
    np.testing.assert_allclose(absolute.embedding_, fit(setup, beta=0.2, max_iter=15).embedding_, rtol=1e-9)


def test_classifier_is_the_minimiser_for_the_embedding_shown() -> None:
    setup = problem()
    model = fit(setup, beta=0.5, gamma=0.02, max_iter=300)
    labelled = setup["y"] >= 0
    V, W = model.embedding_[labelled], model.classifier_
    lengths = np.sqrt((W**2).sum(axis=1, keepdims=True) + EPSILON)
    slope = 2 * 0.5 * V.T @ (V @ W - np.eye(3)[setup["y"][labelled]]) + 0.02 * W / lengths
    np.testing.assert_allclose(slope, 0, atol=1e-5)


def test_labels_anywhere_and_only_known_ones_count() -> None:
    setup = problem()
    order = np.random.default_rng(3).permutation(18)
    one = fit(setup, beta=0.5, max_iter=25)
    moved = setup | {
        "views": [view[order] for view in setup["views"]],
        "y": setup["y"][order],
        "init": (setup["init"][0], setup["init"][1][order]),
    }
    other = fit(moved, beta=0.5, max_iter=25)
    np.testing.assert_allclose(other.embedding_, one.embedding_[order], rtol=1e-9)
    np.testing.assert_array_equal(other.transduction_, one.transduction_[order])


def test_sparse_and_implicit_views_run_through_the_same_code() -> None:
    setup = problem()
    setup["views"] = [np.where(view > 0.6, view, 0) for view in setup["views"]]
    dense = fit(setup, beta=0.5, max_iter=25, unit_samples=True)
    mixed = [sparse.csr_matrix(setup["views"][0]), sparse.csc_array(setup["views"][1]), setup["views"][2]]
    made = fit(setup | {"views": mixed}, beta=0.5, max_iter=25, unit_samples=True)
    np.testing.assert_allclose(made.embedding_, dense.embedding_, rtol=1e-9)
    np.testing.assert_allclose(made.transform(mixed), dense.transform(setup["views"]), rtol=1e-7, atol=1e-9)
    implicit = [aslinearoperator(view) for view in setup["views"]]
    plain = fit(setup, beta=0.5, max_iter=25)
    np.testing.assert_allclose(
        fit(setup | {"views": implicit}, beta=0.5, max_iter=25).embedding_, plain.embedding_, rtol=1e-9
    )
    with pytest.raises(ValueError, match="unit_samples=False"):
        fit(setup | {"views": implicit}, unit_samples=True)


def test_large_sparse_views_are_never_made_dense() -> None:
    rng = np.random.default_rng(0)
    views = [sparse.random_array((300, 2_000_000), density=1e-6, format="csr", rng=rng) for _ in range(2)]
    views = [view + sparse.csr_array(([1.0] * 300, (range(300), range(300))), view.shape) for view in views]
    y = np.where(np.arange(300) < 60, np.arange(300) % 3, -1)
    model = methods.create("sulf", n_components=2, max_iter=2, tol=0, random_state=0).fit(views, y)
    assert np.isfinite(model.objective_curve_).all()


def test_mappings_are_put_in_order_and_wrong_views_are_refused() -> None:
    setup = problem()
    names = ("colour", "shape", "words")
    named = dict(zip(names, setup["views"], strict=True))
    model = create(setup, max_iter=10).fit(named, setup["y"])
    assert model.view_names_ == names
    backwards = {name: named[name] for name in reversed(names)}
    np.testing.assert_array_equal(model.transform(backwards), model.transform(setup["views"]))
    for wrong, message in (
        (setup["views"][:2], "2 view"),
        (setup["views"][0], "1 view"),
        ({"colour": 0, "shape": 0, "sound": 0}, "'words' is missing"),
        (named | {"shape": setup["views"][0]}, "'shape' has 7 features"),
    ):
        with pytest.raises(ValueError, match=message):
            model.transform(wrong)
    for params, message in (
        ({"only_view": 3}, "only_view=3"),
        ({"weights": (0.5, 0.6, 0.1)}, "sum to 1"),
        ({"weights": (0.5, 0.5)}, "weights"),
        ({"init": (setup["init"][0][:2], setup["init"][1])}, "2 view"),
        ({"init": (setup["init"][0][::-1], setup["init"][1])}, "view '0'"),
        ({"init": (1,)}, "pair"),
    ):
        with pytest.raises(ValueError, match=message):
            fit(setup, **params)


def test_unseen_samples() -> None:
    setup = problem(60, k=4)
    model = fit(setup, beta=0.5, max_iter=300)
    unseen = problem(30, k=4, seed=0)["views"]
    coefficients = model.transform(unseen)
    assert (coefficients >= 0).all()
    weights = np.sqrt(model.view_weights_)
    joint = np.hstack([w * H for w, H in zip(weights, model.components_, strict=True)])
    rows = np.hstack([w * X for w, X in zip(weights, unseen, strict=True)])
    slope = (coefficients @ joint - rows) @ joint.T
    np.testing.assert_allclose(np.minimum(coefficients, slope), 0, atol=1e-10)
    free = model.set_params(features="pinv").transform(unseen)
    np.testing.assert_allclose(free, rows @ np.linalg.pinv(joint), rtol=1e-7, atol=1e-10)
    with pytest.raises(ValueError, match="features="):
        model.set_params(features="guess").transform(unseen)


def test_the_handbook_says_what_does_as_well_without_it_on_texts() -> None:
    said = methods.spec("sulf").corrections
    assert "on SULF₁ it names 71, 63, 72, more than SULF at 10⁸ on two of the three" in said
    assert "least squares on the words alone" in said


def test_labels_move_labelled_rows_of_v_away_from_what_the_parts_make_of_them() -> None:
    """Why a middling β misleads: W learns from rows that were moved and is asked about rows that were not."""
    setup = problem(60, k=4)
    known, moved, others = setup["y"] >= 0, {}, {}
    for beta in (0.01, 0.3):
        model = fit(setup, beta=beta, max_iter=1000)
        codes = model.transform(setup["views"])
        apart = np.linalg.norm(model.embedding_ - codes, axis=1) / np.linalg.norm(codes, axis=1)
        moved[beta], others[beta] = apart[known].mean(), apart[~known].mean()
    assert max(others.values()) < 0.04
    assert moved[0.01] < 0.02 < 0.1 < moved[0.3]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_one_matrix_follows_the_conventions_of_scikit_learn() -> None:
    check_estimator(methods.create("sulf", max_iter=20))
