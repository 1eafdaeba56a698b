"""What to label next: the unsure ones and the lonely ones, not the same twice."""

from __future__ import annotations

import numpy as np

from experiments.fitted.suggestions import suggestions
from experiments.fitted.verdicts import Verdicts


def asked_about(rows: list[int], sure: list[float]) -> Verdicts:
    many = len(rows)
    nobody = np.full(many, -1)
    return Verdicts(np.array(rows), np.zeros(many, np.int64), nobody, np.array(sure), nobody, ("a", "b"))


def test_the_least_sure_comes_first_and_its_twin_is_left_out() -> None:
    # Samples 1 and 2 are the same picture; 3 is elsewhere. 0 is labelled.
    features = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    found = suggestions(asked_about([1, 2, 3], [0.1, 0.1, 0.3]), np.arange(4), features, each=2)
    assert [(one.row, one.reason) for one in found[:2]] == [(1, "unsure"), (3, "unsure")]
    assert found[0].strength == 0.9


def test_the_farthest_from_every_label_is_suggested() -> None:
    features = np.array([[0.0], [0.1], [5.0], [9.0], [9.1]])
    found = suggestions(asked_about([1, 2, 3, 4], [0.0, 0.9, 0.9, 0.9]), np.arange(5), features, each=1)
    assert [(one.row, one.reason) for one in found] == [(1, "unsure"), (4, "far")]
    assert found[1].strength > 1


def test_far_suggestions_spread_out() -> None:
    features = np.array([[0.0, 0.0], [9.0, 0.0], [9.1, 0.0], [0.0, 8.0]])
    found = suggestions(asked_about([1, 2, 3], [1.0, 1.0, 1.0]), np.arange(4), features, each=2)
    assert len({one.row for one in found}) == len(found)


def test_rows_are_those_of_the_data_set_even_if_some_were_held_out() -> None:
    features = np.array([[0.0], [1.0], [7.0]])
    found = suggestions(asked_about([20, 30], [0.5, 0.9]), np.array([10, 20, 30]), features, each=1)
    assert [one.row for one in found] == [20, 30]


def test_nothing_is_labelled_or_only_one_is_left() -> None:
    features = np.array([[0.0], [1.0], [7.0]])
    found = suggestions(asked_about([0, 1, 2], [0.5, 0.6, 0.9]), np.arange(3), features, each=3)
    assert len({one.row for one in found}) == len(found) <= 3
    assert len(suggestions(asked_about([2], [0.5]), np.arange(3), features)) == 1
