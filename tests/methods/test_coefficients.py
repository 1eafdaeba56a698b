"""Features in terms of parts: what the ridge is, what it cures, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import datasets
import experiments
import methods
from experiments.measures.recognition import accuracy, nearest_neighbour
from methods.coefficients import RIDGE, coefficients, condition, feature_map

ADDITIVE = ["nmf", "lnmf", "semi_nmf", "n2s2l", "ndtf_2d", "ndtf_3d", "ntf", "nge", "sgnmf", "cnmf"]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_the_ridge_minimises_what_it_says(rng: np.random.Generator) -> None:
    H, X = rng.random((5, 12)) * np.array([[1], [10], [0.1], [3], [1e-3]]), rng.random((4, 12))
    lengths = np.linalg.norm(H, axis=1)
    # The same as plain least squares on rows to which r‖h_j‖² is added as extra entries to be zero.
    wider = np.hstack([H, np.sqrt(RIDGE) * np.diag(lengths)])
    wanted = np.linalg.lstsq(wider.T, np.hstack([X, np.zeros((4, 5))]).T, rcond=None)[0].T
    np.testing.assert_allclose(coefficients(H, X, "ridge"), wanted, rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1e-3, 1e100])
def test_scale_and_lengths_do_not_matter(rng: np.random.Generator, scale: float) -> None:
    H, X, lengths = rng.random((5, 12)), rng.random((4, 12)), rng.uniform(0.1, 9, (5, 1))
    usual = coefficients(H, X, "ridge")
    np.testing.assert_allclose(coefficients(H * scale, X * scale, "ridge"), usual, rtol=1e-9)
    np.testing.assert_allclose(coefficients(H * lengths, X, "ridge") * lengths.T, usual, rtol=1e-9)


@pytest.mark.parametrize("apart", [0, 1e-9, 1e-3])
def test_copies_share_their_weight_and_no_change_is_blown_up(rng: np.random.Generator, apart: float) -> None:
    H = rng.random((6, 20))
    H[5] = H[4] + apart * rng.random(20)
    H /= np.linalg.norm(H, axis=1, keepdims=True)
    linear = feature_map(H, "ridge")
    assert linear is not None
    assert np.linalg.norm(linear, 2) <= 1 / (2 * np.sqrt(RIDGE)) * (1 + 1e-9)
    found = rng.random((3, 20)) @ linear
    np.testing.assert_allclose(found[:, 4], found[:, 5], atol=20 * apart + 1e-9)


def test_parts_of_zero_take_no_weight() -> None:
    H = np.array([[1.0, 0, 0], [0, 0, 0], [0, 2, 0]])
    for how in ("ridge", "pinv", "nnls"):
        assert not coefficients(H, np.ones((2, 3)), how)[:, 1].any()
    assert condition(H) == pytest.approx(1)


def test_condition_is_that_of_parts_at_length_one(rng: np.random.Generator) -> None:
    H = rng.random((6, 20))
    unit = H / np.linalg.norm(H, axis=1, keepdims=True)
    assert condition(H * rng.uniform(0.01, 100, (6, 1))) == pytest.approx(np.linalg.cond(unit), rel=1e-9)
    assert condition(np.ones((3, 2))) == np.inf
    assert condition(np.zeros((3, 5))) == 1


@pytest.mark.parametrize("name", ADDITIVE)
def test_features_are_chosen_at_construction(name: str, rng: np.random.Generator) -> None:
    shape = {"sample_shape": (4, 5)} if name in ("ndtf_3d", "ntf") else {}
    X, y = rng.random((30, 20)), np.arange(30) % 3
    iterations = {"max_iter": 15} | ({} if name == "lnmf" else {"tol": 0.0})
    for how in ("ridge", "pinv", "nnls", "robust"):
        est = methods.create(name, n_components=6, features=how, random_state=0, **shape, **iterations)
        found = est.fit_transform(X, y)
        np.testing.assert_array_equal(found, est.transform(X))
        np.testing.assert_allclose(found, coefficients(est.components_, X, how), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(est.inverse_transform(found), found @ est.components_)
        explained = 1 - np.square(X - found @ est.components_).sum() / np.square(X).sum()
        assert est.score(X) == pytest.approx(explained, abs=1e-9)
    with pytest.raises(ValueError, match=r"features='guess'"):
        methods.create(name, features="guess")


def test_non_negative_features_are_the_embedding_once_the_fit_has_settled(rng: np.random.Generator) -> None:
    X = rng.random((25, 4)) @ rng.random((4, 15))
    settings = {"solver": "accelerated", "features": "nnls", "max_iter": 5000, "tol": 1e-14}
    est = methods.create("nmf", n_components=4, random_state=0, **settings)
    found = est.fit_transform(X)
    np.testing.assert_allclose(found, est.embedding_, atol=1e-2 * est.embedding_.max())


def test_what_is_unknown_is_unknown_to_the_features_too(rng: np.random.Generator) -> None:
    X, mask = rng.random((20, 8)), np.where(rng.random((20, 8)) < 0.1, 0.0, 1.0)
    est = methods.create("nmf", n_components=3, max_iter=10, tol=0, random_state=0)
    found = est.fit_transform(X, mask=mask)
    np.testing.assert_array_equal(found, est.transform(X, mask=mask))
    np.testing.assert_array_equal(found, est.fit_transform(np.where(mask == 0, np.nan, X)))


def test_the_way_back_refuses_another_number_of_columns(rng: np.random.Generator) -> None:
    est = methods.create("nmf", n_components=3, max_iter=2, tol=0).fit(rng.random((6, 5)))
    with pytest.raises(ValueError, match="4 columns, but there are 3 parts"):
        est.inverse_transform(np.ones((2, 4)))


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_a_score_is_had_of_sparse_rows_and_of_nothing(container: Any) -> None:
    X = np.eye(6)[:, :5] + 0.0
    est = methods.create("nmf", n_components=2, max_iter=10, tol=0, random_state=0).fit(container(X))
    assert est.score(container(X)) == pytest.approx(est.score(X))
    assert est.score(np.zeros((2, 5))) == 1


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_accelerated_solver_recognises_faces_as_well_as_the_published_one() -> None:
    """As many parts as labelled faces, nearly: plain least squares falls apart with the better minimum."""
    ds = datasets.load("orl", size=32, crop="aligned")
    assert ds.y is not None
    shares: dict[tuple[str, str], list[float]] = {}
    for seed in range(2):
        split = experiments.split(ds, labelled_per_class=2, seed=seed)
        rest = np.setdiff1d(np.arange(ds.n_samples), split.labelled)
        for solver in ("multiplicative", "accelerated"):
            est = methods.create("nmf", solver=solver, random_state=seed, tol=0).fit(ds.X[split.labelled])
            for how in ("ridge", "pinv"):
                found = est.set_params(features=how).transform(ds.X)
                named = nearest_neighbour(found[split.labelled], ds.y[split.labelled], found[rest])
                shares.setdefault((solver, how), []).append(accuracy(named, ds.y[rest]))
            if solver == "accelerated":
                assert est.condition_ > 30
                assert "features='pinv'" in est.remark_
                assert est.set_params(features="ridge").remark_ == ""
    mean = {key: float(np.mean(values)) for key, values in shares.items()}
    assert mean["accelerated", "pinv"] < mean["multiplicative", "pinv"] - 0.05
    assert mean["accelerated", "ridge"] > mean["accelerated", "pinv"] + 0.08
    assert mean["accelerated", "ridge"] > mean["multiplicative", "ridge"] - 0.03


def test_a_pipeline_can_choose() -> None:
    ds = datasets.load("digits")
    assert ds.y is not None
    nmf = methods.create("nmf", n_components=20, max_iter=50, tol=0, solver="accelerated", random_state=0)
    pipeline = make_pipeline(nmf, KNeighborsClassifier(1))
    for how in ("ridge", "nnls"):
        pipeline.set_params(nmf__features=how).fit(ds.X[:600], ds.y[:600])
        assert pipeline.score(ds.X[600:900], ds.y[600:900]) > 0.85
