"""Data with unknown entries: against plain loops over what is known, and what must not matter."""

from __future__ import annotations

from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import optimize, sparse
from sklearn.metrics.pairwise import nan_euclidean_distances

import methods
from methods import Spec, graphs
from methods.accelerated import AcceleratedSolver
from methods.coefficients import RIDGE
from methods.data_matrix import DataMatrix
from methods.incomplete import IncompleteMatrix, IncompleteSparse, data_matrix
from methods.multiplicative import MultiplicativeSolver
from methods.typing import Array
from tests.methods.problems import Problem, each, estimator, fitted, problem, takes, views

HOLED = [spec for spec in methods.specs().values() if "holes" in spec.takes]
N, M, K = 30, 17, 4


def made(seed: int = 0, share: float = 0.3) -> tuple[Array, Array]:
    """X of rank 4 and a little noise, and a mask: entries unknown, of half weight, or known."""
    rng = np.random.default_rng(seed)
    X = rng.random((N, K)) @ rng.random((K, M)) + 0.01 * rng.random((N, M))
    return X, rng.choice([0.0, 0.5, 1.0], size=(N, M), p=[share, 0.1, 0.9 - share])


def holed(X: Array, mask: Array) -> Array:
    return np.where(mask > 0, X, np.nan)


def settings(spec: Spec) -> list[dict[str, str]]:
    return [{"solver": name} for name in spec.param("solver").choices] if takes(spec, "solver") else [{}]


both_solvers = pytest.mark.parametrize(
    ("spec", "how"),
    [
        pytest.param(spec, how, id="-".join([spec.id, *how.values()]))
        for spec in HOLED
        for how in settings(spec)
    ],
)


def spoiled(spec: Spec, seed: int, share: float, dtype: Any = np.float64) -> tuple[Problem, Any]:
    """A usual problem, and one mask a view that leaves something of every row and column."""
    posed = problem(spec, seed, dtype=dtype)
    rng = np.random.default_rng(seed)

    def mask(X: Array) -> Array:
        known = rng.random(X.shape) > share
        flat = known.reshape(len(known), -1)
        flat[np.arange(len(flat)), np.arange(len(flat)) % flat.shape[1]] = True
        return known

    return posed, each(posed.X, mask)


def with_holes(posed: Problem, mask: Any) -> Any:
    pairs = zip(views(posed.X), views(mask), strict=True)
    found = [np.where(known, X, X.dtype.type(np.nan)) for X, known in pairs]
    return found if isinstance(posed.X, list) else found[0]


def test_the_methods_that_were_promised_take_holes() -> None:
    assert {"nmf", "n2s2l", "semi_nmf", "ntf", "sulf"} <= {spec.id for spec in HOLED}


@pytest.mark.parametrize("iterations", [1, 10, 60])
def test_equals_updates_on_filled_data(iterations: int) -> None:
    X, mask = made()
    rng = np.random.default_rng(1)
    H, W = rng.random((K, M)) + 0.1, rng.random((N, K)) + 0.1
    est = methods.create("nmf", n_components=K, init=(H, W), max_iter=iterations, tol=0).fit(X, mask=mask)
    for _ in range(iterations):
        filled = mask * X + (1 - mask) * (W @ H)
        H = H * (W.T @ filled) / (W.T @ W @ H)
        filled = mask * X + (1 - mask) * (W @ H)
        W = W * (filled @ H.T) / (W @ H @ H.T)
    np.testing.assert_allclose(est.components_, H, rtol=1e-9)
    np.testing.assert_allclose(est.embedding_, W, rtol=1e-9)
    expected = (mask * (X - W @ H) ** 2).sum()
    assert np.isclose(est.objective_curve_[-1], expected, rtol=1e-9)


def test_rests_where_the_weighted_problem_does() -> None:
    # At rest, each row of the embedding is the non-negative least squares over what is known of the row.
    X, mask = made(2)
    est = methods.create("nmf", n_components=K, solver="accelerated", max_iter=4000, tol=0, random_state=0)
    est.fit(X, mask=mask)
    for x, w, code in zip(X, mask, est.embedding_, strict=True):
        root = np.sqrt(w)
        exact, _ = optimize.nnls((est.components_ * root).T, x * root)
        np.testing.assert_allclose(code, exact, rtol=1e-3, atol=1e-4 * np.abs(exact).max())


def test_what_is_hidden_is_found_again() -> None:
    rng = np.random.default_rng(5)
    X = rng.random((60, K)) @ rng.random((K, 40))
    known = rng.random(X.shape) > 0.3
    est = methods.create("nmf", n_components=K, solver="accelerated", max_iter=1000, tol=0, random_state=0)
    est.fit(np.where(known, X, np.nan))
    left = (X - est.embedding_ @ est.components_)[~known]
    assert np.sqrt(np.mean(left**2)) < 0.02 * X.std()


@both_solvers
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_objective_is_over_what_is_known(spec: Spec, how: dict[str, str], share: float) -> None:
    posed, mask = spoiled(spec, 3, share)
    walk = estimator(spec, **how, **({"unit_samples": False} if spec.id == "sulf" else {}))
    for step in walk.iterate(with_holes(posed, mask), posed.y):
        weights = step.state.get("view_weights", [1.0])
        W, expected = step.state["embedding"], 0.0
        for X, known, H, weight in zip(
            views(posed.X), views(mask), views(step.state["components"]), weights, strict=True
        ):
            left = (X.reshape(len(X), -1) - W @ H)[known.reshape(len(X), -1)]
            expected += weight * float((left**2).sum())
        assert np.isclose(step.terms["reconstruction"], expected, rtol=1e-9)


@both_solvers
def test_what_lies_under_the_mask_does_not_matter(spec: Spec, how: dict[str, str]) -> None:
    posed, mask = spoiled(spec, 4, 0.3)
    # A mask says the same as NaN, whatever the number that it covers.
    one = estimator(spec, **how).fit(with_holes(posed, mask), posed.y)
    pairs = zip(views(posed.X), views(mask), strict=True)
    other_X = [np.where(known, X, 7.0) for X, known in pairs]
    other = estimator(spec, **how).fit(
        other_X if isinstance(posed.X, list) else other_X[0], posed.y, mask=mask
    )
    ours, theirs = fitted(one), fitted(other)
    for name, arrays in ours.items():
        for a, b in zip(arrays, theirs[name], strict=True):
            np.testing.assert_array_equal(a, b, err_msg=name)


@both_solvers
def test_a_mask_of_ones_changes_nothing(spec: Spec, how: dict[str, str]) -> None:
    posed = problem(spec)
    ones = each(posed.X, lambda X: np.ones(X.shape))
    one = estimator(spec, **how).fit(posed.X, posed.y)
    other = estimator(spec, **how).fit(posed.X, posed.y, mask=ones)
    np.testing.assert_allclose(one.objective_curve_, other.objective_curve_, rtol=1e-12)
    np.testing.assert_allclose(one.embedding_, other.embedding_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
def test_steps_on_weights_of_one_are_the_steps_on_complete_data(solver: str) -> None:
    X, _ = made(6)
    rng = np.random.default_rng(1)
    H, W = rng.random((K, M)) + 0.1, rng.random((N, K)) + 0.1

    def steps(data: DataMatrix) -> Any:
        if solver == "accelerated":
            return AcceleratedSolver(data, [H], W, unit_parts=True)
        return MultiplicativeSolver(data, H.copy(), W.copy())

    one, other = steps(DataMatrix(X)), steps(IncompleteMatrix(X, np.ones_like(X)))
    for _ in range(25):
        one.step()
        other.step()
    for name in ("components", "embedding"):
        np.testing.assert_allclose(one.arrays()[name], other.arrays()[name], rtol=1e-10, atol=1e-12)
    assert np.isclose(one.terms()["reconstruction"], other.terms()["reconstruction"], rtol=1e-9)


@both_solvers
@hypothesis.given(data=st.data())
@hypothesis.settings(max_examples=15)
def test_never_rises_whatever_is_unknown(spec: Spec, how: dict[str, str], data: st.DataObject) -> None:
    dtype = data.draw(st.sampled_from([np.float64, np.float32]), "dtype")
    share = data.draw(st.floats(0.02, 0.8), "share")
    posed, mask = spoiled(spec, data.draw(st.integers(0, 2**31), "seed"), share, dtype)
    est = estimator(spec, **how)
    known_of_columns = [known.reshape(len(known), -1).any(axis=0).all() for known in views(mask)]
    hypothesis.assume(all(known_of_columns))
    est.fit(with_holes(posed, mask), posed.y)
    curve = est.objective_curve_
    assert np.isfinite(curve).all()
    slack = (1e-10 if dtype == np.float64 else 1e-5) * np.abs(curve).max()
    assert (np.diff(curve) <= slack).all(), np.diff(curve).max() / np.abs(curve).max()
    for gift in ("embedding_", "components_"):
        assert {part.dtype for part in views(getattr(est, gift))} == {np.dtype(dtype)}


@pytest.mark.parametrize("how", ["ridge", "pinv", "nnls"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_features_of_rows_with_holes_are_least_squares_over_the_rest(how: str, form: Any) -> None:
    X, mask = made(7)
    est = methods.create("nmf", n_components=K, max_iter=50, tol=0, features=how, random_state=0).fit(X)
    mask[0] = 1
    rows = holed(X, mask)
    found = est.transform(form(rows))
    for x, code in zip(rows, found, strict=True):
        known = ~np.isnan(x)
        A = est.components_[:, known].T
        if how == "nnls":
            exact = optimize.nnls(A, x[known])[0]
        else:
            share = RIDGE if how == "ridge" else 0.0
            exact = np.linalg.solve(A.T @ A + share * np.diag(np.diagonal(A.T @ A)), A.T @ x[known])
        np.testing.assert_allclose(code, exact, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(found[0], est.transform(X[:1])[0], rtol=1e-9)


def test_weights_of_entries_weigh_the_features() -> None:
    X, mask = made(8)
    est = methods.create("nmf", n_components=K, max_iter=50, tol=0, random_state=0).fit(X)
    found = est.set_params(features="nnls").transform(X, mask=mask)
    for x, w, code in zip(X, mask, found, strict=True):
        root = np.sqrt(w)
        np.testing.assert_allclose(
            code, optimize.nnls((est.components_ * root).T, x * root)[0], rtol=1e-6, atol=1e-9
        )


def test_robust_features_leave_out_what_is_unknown() -> None:
    X, mask = made(9, share=0.1)
    est = methods.create("nmf", n_components=K, max_iter=50, tol=0, random_state=0).fit(X)
    rows = holed(X, mask)
    found = est.set_params(features="robust").transform(rows)
    known = ~np.isnan(rows[3])
    smaller = methods.create("nmf", n_components=K, max_iter=0, tol=0)
    smaller.set_params(init=(est.components_[:, known], np.ones((N, K)))).fit(X[:, known])
    np.testing.assert_allclose(
        found[3], smaller.set_params(features="robust").transform(rows[3:4, known])[0], rtol=1e-6
    )


@pytest.mark.parametrize("solver", ["multiplicative", "accelerated"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_data_with_stored_holes_give_the_same(solver: str, dtype: Any) -> None:
    X, mask = made(10)
    X[X < 0.9] = 0
    rows = holed(X, mask).astype(dtype)
    settings = {"n_components": K, "solver": solver, "max_iter": 30, "tol": 0, "random_state": 0}
    dense = methods.create("nmf", **settings).fit(rows)
    other = methods.create("nmf", **settings).fit(sparse.csr_array(rows))
    tolerance = 1e-8 if dtype == np.float64 else 1e-3
    np.testing.assert_allclose(other.objective_curve_, dense.objective_curve_, rtol=tolerance)
    np.testing.assert_allclose(other.embedding_, dense.embedding_, rtol=10 * tolerance, atol=tolerance)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_distances_are_over_what_both_rows_have(form: Any) -> None:
    X, mask = made(11)
    rows = holed(X, np.round(mask))
    data = data_matrix(form(rows))
    everyone = np.arange(N)
    found = data.distances(everyone, everyone)
    expected = nan_euclidean_distances(rows)
    np.fill_diagonal(expected, 0)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-6)
    near = graphs.neighbours(data, 3)
    far = expected + np.diag(np.full(N, np.inf))
    for i in range(N):
        assert set(np.argsort(far[i], kind="stable")[:3]) <= set(near[[i]].indices)


def test_rows_with_nothing_in_common_are_infinitely_far() -> None:
    rows = np.array([[1.0, np.nan], [np.nan, 1.0], [1.0, 1.0]])
    assert data_matrix(rows).distances(np.array([0]), np.array([1, 2])).tolist() == [[np.inf, 0.0]]


def test_a_sample_may_lack_a_whole_view() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(40) % 4
    views = {"a": np.eye(4)[y] + 0.1 * rng.random((40, 4)), "b": rng.random((40, 9)) + 2 * np.eye(9)[y]}
    lacking = {"a": views["a"].copy(), "b": views["b"].copy()}
    lacking["a"][20:26] = np.nan
    lacking["b"][30:36] = np.nan
    known = np.where(np.arange(40) < 20, y, -1)
    est = methods.create("sulf", n_components=4, max_iter=200, tol=0, random_state=0).fit(lacking, known)
    assert (np.diff(est.objective_curve_) <= 1e-10 * est.objective_curve_[0]).all()
    assert (est.transduction_ == y).mean() > 0.9
    assert (est.predict(lacking) == y).mean() > 0.9
    lacking["b"][20] = np.nan
    with pytest.raises(ValueError, match=r"row 20 in any view"):
        methods.create("sulf", n_components=4).fit(lacking, known)


def test_masks_of_views_go_by_name_and_may_be_left_out() -> None:
    posed, mask = spoiled(methods.spec("sulf"), 1, 0.2)
    named = {"a": posed.X[0], "b": posed.X[1]}
    one = methods.create("sulf", n_components=4, max_iter=5, tol=0, random_state=0)
    one.fit(named, posed.y, mask={"b": mask[1]})
    other = methods.create("sulf", n_components=4, max_iter=5, tol=0, random_state=0)
    other.fit([posed.X[0], posed.X[1]], posed.y, mask=[None, mask[1]])
    np.testing.assert_array_equal(one.embedding_, other.embedding_)
    with pytest.raises(ValueError, match=r"mask has 1 view"):
        methods.create("sulf", n_components=4).fit(named, posed.y, mask=[mask[0]])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda X, mask: mask.__setitem__((slice(2, 4), slice(None)), 0),
            "Nothing is known of rows 2, 3 of X",
        ),
        (lambda X, mask: mask.__setitem__((slice(None), 5), 0), "Nothing is known of column 5 of X"),
        (lambda X, mask: mask.__setitem__((0, 0), 1.5), "numbers from 0"),
        (lambda X, mask: mask.__setitem__((0, 0), -0.5), "numbers from 0"),
        (lambda X, mask: mask.resize((N - 1, M), refcheck=False), "mask has shape"),
        (lambda X, mask: X.__setitem__((4, 4), np.inf), "infinity.*row 4"),
        (lambda X, mask: X.__setitem__((4, 4), -1.0), "Negative.*row 4"),
    ],
)
def test_what_makes_no_sense_is_refused(change: Any, words: str) -> None:
    X, mask = made(12)
    mask = np.round(mask)
    change(X, mask)
    with pytest.raises(ValueError, match=words):
        methods.create("nmf", n_components=K).fit(X, mask=mask)


def test_masks_need_entries() -> None:
    X, mask = made(13)
    with pytest.raises(ValueError, match="store NaN"):
        methods.create("nmf", n_components=K).fit(sparse.csr_array(X), mask=mask)
    with pytest.raises(ValueError, match="products with X alone"):
        methods.create("nmf", n_components=K).fit(sparse.linalg.aslinearoperator(X), mask=mask)
    assert isinstance(data_matrix(sparse.csr_array(holed(X, mask))), IncompleteSparse)
