"""Measures to choose parameters by: honest, and the same as worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

import datasets
from datasets import Dataset
from experiments import RunRequest, run
from experiments.measures.coherence import npmi
from experiments.measures.rank import matched_cosines
from experiments.requests.prepare import prepare
from experiments.trials import MeasureRequest, Trial, evaluate
from experiments.trials.fit import Fit
from experiments.trials.measures.bi_cross_validation import bi_cross_validation
from experiments.trials.measures.consensus import consensus
from experiments.trials.measures.hidden_entries import hidden_entries
from experiments.trials.measures.inner_accuracy import inner, inner_accuracy
from experiments.trials.measures.part_stability import part_stability
from experiments.trials.reading import READINGS, read
from experiments.trials.restarts import restarted
from methods.multiplicative import MultiplicativeSolver

IRIS = RunRequest("iris", "n2s2l", {"max_iter": 15}, split={"labelled_per_class": 4})
SWIMMER = RunRequest("swimmer", "nmf", {"n_components": 17, "max_iter": 150, "solver": "accelerated"})


def fitted(request: RunRequest, ds: Dataset | None = None) -> Fit:
    return Fit(ds or datasets.load(request.dataset), run(request))


@pytest.fixture(scope="module")
def iris() -> Fit:
    return fitted(IRIS)


@pytest.fixture(scope="module")
def swimmer() -> Fit:
    return fitted(SWIMMER)


def test_as_many_parts_as_classes_can_be_asked_with_labels_held_back() -> None:
    few = fitted(replace(IRIS, params={"n_components": 3, "max_iter": 15}))
    assert few.record.discriminative == 2
    assert 0 <= inner_accuracy(few) <= 1


def test_inner_splits_are_of_the_labelled_rows_alone(iris: Fit) -> None:
    held_back = []
    for request, held in inner(iris, folds=2, repeats=1):
        rows = prepare(request).rows
        assert set(rows.labelled) | set(held) == set(iris.rows.labelled)
        assert not set(rows.labelled) & set(held)
        assert set(rows.train) == set(iris.rows.train)
        # Automatic values are those of the fit itself, not of the fewer labels.
        assert request.params["n_components"] == iris.record.arrays["embedding"].shape[1]
        held_back += list(held)
    assert sorted(held_back) == sorted(iris.rows.labelled)


def test_inner_accuracy_knows_nothing_of_other_labels(iris: Fit, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = inner_accuracy(iris)
    assert 0.4 < honest <= 1
    rows = iris.rows
    scrambled = np.array(iris.dataset.y)
    scrambled[rows.unlabelled] = np.random.default_rng(0).permutation(scrambled[rows.unlabelled])
    truthless = replace(iris.dataset, y=scrambled)
    # The split follows from the classes, so it is held to what it was.
    monkeypatch.setattr("experiments.requests.prepare.datasets.load", lambda name, **options: truthless)
    monkeypatch.setattr("experiments.requests.prepare.split", _as_it_was(rows))
    monkeypatch.setattr(Fit, "rows", rows)
    assert inner_accuracy(Fit(truthless, iris.record)) == honest


class TakenBackError(BaseException):
    """What a worker raises in work that nobody wants any more."""


def test_work_that_was_taken_back_half_way_leaves_no_half_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    fit, expected = fitted(IRIS), inner_accuracy(fitted(IRIS))
    steps = iter(range(5))
    step = MultiplicativeSolver.step

    def interrupted(solver: MultiplicativeSolver) -> Any:
        if next(steps, None) is None:
            raise TakenBackError
        return step(solver)

    monkeypatch.setattr(MultiplicativeSolver, "step", interrupted)
    with pytest.raises(TakenBackError):
        inner_accuracy(fit)
    monkeypatch.undo()
    assert inner_accuracy(fit) == expected


def _as_it_was(rows: Any) -> Any:
    def split(ds: Dataset, **settings: Any) -> Any:
        everything = np.sort(np.concatenate([rows.labelled, rows.unlabelled]))
        nothing = np.full(rows.y_partial.size, -1)
        return type(rows)(np.arange(0), everything, np.arange(0), nothing)

    return split


def test_inner_accuracy_needs_two_labels_of_a_class() -> None:
    trial = Trial(replace(IRIS, split={"labelled_per_class": 1}), (MeasureRequest("inner_accuracy"),))
    assert "label two or more" in next(iter(evaluate(trial).problems.values()))


def test_more_repeats_and_folds_are_other_splits(iris: Fit) -> None:
    assert len(list(inner(iris, folds=9, repeats=2))) == 4 * 2
    first, again = (inner_accuracy(iris, repeats=2) for _ in range(2))
    assert first == again


def test_features_are_read_in_several_ways(iris: Fit) -> None:
    estimator = iris.recogniser.estimator
    points = {reading: read(iris.spec, estimator, iris.training, reading) for reading in READINGS}
    embedding = iris.record.arrays["embedding"]
    parts = np.asarray(iris.record.arrays["components"], dtype=np.float64)
    np.testing.assert_array_equal(points["embedding"], embedding)
    np.testing.assert_array_equal(points["own"], embedding[:, : points["own"].shape[1]])
    np.testing.assert_allclose(points["pinv"], iris.training @ np.linalg.pinv(parts), rtol=1e-3, atol=1e-4)
    assert (points["nnls"] >= 0).all()
    names = [MeasureRequest("accuracy", {"reading": reading}) for reading in READINGS]
    scores = evaluate(Trial(IRIS, tuple(names))).scores
    assert len(scores) == len(READINGS)
    assert len(set(scores.values())) > 1


def test_consensus_and_stability_are_those_of_the_restarts(swimmer: Fit) -> None:
    estimators = restarted(swimmer, 3)
    np.testing.assert_allclose(estimators[0].components_, swimmer.record.arrays["components"], rtol=1e-4)
    groups = [(est.embedding_ * np.linalg.norm(est.components_, axis=1)).argmax(axis=1) for est in estimators]
    pairs = [np.mean([group[i] == group[j] for group in groups]) for i, j in combinations(range(256), 2)]
    together = np.array(pairs)
    assert consensus(swimmer, runs=3) == pytest.approx(np.square(together).sum() / together.sum())
    decided = ((together <= 0.1) | (together >= 0.9)).mean()
    assert consensus(swimmer, index="decided", runs=3) == pytest.approx(decided)
    back = [
        (matched_cosines(one.components_, other.components_) >= 0.9).mean()
        for one in estimators
        for other in estimators
        if one is not other
    ]
    assert part_stability(swimmer, runs=3) == pytest.approx(np.mean(back))


def test_errors_on_what_was_hidden_are_small_for_the_true_number_of_parts() -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((60, 4)) ** 3 @ rng.random((4, 40)) ** 3).astype(np.float32)
    planted = Dataset("iris", "Planted", {"x": X})
    requests = [RunRequest("iris", "nmf", {"n_components": k, "max_iter": 300}) for k in (2, 4)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("experiments.requests.prepare.datasets.load", lambda name, **options: planted)
        few, right = (fitted(request, planted) for request in requests)
        for error in (hidden_entries, bi_cross_validation):
            assert error(right) < 0.1 < 0.15 < error(few)
            assert error(right) == error(right)


@pytest.mark.parametrize("measure", ["hidden_entries", "bi_cross_validation", "consensus", "part_stability"])
def test_what_cannot_be_measured_says_why(measure: str) -> None:
    result = evaluate(Trial(RunRequest("iris", "cons"), (MeasureRequest(measure),)))
    (problem,) = result.problems.values()
    assert problem.endswith(".")
    assert result.lasting


def by_hand(X: NDArray[Any], topic: list[int]) -> float:
    """The mean NPMI of the words of a topic, pair by pair."""
    scores = []
    for w, v in combinations(topic, 2):
        pw, pv, both = (X[:, w] > 0).mean(), (X[:, v] > 0).mean(), ((X[:, w] > 0) & (X[:, v] > 0)).mean()
        scores.append(-1.0 if both == 0 else 1.0 if both == 1 else np.log(both / pw / pv) / -np.log(both))
    return float(np.mean(scores))


def test_coherence_is_the_mean_npmi_of_the_heaviest_words() -> None:
    rng = np.random.default_rng(1)
    X = rng.poisson(0.7, (50, 20)).astype(np.float64)
    parts = rng.random((4, 20))
    expected = [by_hand(X, list(np.argsort(-row)[:6])) for row in parts]
    np.testing.assert_allclose(npmi(X, parts, 6), expected)
    np.testing.assert_allclose(npmi(sparse.csr_array(X), parts, 6), expected)
    result = evaluate(Trial(IRIS, (MeasureRequest("coherence"),)))
    assert "no topics" in next(iter(result.problems.values()))
