"""Surveys of spoiled faces: every share is that of the method asked about faces spoiled that much."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, occlude, run
from experiments.comparisons.surveys import DRAWS, SPLITS, Survey, amounts, as_csv, curve, positions
from experiments.fitted.recognisers import Recogniser
from experiments.requests.corruption import settings, spoil
from experiments.trials import Result, evaluate

REQUEST = RunRequest(
    "orl", "pca", {"n_components": 8}, dataset_options={"size": 16},
    split={"labelled_per_class": 2, "held_out_per_class": 2},
)  # fmt: skip


def carried_out(survey: Survey) -> dict[str, Result]:
    return {trial.key: evaluate(trial) for _, trial in survey.in_turn()}


def who(seed: int = 0, request: RunRequest = REQUEST) -> Recogniser:
    seeded = replace(request, seed=seed)
    return Recogniser(seeded, run(seeded).arrays)


def right(recogniser: Recogniser, faces: Any, rows: Any) -> float:
    assert recogniser.data.y is not None
    return float(np.mean(recogniser.recognise(faces).code == recogniser.data.y[rows]))


@pytest.mark.parametrize("kind", ["strawberry", "gaussian"])
def test_each_point_is_the_share_recognised_of_faces_spoiled_that_much(kind: Any) -> None:
    survey = curve(REQUEST, kind)
    results = carried_out(survey)
    assert survey.complete(results)
    sizes = amounts(kind, (16, 16))
    assert survey.columns == tuple((size,) for size in sizes)
    shares = survey.shares(results)
    for column in (0, 3, 7):
        expected = np.empty((SPLITS, DRAWS))
        for split in range(SPLITS):
            recogniser = who(split)
            faces: Any = recogniser.data.X[recogniser.test_rows]
            for draw in range(DRAWS):
                spoiled = spoil(faces, (16, 16), seed=1000 + draw, **settings(kind, sizes[column]))
                expected[split, draw] = right(recogniser, spoiled, recogniser.test_rows)
        assert shares[:, :, column].tolist() == expected.tolist()
        found = survey.means(results)[column]
        assert found is not None
        assert found == (pytest.approx(expected.mean()), pytest.approx(expected.std()), SPLITS * DRAWS)
    assert np.ptp(shares[:, :, 0], axis=1).max() == 0, "where nothing is spoiled there is no luck"
    lines = list(csv.DictReader(as_csv({"PCA": survey}, results).splitlines()))
    assert len(lines) == shares.size
    assert float(lines[7]["share"]) == shares[0, 0, 7]


def test_each_place_is_the_share_recognised_behind_a_patch_there() -> None:
    survey = positions(REQUEST, "black", 6)
    results = carried_out(survey)
    steps = [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert survey.columns == tuple((top, left) for top in steps for left in steps)
    for row, column in ((0, 0), (4, 4), (8, 2)):
        expected = []
        for split in range(SPLITS):
            recogniser = who(split)
            rows = recogniser.test_rows
            faces: Any = recogniser.data.X[rows]
            covered = occlude(faces, (16, 16), 6, "black", 0, position=(steps[row], steps[column]))
            expected.append(right(recogniser, covered, rows))
        assert survey.shares(results)[:, 0, row * 9 + column].tolist() == expected


def test_methods_fitted_on_covered_faces_are_fitted_anew_for_each_size() -> None:
    split = {"labelled_per_class": 2, "held_out_per_class": 0}
    params = {"max_iter": 15, "n_components": 41}
    request = replace(REQUEST, method="n2s2l", params=params, split=split, corruption=settings("grey", 5))
    survey = curve(request, "grey", "cosine")
    assert survey.columns == ((0,), (4,), (5,), (6,), (7,))
    assert survey.shape == (SPLITS, 1, 5)
    assert len(survey.in_turn()) == SPLITS * 5
    results = carried_out(survey)
    for seed, column in ((0, 0), (3, 2)):
        corruption = settings("grey", survey.columns[column][0])
        record = run(replace(request, seed=seed, corruption=corruption))
        assert survey.shares(results)[seed, 0, column] == record.scores["accuracy_cosine"]


def test_methods_that_only_learn_from_clean_faces_are_asked_about_the_same_covered_ones() -> None:
    split = {"labelled_per_class": 2, "held_out_per_class": 8}
    request = replace(REQUEST, split=split, corruption=settings("grey", 5))
    survey = curve(request, "grey")
    assert len(survey.in_turn()) == SPLITS, "one fit a split"
    recogniser = who(2, replace(REQUEST, split=split))
    everything: Any = recogniser.data.X
    covered = occlude(everything, (16, 16), 6, "grey", seed=2)[recogniser.test_rows]
    assert survey.shares(carried_out(survey))[2, 0, 3] == right(recogniser, covered, recogniser.test_rows)


def test_the_first_split_comes_first_draw_by_draw() -> None:
    survey = curve(REQUEST, "grey")
    assert [turn for turn, _ in survey.in_turn()] == [
        (split, draw) for split in range(SPLITS) for draw in range(DRAWS)
    ]
    first = survey.in_turn()[0][1]
    part = {first.key: evaluate(first)}
    assert not survey.complete(part)
    assert [found is None for found in survey.means(part)] == [False] * len(survey.columns)


def test_labels_given_by_hand_hold_for_one_split() -> None:
    assert curve(replace(REQUEST, labels=((3, "me"),)), "grey").shape[0] == 1


def test_one_that_cannot_go_on_says_so() -> None:
    survey = curve(REQUEST, "texture")
    first = survey.in_turn()[0][1]
    results = {first.key: Result(status="failed", message="Too dark.")}
    assert survey.complete(results)
    assert survey.message(results) == "Too dark."


def test_what_cannot_be_surveyed_is_refused() -> None:
    with pytest.raises(ValueError, match="does not hold images"):
        curve(RunRequest("iris", "pca"), "grey")
    with pytest.raises(ValueError, match="size must be from 0 to 16"):
        positions(REQUEST, "grey", 17)
