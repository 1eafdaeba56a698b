"""1-NN against a plain double loop and scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier

import datasets
from experiments import split
from methods.classifiers.nearest_neighbour import NearestNeighbour

Array = NDArray[Any]
METRICS = ["euclidean", "cosine"]


def blobs(n: int = 60, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    X = rng.standard_normal((3, 5))[truth] + rng.standard_normal((n, 5))
    return X, np.where(np.arange(n) < 25, truth, -1)


def distance(a: Array, b: Array, metric: str) -> float:
    if metric == "euclidean":
        return float(np.sqrt(np.sum((a - b) ** 2)))
    return float(1 - a @ b / np.sqrt((a @ a) * (b @ b)))


@pytest.mark.parametrize("metric", METRICS)
def test_scores_predictions_and_error_by_hand(metric: str) -> None:
    X, y = blobs()
    new, known = X[30:] + 0.3, np.flatnonzero(y >= 0)
    est = NearestNeighbour(metric).fit(X, y)
    rows = [np.flatnonzero(y == code) for code in range(3)]
    scores = np.array([[-min(distance(x, X[i], metric) for i in near) for near in rows] for x in new])
    np.testing.assert_allclose(est.decision_function(new), scores, rtol=1e-9)
    np.testing.assert_array_equal(est.predict(new), scores.argmax(axis=1))
    wrong = 0
    for i in known:
        others = [j for j in known if j != i]
        wrong += y[min(others, key=lambda j, i=i: distance(X[i], X[j], metric))] != y[i]
    assert est.objective_curve_.tolist() == [wrong / known.size]


@pytest.mark.parametrize("metric", METRICS)
def test_equals_scikit_learn_on_faces(metric: str) -> None:
    ds = datasets.load("orl", size=32)
    rows = split(ds, labelled_per_class=2, seed=0)
    est = NearestNeighbour(metric).fit(ds.X, rows.y_partial)
    sk = KNeighborsClassifier(1, metric=metric, algorithm="brute")
    sk.fit(ds.X[rows.labelled], ds.y[rows.labelled])
    asked = ds.X[rows.unlabelled]
    np.testing.assert_array_equal(est.predict(asked), sk.predict(asked))


def test_unlabelled_rows_change_nothing() -> None:
    X, y = blobs()
    other = np.where((y < 0)[:, None], X + 5, X)
    one, two = NearestNeighbour().fit(X, y), NearestNeighbour().fit(other, y)
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


def test_labelled_rows_find_themselves_far_from_the_origin() -> None:
    X, y = blobs()
    X = (X + 1000).astype(np.float32)
    est = NearestNeighbour().fit(X, y)
    assert est.decision_function(X).dtype == np.float32
    np.testing.assert_array_equal(est.predict(X[y >= 0]), y[y >= 0])


@pytest.mark.parametrize("metric", METRICS)
def test_scale_of_the_data_does_not_matter(metric: str) -> None:
    X, y = blobs()
    expected = NearestNeighbour(metric).fit(X, y).predict(X)
    for scale in (1e-200, 1e200):
        np.testing.assert_array_equal(NearestNeighbour(metric).fit(X * scale, y).predict(X * scale), expected)


def test_impossible_requests_are_refused() -> None:
    X, y = blobs()
    with pytest.raises(ValueError, match="metric"):
        NearestNeighbour("manhattan").fit(X, y)
    with pytest.raises(ValueError, match="only 1 class"):
        NearestNeighbour().fit(X, np.where(y == 0, 0, -1))
