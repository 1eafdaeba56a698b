"""Cross-validation with rows of unknown class: who is tested, who is learned from, what counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import datasets
import methods
from methods.model_selection import LabelledKFold, labelled_accuracy, masked_scores


def digits(labelled: int = 120) -> tuple[Any, Any, Any]:
    ds = datasets.load("digits")
    assert ds.y is not None
    X, y = ds.X[:400], ds.y[:400]
    return X, y, np.where(np.arange(400) < labelled, y, -1)


def test_folds_part_the_labelled_rows_and_keep_the_others_in_training() -> None:
    _, _, y = digits()
    folds = list(LabelledKFold(4, random_state=1).split(y, y))
    assert len(folds) == LabelledKFold(4).get_n_splits() == 4
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(120))
    for train, test in folds:
        assert set(train) == set(range(400)) - set(test)
        shares = np.bincount(y[test], minlength=10)
        assert shares.max() - shares.min() <= 3, "stratified"
    again = list(LabelledKFold(4, random_state=1).split(y, y))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds, again, strict=True))
    with pytest.raises(ValueError, match="needs y"):
        next(LabelledKFold().split(y))


def test_cross_validation_means_what_it_says() -> None:
    """By hand: fit on everything but the fold, unlabelled rows included, and ask about the fold."""
    X, _, y = digits()
    est, folds = methods.create("lap_rlsc"), LabelledKFold(3)
    by_hand = []
    for train, test in folds.split(X, y):
        fitted = clone(est).fit(X[train], y[train])
        by_hand.append(np.mean(fitted.predict(X[test]) == y[test]))
    np.testing.assert_array_equal(cross_val_score(est, X, y, cv=folds), by_hand)
    np.testing.assert_array_equal(cross_val_score(est, X, y, cv=folds, scoring=labelled_accuracy), by_hand)
    assert min(by_hand) > 0.8


def test_rows_of_unknown_class_do_not_count_against_anyone() -> None:
    X, truth, y = digits()
    fitted = methods.create("nearest_neighbour").fit(X, y)
    right = fitted.predict(X) == truth
    assert fitted.score(X, y) == labelled_accuracy(fitted, X, y) == 1
    half = np.where(np.arange(400) % 2, truth, -1)
    assert fitted.score(X, half) == pytest.approx(right[1::2].mean())
    weights = np.random.default_rng(0).random(400)
    assert fitted.score(X, half, weights) == pytest.approx(np.average(right[1::2], weights=weights[1::2]))
    with pytest.raises(ValueError, match="no known class"):
        fitted.score(X, np.full(400, -1))


def test_scikit_learns_own_folds_would_count_them_wrong() -> None:
    X, _, y = digits()
    fair = cross_val_score(methods.create("hgf"), X, y, cv=LabelledKFold(3)).mean()
    naive = cross_val_score(methods.create("hgf"), X, y, cv=KFold(3, shuffle=True, random_state=0),
                            scoring=lambda est, X, y: float(np.mean(est.predict(X) == y))).mean()  # fmt: skip
    assert naive < fair - 0.3


def test_masked_rows_are_seen_without_their_label() -> None:
    X, _, y = digits()
    folds = LabelledKFold(3)
    scores = masked_scores(methods.create("hgf"), X, y, folds)
    for score, (_, test) in zip(scores, folds.split(X, y), strict=True):
        hidden = y.copy()
        hidden[test] = -1
        assert score == np.mean(methods.create("hgf").fit(X, hidden).transduction_[test] == y[test])
    assert masked_scores(methods.create("nearest_neighbour"), X, y, folds).min() > 0.7
    views = [X[:, :32], X[:, 32:]]
    assert masked_scores(methods.create("cotraining"), views, y, folds).mean() > 0.7


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_pipeline_is_searched_for_its_features() -> None:
    X, y, _ = digits()
    nmf = methods.create("nmf", n_components=16, max_iter=30, tol=0, solver="accelerated", random_state=0)
    search = GridSearchCV(
        make_pipeline(nmf, KNeighborsClassifier(1)), {"nmf__features": ["ridge", "nnls"]}, cv=3
    ).fit(X, y)
    assert search.best_score_ > 0.85
    parts = GridSearchCV(nmf, {"n_components": [2, 20]}, cv=3).fit(X)
    assert parts.best_params_ == {"n_components": 20}


@pytest.mark.parametrize("name", ["nmf", "lda", "hgf", "s_rlsc", "sulf", "gaussian_nmf"])
def test_weights_of_samples_are_refused_by_name(name: str) -> None:
    X, _, y = digits()
    est = methods.create(name)
    with pytest.raises(ValueError, match=f"{type(est).__name__} .* takes no sample_weight"):
        est.fit(X, y, sample_weight=np.ones(400))
    with pytest.raises(ValueError, match="takes no sample_weight"):
        make_pipeline(est).fit(X, y, **{f"{type(est).__name__.lower()}__sample_weight": np.ones(400)})
