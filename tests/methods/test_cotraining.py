"""Co-training against a plain loop over rounds, views and classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

import methods

Array = NDArray[Any]
RIDGE = 0.05


def problem(n: int = 30, noise: float = 0.3) -> tuple[list[Array], Array, Array]:
    rng = np.random.default_rng(0)
    truth = rng.permutation(np.arange(n) % 3)
    views = [rng.random((3, m))[truth] + noise * rng.standard_normal((n, m)) for m in (6, 4)]
    y = np.full(n, -1)
    for code in range(3):
        y[np.flatnonzero(truth == code)[:2]] = code
    return views, y, truth


def create(**params: Any) -> Any:
    return methods.create("cotraining", **({"ridge": RIDGE, "unit_samples": False} | params))


def scores(X: Array, pool: Array) -> tuple[Array, float]:
    """Ridge regression on the labelled rows, the bias as an unpenalised column; and its objective."""
    rows = pool >= 0
    Y = np.eye(3)[pool[rows]]
    r = RIDGE * ((X[rows] - X[rows].mean(axis=0)) ** 2).sum() / X.shape[1]
    design = np.hstack([X[rows], np.ones((rows.sum(), 1))])
    B = np.linalg.solve(design.T @ design + np.diag([r] * X.shape[1] + [0]), design.T @ Y)
    everywhere = np.hstack([X, np.ones((len(X), 1))]) @ B
    return everywhere, ((everywhere[rows] - Y) ** 2).sum() + r * (B[:-1] ** 2).sum()


def plain(views: list[Array], y: Array, rounds: int, per_class: int) -> tuple[Array, Array, float]:
    pool = y.copy()
    for _ in range(rounds):
        wanted: dict[int, tuple[float, int]] = {}
        for X in views:
            F, _ = scores(X, pool)
            for code in range(3):
                named = [i for i in np.flatnonzero(pool < 0) if F[i].argmax() == code]
                sure = [(F[i, code] - np.delete(F[i], code).max(), i) for i in named]
                for margin, i in sorted(sure, reverse=True)[:per_class]:
                    wanted[i] = max(wanted.get(i, (-1.0, -1)), (margin, code))
        for i, (_, code) in wanted.items():
            pool[i] = code
    made = [scores(X, pool) for X in views]
    return pool, np.mean([F for F, _ in made], axis=0), sum(value for _, value in made)


@pytest.mark.parametrize("per_class", [1, 2])
@pytest.mark.parametrize("rounds", [0, 1, 3])
def test_equals_the_plain_loop(rounds: int, per_class: int) -> None:
    views, y, _ = problem()
    model = create(max_iter=rounds, per_class=per_class).fit(views, y)
    pool, F, objective = plain(views, y, rounds, per_class)
    np.testing.assert_array_equal(model.pool_, pool)
    np.testing.assert_allclose(model.embedding_, F, rtol=1e-8, atol=1e-10)
    assert model.objective_curve_[-1] == pytest.approx(objective, rel=1e-8)
    np.testing.assert_allclose(model._class_scores(views), F, rtol=1e-8, atol=1e-10)


def test_it_ends_when_nothing_is_left_to_label_and_people_are_believed() -> None:
    views, y, truth = problem(noise=0.1)
    model = create(max_iter=500).fit(views, y)
    assert model.status_ == "done"
    assert (model.pool_ >= 0).all()
    np.testing.assert_array_equal(model.pool_[y >= 0], y[y >= 0])
    assert (model.predict(views) == truth).mean() > 0.9
    np.testing.assert_array_equal(model.transduction_, model.predict(views))


def test_two_views_teach_each_other() -> None:
    rng = np.random.default_rng(4)
    truth = np.arange(400) % 2
    # Each view alone is right about samples the other cannot tell apart.
    views = []
    for part in (slice(0, None, 3), slice(1, None, 3)):
        X = np.where(truth == 1, 1.0, -1.0)[:, None] + 0.3 * rng.standard_normal((400, 2))
        X[part] = 0.3 * rng.standard_normal((len(X[part]), 2))
        views.append(X)
    y = np.where(np.isin(np.arange(400), (2, 5)), truth, -1)
    alone = [np.mean(create(max_iter=100).fit(X, y).transduction_ == truth) for X in views]
    together = np.mean(create(max_iter=100).fit(views, y).transduction_ == truth)
    assert together > max(alone) + 0.1


def test_order_of_samples_and_kind_of_matrix_do_not_matter() -> None:
    views, y, _ = problem()
    views = [np.where(X > 0.2, X, 0) for X in views]
    order = np.random.default_rng(1).permutation(30)
    one = create(max_iter=4).fit(views, y)
    moved = create(max_iter=4).fit([X[order] for X in views], y[order])
    thin = create(max_iter=4).fit([sparse.csr_matrix(X) for X in views], y)
    np.testing.assert_allclose(moved.embedding_, one.embedding_[order], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(thin.embedding_, one.embedding_, rtol=1e-7, atol=1e-9)


def test_warm_start_goes_on_with_the_pool() -> None:
    views, y, _ = problem()
    first, straight = create(max_iter=2).fit(views, y), create(max_iter=4).fit(views, y)
    on = create(max_iter=2).fit(views, y, warm_start=first)
    np.testing.assert_array_equal(on.pool_, straight.pool_)
    with pytest.raises(ValueError, match="warm_start"):
        create().fit([X[1:] for X in views], y[1:], warm_start=first)


def test_one_matrix_follows_the_conventions_of_scikit_learn() -> None:
    excused = methods.spec("cotraining").expected_failed_checks
    check_estimator(methods.create("cotraining"), expected_failed_checks=dict(excused))
