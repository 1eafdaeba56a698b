"""Texts in pieces: nothing is lost, words and phrases of the topic are found, markup is only text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from experiments.documents.passages import marked, words_of

texts = st.text(alphabet=st.sampled_from("abAB éß<>&\"'-.\n12_中"), max_size=80)
vocabularies = st.dictionaries(
    st.lists(st.text(alphabet="abé", min_size=2, max_size=3), min_size=1, max_size=3).map(" ".join),
    st.floats(0.01, 1),
    max_size=6,
)


@given(texts, vocabularies)
def test_the_pieces_are_the_text(text: str, weights: dict[str, float]) -> None:
    pieces = marked(text, weights)
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)
    for piece, weight in pieces:
        if weight:
            assert weights[" ".join(words_of(piece))] == weight


@given(texts, vocabularies)
def test_no_word_of_the_topic_is_left_unmarked(text: str, weights: dict[str, float]) -> None:
    for piece, weight in marked(text, weights):
        if not weight:
            assert not set(words_of(piece)) & set(weights)


def test_phrases_come_before_their_words() -> None:
    pieces = marked("New York, new  hope", {"new york": 0.9, "new": 0.2})
    assert pieces == [("New York", 0.9), (", ", 0.0), ("new", 0.2), ("  hope", 0.0)]


def test_markup_is_text() -> None:
    assert marked("<b>cat</b>", {"cat": 1.0}) == [("<b>", 0.0), ("cat", 1.0), ("</b>", 0.0)]
