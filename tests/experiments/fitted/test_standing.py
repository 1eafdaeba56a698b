"""Where samples stand: which known sample of each class comes nearest to what somebody has chosen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from experiments.fitted.standing import Standing


def standing(features: list[list[float]], code: list[int], asked: list[int], train: list[int]) -> Standing:
    verdicts: Any = SimpleNamespace(row=np.array(asked))
    return Standing(
        "run", np.array(train), np.array(code), verdicts, np.array(features), np.empty((0, 2), int), ()
    )


def test_of_each_class_the_nearest_labelled_sample_is_found_and_the_nearest_class_comes_first() -> None:
    # Rows 10 to 40 are labelled, of classes 1, 1, 0 and 2; 50 and 60 are taken for 1 and 0.
    now = standing(
        [[0], [5], [3], [100], [4.4], [2.9]], [1, 1, 0, 2, 1, 0], [50, 60], [10, 20, 30, 40, 50, 60]
    )
    assert now.nearest_labelled([50]) == [(1, 20), (0, 30), (2, 40)]
    assert now.nearest_labelled([60]) == [(0, 30), (1, 20), (2, 40)]
    assert now.nearest_labelled([50, 60]) == [(0, 30), (1, 20), (2, 40)]


def test_nothing_is_near_where_nothing_is_chosen_or_known() -> None:
    now = standing([[0], [5]], [1, 1], [20], [10, 20])
    assert now.nearest_labelled([]) == []
    assert now.nearest_labelled([10]) == [], "a labelled sample is no question"
    assert now.nearest_labelled([99]) == []
    assert standing([[0], [5]], [-1, -1], [10, 20], [10, 20]).nearest_labelled([10]) == []
