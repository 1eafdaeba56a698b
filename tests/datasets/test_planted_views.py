"""Planted views: what is shared is shared, later views are noisier, and the useless one says nothing."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import datasets


def accuracy(ds: datasets.Dataset, view: str) -> float:
    X, half = np.asarray(ds.views[view]), ds.n_samples // 2
    return float(KNeighborsClassifier(1).fit(X[:half], ds.y[:half]).score(X[half:], ds.y[half:]))


@pytest.mark.parametrize("views", [2, 3, 6])
def test_views_share_their_factors(views: int) -> None:
    ds = datasets.load("planted_views", views=views, noise=0.0, private=0, groups=4)
    assert len(ds.views) == views
    assert len({view.shape[1] for view in ds.views.values()}) == views
    # Without private factors and noise all views together have the rank of one.
    assert np.linalg.matrix_rank(np.hstack(list(ds.views.values())), tol=1e-2) == 4


def test_private_factors_add_to_the_rank_of_each_view() -> None:
    ds = datasets.load("planted_views", noise=0.0, private=3, groups=4)
    assert [np.linalg.matrix_rank(view, tol=1e-2) for view in ds.views.values()] == [7, 7, 7]


def test_the_first_view_is_made_of_the_parts() -> None:
    ds = datasets.load("planted_views", noise=0.0, private=0)
    weights, residual, *_ = np.linalg.lstsq(ds.parts.T, np.asarray(ds.X).T, rcond=None)
    assert residual.max() < 1e-6
    assert np.array_equal(weights.argmax(axis=0), ds.y)


def test_every_view_is_non_negative_and_quality_falls() -> None:
    ds = datasets.load("planted_views", noise=2.0)
    assert min(view.min() for view in ds.views.values()) >= 0
    first, _, last = (accuracy(ds, view) for view in ds.views)
    assert first > last > 0.3


def test_a_useless_view_is_no_better_than_chance() -> None:
    ds = datasets.load("planted_views", useless=True, noise=0.0)
    assert accuracy(ds, "view 2") > 0.8
    assert accuracy(ds, "view 3") < 0.35  # five groups: one in five by chance
