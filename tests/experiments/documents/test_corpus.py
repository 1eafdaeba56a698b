"""A run on documents as it is read: what is taken for what, what is found, what other data leave out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from datasets import Dataset
from experiments import RunRequest
from experiments.documents.corpus import Corpus, word_views
from experiments.documents.corpus_search import column_of, find_documents, find_words, neighbours_of
from experiments.requests.titles import sample_title

WORDS = ("ball", "ball game", "goal", "prayer", "psalm", "team")
TEXTS = (
    "The team scored a goal.",
    "A ball game: the ball, the team",
    "Psalm and prayer",
    "a prayer for <b>all</b> of Zürich",
    "",
    "goal! prayer!",
)
COUNTS = np.array(
    [[0, 0, 1, 0, 0, 1], [2, 1, 0, 0, 0, 1], [0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 0],
     [0] * 6, [0, 0, 1, 1, 0, 0]],
    np.float32,
)  # fmt: skip
PARTS = np.array([[2, 1, 2, 0, 0, 2], [0, 0, 0, 3, 1, 0]], np.float32)
EMBEDDING = np.array([[1, 0], [2, 0], [0, 1], [0, 1], [0, 0], [1, 1]], np.float32)


def made(dense: bool = False, labels: tuple[tuple[int, str], ...] = (), **changes: Any) -> Corpus:
    X = COUNTS if dense else sparse.csr_array(COUNTS)
    given: dict[str, Any] = dict(
        id="toy", title="Toy", views={"text": X}, y=np.array([0, 0, 1, 1, 1, 0]),
        target_names=("sport", "faith"), view_features={"text": WORDS}, texts={"text": TEXTS},
    ) | changes  # fmt: skip
    told = np.array([0, -1, 1, -1, -1, -1])
    request = RunRequest("toy", "nmf", labels=labels)
    return Corpus(request, 3, Dataset(**given), np.arange(6), {"text": PARTS}, EMBEDDING, told)


def test_documents_are_taken_for_what_the_nearest_labelled_one_is() -> None:
    found = made()
    assert found.predicted[[1, 3]].tolist() == [0, 1]
    assert found.predicted[4] == -1, "a document without words is like nothing"
    assert found.accuracy == pytest.approx(np.mean([1, 1, 0, found.predicted[5] == 0]))
    assert found.main.tolist()[:5] == [0, 0, 1, 1, -1]


def test_what_is_taken_for_a_class_made_by_hand_is_not_counted() -> None:
    plain = made(labels=((3, "hymns"),))
    told = np.array([0, -1, -1, 2, -1, -1])
    found = Corpus(plain.request, 3, plain.ds, plain.rows, plain.parts, EMBEDDING, told)
    assert found.class_names == ("sport", "faith", "hymns")
    assert found.predicted[2] == 2
    asked = [place for place in (1, 4, 5) if found.predicted[place] < 2]
    assert found.accuracy == pytest.approx(np.mean(found.predicted[asked] == plain.ds.y[asked]))


def test_without_labels_nothing_is_taken_for_anything() -> None:
    plain = made()
    found = Corpus(plain.request, 3, plain.ds, plain.rows, plain.parts, EMBEDDING, np.full(6, -1))
    assert (found.predicted == -1).all()
    assert found.accuracy is None


def test_rows_the_run_has_not_seen_are_no_documents() -> None:
    plain = made()
    part = Corpus(
        plain.request, 3, plain.ds, np.array([1, 3, 5]), plain.parts, EMBEDDING[[1, 3, 5]], np.full(3, -1)
    )
    assert part.place_of(3) == 1
    for row in (0, 2, 6, 99):
        with pytest.raises(KeyError):
            part.place_of(row)


@pytest.mark.parametrize("dense", [False, True])
def test_words_are_found_by_name_and_by_how_they_begin(dense: bool) -> None:
    found = made(dense)
    named = lambda query: [WORDS[column] for column in find_words(found, query)]  # noqa: E731 - a short name
    assert named("goal") == ["goal"]
    assert named("ps") == ["psalm"]
    assert named("ball game")[0] in ("ball", "ball game")
    assert named("ayer") == ["prayer"]
    assert named("  ") == named("!?") == []
    np.testing.assert_array_equal(column_of(found, 3), COUNTS[:, 3])
    assert neighbours_of(found, 3) == ("psalm", *neighbours_of(found, 3)[1:])


@pytest.mark.parametrize("dense", [False, True])
def test_documents_are_found_by_all_words_or_else_as_text(dense: bool) -> None:
    found = made(dense)
    assert find_documents(found, "goal").tolist() == [0, 5]
    assert find_documents(found, "goal prayer").tolist() == [5]
    assert find_documents(found, "zürich").tolist() == [3], "not in the vocabulary"
    assert find_documents(found, "<b>").tolist() == [3]
    assert find_documents(found, "prayer", most=1).size == 1
    assert find_documents(found, "no such text").size == find_documents(found, " ").size == 0


def test_titles_come_from_names_or_texts_or_numbers() -> None:
    assert sample_title(made().ds, 0) == "The team scored a goal."
    assert sample_title(made().ds, 4, unnamed="document") == "document 5"
    assert sample_title(made(sample_names=("",) * 5 + ("Last",)).ds, 5) == "Last"
    long = made(texts={"text": ("words " * 5000, *TEXTS[1:])})
    assert len(sample_title(long.ds, 0, longest=30)) == 30


def test_only_views_of_words_can_be_read() -> None:
    assert word_views(made().ds) == ("text",)
    table = Dataset("t", "T", {"x": np.eye(3)}, feature_names=("a", "b", "c"))
    assert word_views(table) == ()
