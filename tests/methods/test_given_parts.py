"""Parts that are kept, started from, and taken away, against plain loops over the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import methods
from methods.given_parts import without
from methods.typing import Array

N, M, K = 30, 20, 5
solvers = pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])


def made(seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.random((N, K)) @ rng.random((K, M)) + 0.1 * rng.random((N, M)), rng.random((2, M)) + 0.1


def nmf(**params: Any) -> Any:
    return methods.create("nmf", **{"n_components": K, "max_iter": 40, "tol": 0, "random_state": 0} | params)


def unit(parts: Array) -> Array:
    return parts / np.linalg.norm(parts, axis=1, keepdims=True)


@solvers
@pytest.mark.parametrize("known", [0.0, 0.3])
def test_fixed_parts_stay_and_the_objective_never_rises(solver: str, known: float) -> None:
    X, fixed = made()
    X[np.random.default_rng(1).random(X.shape) < known] = np.nan
    est = nmf(solver=solver)
    for step in est.iterate(X, fixed=fixed):
        np.testing.assert_allclose(unit(step.state["components"][:2]), unit(fixed), rtol=1e-9)
    assert (np.diff(est.objective_curve_) <= 1e-10 * est.objective_curve_[0]).all()
    assert est.objective_curve_[-1] < 0.5 * est.objective_curve_[0]


def test_the_other_parts_take_the_published_steps() -> None:
    X, fixed = made(1)
    est = nmf(max_iter=0).fit(X, fixed=fixed)
    H, W = est.components_.copy(), est.embedding_.copy()
    for _ in range(20):
        H[2:] = (H * (W.T @ X) / (W.T @ W @ H))[2:]
        W = W * (X @ H.T) / (W @ H @ H.T)
    est = nmf(max_iter=20).fit(X, fixed=fixed)
    np.testing.assert_allclose(est.components_, H, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, W, rtol=1e-9)


def test_the_other_parts_take_exact_steps_beside_those_that_stay() -> None:
    X, fixed = made(2)
    start = nmf(max_iter=0).fit(X, fixed=fixed)
    H, W = start.components_.copy(), start.embedding_.copy()
    for _ in range(3):
        for j in range(2, K):
            left = X - W @ H + np.outer(W[:, j], H[j])
            H[j] = np.maximum(W[:, j] @ left / (W[:, j] @ W[:, j]), 0)
    est = nmf(solver="accelerated", max_iter=1).fit(X, fixed=fixed)
    np.testing.assert_allclose(unit(est.components_), unit(H), rtol=1e-9)


@pytest.mark.parametrize("name", [name for name in methods.names() if "parts" in methods.spec(name).takes])
def test_every_method_that_takes_parts_keeps_them_and_moves_the_others(name: str) -> None:
    X, fixed = made(7)
    spec, y = methods.spec(name), np.where(np.arange(N) < 9, np.arange(N) % 3, -1)
    for params in ways(spec):
        est = methods.create(name, n_components=K, max_iter=15, random_state=0, **params)
        walk = est.iterate(X, y, fixed=fixed)
        start = next(walk).copy()
        curve = [start.objective]
        for step in walk:
            np.testing.assert_allclose(unit(step.state["components"][:2]), unit(fixed), rtol=1e-9)
            curve.append(step.objective)
        assert np.abs(unit(est.components_[2:]) - unit(start.state["components"][2:])).max() > 1e-3
        if spec.monotone and params.get("rule") != "printed":
            assert (np.diff(curve) <= 1e-10 * curve[0]).all()
        # The last two are the first now, and stay; one of the others is gone.
        rest = methods.create(name, n_components=K - 1, max_iter=5, random_state=0, **params)
        fewer, kept = without(est, [2]), est.components_[:2].copy()
        rest.fit(X, y, warm_start=fewer, fixed=kept)
        np.testing.assert_allclose(unit(rest.components_[:2]), unit(kept), rtol=1e-9)


def ways(spec: methods.Spec) -> list[dict[str, Any]]:
    """Return every solver and rule of a method."""
    names = {param.name: param for param in spec.params}
    by_name = {name: names[name].choices for name in ("solver", "rule") if name in names}
    plain = {"tol": 0} if "tol" in names else {}
    solvers = [plain | {"solver": solver} for solver in by_name.get("solver", ())] or [plain]
    return solvers + [plain | {"rule": rule} for rule in by_name.get("rule", ())]


def test_the_other_parts_of_semi_nmf_are_least_squares_beside_those_that_stay() -> None:
    X, fixed = made(8)
    fixed = fixed - 0.5
    est = methods.create("semi_nmf", n_components=K, max_iter=4, tol=0, random_state=0)
    walk = est.iterate(X, fixed=fixed)
    W = next(walk).state["embedding"].copy()
    for step in walk:
        C = np.linalg.lstsq(W[:, 2:], X - W[:, :2] @ fixed, rcond=None)[0]
        np.testing.assert_allclose(step.state["components"], np.vstack([fixed, C]), rtol=1e-7)
        W = step.state["embedding"].copy()


def test_the_other_parts_of_lnmf_take_the_published_steps() -> None:
    X, fixed = made(9)
    lnmf = {"n_components": K, "random_state": 0}
    start = methods.create("lnmf", max_iter=0, **lnmf).fit(X, fixed=fixed)
    C, V = start.components_.copy(), start.embedding_.copy()
    for _ in range(5):
        V = np.sqrt(V * ((X / (V @ C)) @ C.T))
        moved = C * (V.T @ (X / (V @ C))) / V.sum(axis=0)[:, None]
        C[2:] = (moved / moved.sum(axis=1, keepdims=True))[2:]
    est = methods.create("lnmf", max_iter=5, **lnmf).fit(X, fixed=fixed)
    np.testing.assert_allclose(est.components_, C, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, V, rtol=1e-9)


@solvers
def test_all_parts_fixed_is_least_squares(solver: str) -> None:
    X, _ = made(3)
    parts = np.random.default_rng(4).random((K, M))
    est = nmf(solver=solver, max_iter=3000, features="nnls").fit(X, fixed=parts)
    np.testing.assert_allclose(unit(est.components_), unit(parts), rtol=1e-9)
    exact = est.transform(X)
    gap = ((X - est.embedding_ @ est.components_) ** 2).sum() / ((X - exact @ est.components_) ** 2).sum()
    assert 1 - 1e-9 <= gap < 1.01


@solvers
def test_seeds_are_started_from_and_may_change(solver: str) -> None:
    X, seeds = made(5)
    est = nmf(solver=solver)
    first = next(est.iterate(X, fixed=seeds[:1], seeds=seeds[1:])).copy()
    np.testing.assert_allclose(unit(first.state["components"][:2]), unit(seeds), rtol=1e-12)
    est.fit(X, fixed=seeds[:1], seeds=seeds[1:])
    found = unit(est.components_[:2])
    np.testing.assert_allclose(found[0], unit(seeds)[0], rtol=1e-9)
    assert np.abs(found[1] - unit(seeds)[1]).max() > 1e-3


def test_a_part_is_taken_away_and_the_run_goes_on() -> None:
    X, _ = made(6)
    est = nmf().fit(X)
    rest = [0, 2, 4]
    walk = nmf(n_components=3).iterate(X, warm_start=without(est, [1, 3]))
    first = next(walk).copy()
    np.testing.assert_array_equal(first.state["components"], est.components_[rest])
    np.testing.assert_array_equal(first.state["embedding"], est.embedding_[:, rest])
    curve = [step.objective for step in walk]
    assert curve[-1] < first.objective
    from_step = without(first, [0])
    np.testing.assert_array_equal(from_step.state["components"], est.components_[[2, 4]])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"fixed": np.ones((2, M - 1))}, "fixed has shape"),
        ({"seeds": -np.ones((1, M))}, "seeds must hold"),
        ({"fixed": np.zeros((1, M))}, "zeros alone"),
        ({"fixed": np.ones((3, M)), "seeds": np.ones((3, M))}, "6 given parts"),
    ],
)
def test_parts_that_cannot_be_placed_are_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        nmf().fit(made()[0], **given)


def test_what_cannot_go_is_refused() -> None:
    est = nmf().fit(made()[0])
    with pytest.raises(ValueError, match="count from 0 to 4"):
        without(est, [5])
    with pytest.raises(ValueError, match="at least one"):
        without(est, range(K))
    with pytest.raises(ValueError, match="kullback"):
        nmf(loss="kullback-leibler").fit(made()[0], fixed=np.ones(M))
