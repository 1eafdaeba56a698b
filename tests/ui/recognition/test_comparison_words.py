"""Differences and progress in words that say no more than the numbers do."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.measures.significance import Difference
from ui.recognition.comparison_words import sentence, sentences, table

AHEAD = Difference(mean=0.093, spread=0.021, wins=5, ties=0, losses=0, p=0.0102)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            AHEAD,
            "N²S²L is ahead of NMF on all five splits; the difference of 9.3 ± 2.1 points is hardly chance "
            "(p = 0.01).",
        ),
        (
            Difference(0.012, 0.03, 3, 1, 1, 0.4),
            "N²S²L is ahead of NMF on three of five splits, but splits share most of their samples and are "
            "no independent trials: the difference of 1.2 ± 3.0 points could still be chance (p = 0.40).",
        ),
        (
            Difference(0.012, 0.01, 20, 0, 0, 0.1),
            "N²S²L is ahead of NMF on all 20 splits, but splits share most of their samples and are no "
            "independent trials: the difference of 1.2 ± 1.0 points could still be chance (p = 0.10).",
        ),
        (
            Difference(0.05, 0.01, 2, 0, 0, None),
            "N²S²L is 5.0 points ahead of NMF on average over two splits; from fewer than four it can't be "
            "told whether that is more than luck.",
        ),
        (Difference(0.0, 0.0, 0, 4, 0, 1.0), "N²S²L and NMF are level over four splits."),
        (Difference(0.0, 0.0, 0, 0, 0, None), "N²S²L and NMF have not finished the same split yet."),
    ],
)
def test_a_difference_in_words(found: Difference, said: str) -> None:
    assert sentence("N²S²L", "NMF", found) == said


def test_very_small_probabilities_are_not_zero() -> None:
    assert "(p < 0.001)" in sentence("A", "B", Difference(0.1, 0.01, 5, 0, 0, 1e-9))


def test_the_best_is_compared_with_all_others_the_closest_first() -> None:
    shares = {"a": np.array([0.5] * 5), "b": np.array([0.9] * 5), "c": np.array([0.7] * 5)}
    said = sentences({"a": "A", "b": "B", "c": "C"}, shares, 1.0)
    assert [text.split(";")[0] for text in said] == [
        "B is ahead of C on all five splits", "B is ahead of A on all five splits",
    ]  # fmt: skip


def test_table_shows_what_is_known() -> None:
    shares = {"a": np.array([[0.5, 0.7], [np.nan, 0.6]]), "b": np.full((2, 2), np.nan)}
    lines = table({"a": "A", "b": "B"}, [1, 2], shares, {("b", 1)}).splitlines()
    assert lines[0] == "| method | 1 | 2 |"
    assert lines[2] == "| A | 60.0 ± 14.1 % | 60.0 % |"
    assert lines[3] == "| B | … | – |"
