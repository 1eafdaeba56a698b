"""One fit answers for every number of dimensions; an iteration is timed alone."""

from __future__ import annotations

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Trial, evaluate

UNSEEN = MeasureRequest("accuracy", {"asked": "unseen"})
SPLIT = {"labelled_per_class": 4, "held_out_per_class": 46}


def leading(dimensions: int) -> MeasureRequest:
    return MeasureRequest("leading_accuracy", {"dimensions": dimensions})


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_the_first_directions_of_a_fit_are_those_of_a_smaller_one(dimensions: int) -> None:
    large = RunRequest("iris", "pca", {"n_components": 4}, split=SPLIT)
    small = RunRequest("iris", "pca", {"n_components": dimensions}, split=SPLIT)
    first = evaluate(Trial(large, (leading(dimensions),))).scores[leading(dimensions).name]
    assert first == evaluate(Trial(small, (UNSEEN,))).scores[UNSEEN.name]


def test_more_dimensions_than_there_are_get_a_sentence() -> None:
    result = evaluate(Trial(RunRequest("iris", "pca", {"n_components": 2}), (leading(3),)))
    assert result.problem(leading(3).name) == "dimensions must be from 1 to 2, not 3."


def test_seconds_of_an_iteration_are_less_than_those_of_all() -> None:
    each, whole = MeasureRequest("iteration_seconds"), MeasureRequest("seconds")
    request = RunRequest("iris", "nmf", {"n_components": 3, "max_iter": 30, "tol": 1e-9})
    scores = evaluate(Trial(request, (each, whole))).scores
    assert 0 < scores[each.name] < scores[whole.name]
    closed = evaluate(Trial(RunRequest("iris", "nearest_neighbour"), (each,)))
    assert "fewer than two iterations" in closed.problem(each.name)
