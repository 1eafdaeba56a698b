"""The vocabulary of documents: which words are kept, in how many documents, and why others are not."""

from __future__ import annotations

import numpy as np
import pytest

import datasets
from datasets import Dataset
from datasets.text import text_views
from experiments.documents.vocabulary import census, vocabulary

TEXTS = ["the red fox runs", "the red dog runs", "the red fox sleeps", "a red hen runs", "the blue fox"]


def documents(name: str = "fable", **options: int | float | bool) -> Dataset:
    chosen = {"vocabulary": 50, "min_df": 1, "max_df": 1.0, "ngrams": 1, "stop_words": True} | options
    return Dataset(name, name, options=chosen, **text_views({"words": TEXTS}, chosen))


def test_words_come_with_the_documents_they_are_in_most_first() -> None:
    found = vocabulary(documents(), "words")
    assert dict(zip(found.words, found.documents.tolist(), strict=True)) == {
        "red": 4, "fox": 3, "runs": 3, "blue": 1, "dog": 1, "hen": 1, "sleeps": 1,
    }  # fmt: skip
    assert list(found.documents) == sorted(found.documents, reverse=True)


@pytest.mark.parametrize(
    ("options", "dropped"),
    [
        ({}, {"common words": 1}),
        ({"stop_words": False}, {}),
        ({"min_df": 2}, {"common words": 1, "in fewer than 2 documents": 4}),
        ({"max_df": 0.6}, {"common words": 1, "in more than 3 documents": 1}),
        ({"vocabulary": 2}, {"common words": 1, "beyond the most that are kept": 5}),
    ],
)
def test_what_is_dropped_is_counted_by_its_reason(options: dict[str, int], dropped: dict[str, int]) -> None:
    ds = documents(**options)
    found = vocabulary(ds, "words")
    assert {reason: count for reason, count in found.dropped.items() if count} == dropped
    assert len(found.words) + sum(found.dropped.values()) == len(census(TEXTS)[0])


def test_phrases_are_kept_words_alone_are_counted_as_dropped() -> None:
    found = vocabulary(documents(ngrams=2, min_df=2), "words")
    assert "red fox" in found.words
    assert found.dropped["in fewer than 2 documents"] == 4


def test_counts_hold_for_a_real_collection() -> None:
    ds = datasets.load("docstrings", vocabulary=300)
    for view in ds.views:
        found = vocabulary(ds, view)
        assert len(found.words) == ds.views[view].shape[1]
        assert len(found.words) + sum(found.dropped.values()) == len(census(ds.texts[view])[0])
        np.testing.assert_array_equal(np.sort(found.documents), np.sort((ds.views[view] > 0).sum(axis=0)))
