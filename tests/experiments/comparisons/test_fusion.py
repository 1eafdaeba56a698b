"""Views against each other: who is compared, and how good features are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge

import datasets
from experiments import RunRequest, run
from experiments.comparisons.fusion import MEASURES, SPLITS, contenders, fused
from experiments.engine.record import RunRecord
from experiments.measures.clustering import clustering_accuracy
from experiments.requests.prepare import rows_of
from experiments.trials import evaluate
from experiments.trials.catalogue import measure
from experiments.trials.fit import Fit

LIKE = RunRequest("planted_views", "sulf", dataset_options={"samples": 90}, split={"labelled_fraction": 0.2})


def measured(
    request: RunRequest, scores: Mapping[str, float], embedding: NDArray[np.float64]
) -> dict[str, float]:
    """Return the measures of features that a run of a request might have ended with."""
    nothing: Any = np.zeros(1)
    record = RunRecord(request, "done", "", nothing, {}, nothing, scores, {"embedding": embedding})
    fit = Fit(datasets.load(request.dataset, **request.dataset_options), record)
    return {name: measure(one.measure).of(fit, **one.settings) for name, one in MEASURES.items()}


def test_every_contender_runs_and_is_measured_on_the_same_rows() -> None:
    ds = datasets.load("planted_views", samples=90)
    everybody = contenders(ds, k=8, iterations=5)
    assert [one.way for one in everybody].count("one view") == 3
    assert {one.method for one in everybody} == {"sulf", "nmf", "cnmf", "sgnmf", "cca", "pcsc", "cotraining"}
    keys = set()
    for one in everybody:
        request = one.request(LIKE.of_split(4))
        keys.add(request.key)
        record = run(request)
        found = measured(request, record.scores, record.arrays["embedding"])
        assert all(0 < value <= 1 for value in found.values())
        trial = fused(LIKE, [one]).trials[(0,)][4]
        assert trial.request.key == request.key
        scores = evaluate(trial).scores
        assert {name: scores[wanted.name] for name, wanted in MEASURES.items()} == found
        assert np.array_equal(rows_of(ds, request).labelled, rows_of(ds, LIKE.of_split(4)).labelled)
    assert len(keys) == len(everybody)
    table = fused(LIKE, everybody)
    first = table.in_turn()[: len(everybody)]
    assert {trial.request.seed for trial in first} == {LIKE.seed}, "everybody soon has a number"
    assert len(table.in_turn()) == SPLITS * len(everybody)


def test_features_that_are_the_classes_are_worth_everything_and_noise_nothing() -> None:
    ds, request = datasets.load("planted_views", samples=90), replace(LIKE, method="cca")
    assert ds.y is not None
    perfect = measured(request, {}, np.eye(ds.n_classes)[ds.y])
    assert perfect == dict.fromkeys(MEASURES, 1.0)
    noise = measured(request, {}, np.random.default_rng(0).random((90, 6)))
    assert noise["nmi"] < 0.2
    assert noise["accuracy"] < 0.5
    with pytest.raises(ValueError, match="too large to compare"):
        measured(request, {}, np.full((90, 2), np.nan))


def test_measures_are_those_of_the_paper() -> None:
    ds, request = datasets.load("planted_views", samples=90), replace(LIKE, method="cca", seed=2)
    assert ds.y is not None
    rows, points = rows_of(ds, request), np.random.default_rng(1).random((90, 5))
    found = measured(request, {}, points)
    labelled, asked = rows.labelled, rows.unlabelled
    apart = points[labelled] - points[labelled].mean(axis=0)
    ridge = Ridge(alpha=0.01 * np.trace(apart.T @ apart) / 5)
    ridge.fit(points[labelled], np.eye(ds.n_classes)[ds.y[labelled]])
    named = ridge.predict(points[asked]).argmax(axis=1)
    assert found["accuracy"] == pytest.approx(np.mean(named == ds.y[asked]))
    unit = points[asked] / np.linalg.norm(points[asked], axis=1, keepdims=True)
    clusters = KMeans(ds.n_classes, n_init=10, random_state=2).fit_predict(unit)
    assert found["acc"] == pytest.approx(clustering_accuracy(ds.y[asked], clusters))


def test_clusters_do_not_depend_on_the_length_of_rows() -> None:
    ds, request = datasets.load("planted_views", samples=90), replace(LIKE, method="cca")
    assert ds.y is not None
    rng = np.random.default_rng(0)
    points = np.eye(ds.n_classes)[ds.y] + 0.05 * rng.random((90, ds.n_classes))
    long = measured(request, {}, points * np.exp(2 * rng.standard_normal((90, 1))))
    assert (long["acc"], long["nmi"]) == (1.0, 1.0)


def test_methods_that_predict_are_taken_at_their_word_but_not_without_labels() -> None:
    noise = np.random.default_rng(0).random((90, 6))
    assert measured(LIKE, {"accuracy_euclidean": 0.77}, noise)["accuracy"] == 0.77
    blind = replace(LIKE, params={"beta": 0.0})
    assert measured(blind, {"accuracy_euclidean": 0.77}, noise)["accuracy"] < 0.5


def test_without_labels_or_without_unlabelled_rows_there_is_nothing_to_compare() -> None:
    points = np.ones((90, 2))
    with pytest.raises(ValueError, match="no labelled samples"):
        measured(replace(LIKE, split={"labelled_per_class": 0}), {}, points)
    with pytest.raises(ValueError, match="so none is left to ask about: label a smaller share"):
        measured(replace(LIKE, split={"labelled_fraction": 1.0}), {}, points)
