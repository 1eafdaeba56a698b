"""Scores: who is recognised, by which features, and how sparse the parts are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import datasets
import methods
from experiments import RunRequest, run, split
from experiments.measures.recognition import accuracy, nearest_neighbour
from experiments.measures.scores import features, recognised, recognised_held_out, summary
from experiments.measures.sparsity import hoyer, zero_fraction
from experiments.requests.splits import Split

X = np.array([[0.0, 0.1], [1, 1.1], [0.1, 0], [0.9, 1], [0.2, 0.1], [0, 0]])
y = np.array([0, 1, 0, 1, 1, -1])
ROWS = Split(np.array([0, 1]), np.array([2, 3, 4, 5]), np.array([], int), np.array([0, 1, -1, -1, -1, -1]))


class Namer:
    """Says that every row is of one class."""

    components_ = embedding_ = np.eye(2)

    def __init__(self, name: int) -> None:
        self.name = name

    def predict(self, rows: Any) -> Any:
        return np.full(len(rows), self.name)

    def transform(self, rows: Any) -> Any:
        return rows


def spec(**says: Any) -> Any:
    return SimpleNamespace(**({"recognition": "transform", "gives": {"embedding", "transform"}} | says))


def test_rows_of_unknown_class_count_neither_way() -> None:
    assert recognised(spec(), Namer(0), X, ROWS, y) == 2 / 3
    assert recognised(spec(recognition="predict"), Namer(1), X, ROWS, y) == 2 / 3
    assert recognised(spec(recognition="predict"), Namer(0), X, ROWS, y) == 1 / 3


def test_without_anybody_to_ask_or_to_tell_there_is_no_score() -> None:
    nobody = np.array([], int)
    everything_known = Split(np.arange(5), np.array([5]), nobody, y.copy())
    nothing_known = Split(nobody, np.arange(6), nobody, np.full(6, -1))
    for rows in (everything_known, nothing_known):
        assert recognised(spec(), Namer(0), X, rows, y) is None
    assert recognised_held_out(spec(), Namer(0), X, X[:0], ROWS, y, "euclidean") is None
    assert recognised(spec(gives=set()), Namer(0), X, ROWS, y) is None


def test_features_are_those_the_paper_compares() -> None:
    est = SimpleNamespace(embedding_=np.arange(12.0).reshape(3, 4), n_discriminative_=2)
    assert np.array_equal(features(spec(recognition="embedding"), est, None), est.embedding_[:, :2])
    est.n_discriminative_ = 0
    assert np.array_equal(features(spec(recognition="embedding"), est, None), est.embedding_)
    assert np.array_equal(features(spec(), Namer(0), X), X)


@pytest.mark.parametrize("name", ["n2s2l", "pca", "hgf"])
def test_a_run_is_scored_as_one_would_by_hand(name: str) -> None:
    given = {"labelled_per_class": 4, "held_out_per_class": 6}
    params: dict[str, Any] = {"n_components": 9} if "components" in methods.spec(name).gives else {}
    if name == "n2s2l":
        params |= {"max_iter": 30, "tol": 0.0}
    scores = run(RunRequest("swimmer", name, params, split=given, seed=1)).scores

    ds = datasets.load("swimmer")
    rows = split(ds, **given, seed=1)
    assert ds.y is not None
    seeded = params | ({"random_state": 1} if name == "n2s2l" else {})
    est = methods.create(name, **seeded).fit(ds.X[rows.train], rows.y_partial[rows.train])
    known, truth = rows.y_partial[rows.train] >= 0, ds.y[rows.train]
    if name == "hgf":
        assert scores["accuracy_euclidean"] == accuracy(est.predict(ds.X[rows.unlabelled]), truth[~known])
        assert scores["held_out_cosine"] == accuracy(est.predict(ds.X[rows.held_out]), ds.y[rows.held_out])
        assert "hoyer" not in scores
        return
    points = (
        est.embedding_[:, : est.n_discriminative_] if name == "n2s2l" else est.transform(ds.X[rows.train])
    )
    for metric in ("euclidean", "cosine"):
        found = nearest_neighbour(points[known], truth[known], points[~known], metric)
        assert scores[f"accuracy_{metric}"] == accuracy(found, truth[~known])
        unseen = nearest_neighbour(
            est.transform(ds.X[rows.labelled]), truth[known], est.transform(ds.X[rows.held_out]), metric
        )
        assert scores[f"held_out_{metric}"] == accuracy(unseen, ds.y[rows.held_out])
    assert scores["hoyer"] == hoyer(est.components_).mean()
    assert scores["zeros"] == zero_fraction(est.components_).mean()


def test_without_labels_only_the_parts_are_scored() -> None:
    found = summary(spec(gives={"components"}), Namer(0), X, X[:0], ROWS, None)
    assert found == {"hoyer": 1.0, "zeros": 0.5}
