"""Texts as numbers: weights are those of the formula, options do what they say, all stays sparse."""

import re
import tracemalloc
from math import log

import numpy as np
import pytest
from scipy import sparse

from datasets import multilingual
from datasets.text import TEXT_OPTIONS, WORD, common_words, text_views, weigh

TEXTS = [
    "the cat sat on the mat",
    "the dog ate the cat food",
    "dogs and cats are pets",
    "a cat, a dog; a bird!",
    "birds fly over the mat",
]
PLAIN = {"min_df": 1, "max_df": 1.0, "stop_words": False}


def test_weights_are_those_of_the_formula() -> None:
    found = weigh(TEXTS[:3], **PLAIN)
    tokens = [text.split() for text in TEXTS[:3]]
    words = sorted({word for text in tokens for word in text})
    assert found.words == tuple(words)
    expected = np.zeros((3, len(words)))
    for row, text in enumerate(tokens):
        for column, word in enumerate(words):
            containing = sum(word in other for other in tokens)
            expected[row, column] = text.count(word) * (log((1 + 3) / (1 + containing)) + 1)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found.matrix.toarray(), expected, rtol=1e-6)


def test_the_matrix_is_sparse_and_float32() -> None:
    matrix = weigh(TEXTS, **PLAIN).matrix
    assert isinstance(matrix, sparse.csr_array)
    assert matrix.dtype == np.float32


def test_rare_and_common_words_are_dropped() -> None:
    assert "mat" in weigh(TEXTS, min_df=2, max_df=1.0).words
    assert "food" not in weigh(TEXTS, min_df=2, max_df=1.0).words
    # "cat" is in three of five texts.
    assert "cat" in weigh(TEXTS, min_df=1, max_df=0.6).words
    assert "cat" not in weigh(TEXTS, min_df=1, max_df=0.5).words


def test_the_vocabulary_keeps_the_words_used_most() -> None:
    assert weigh(TEXTS, vocabulary=2, **PLAIN).words == ("cat", "the")


def test_phrases_and_stop_words() -> None:
    assert "cat food" in weigh(TEXTS, ngrams=2, **PLAIN).words
    assert "the cat food" in weigh(TEXTS, ngrams=3, **PLAIN).words
    assert "the" not in weigh(TEXTS, min_df=1, max_df=1.0).words


def test_words_are_letters_of_any_alphabet() -> None:
    words = weigh(["n_components été 123 x", "Größe n_components"], **PLAIN).words
    assert words == ("components", "größe", "été")


def test_no_word_left_names_the_options() -> None:
    with pytest.raises(ValueError, match=r"no word is left of 2 texts with min_df 1 .*lower min_df"):
        weigh(["1 2 3", "4 5"], **PLAIN)


def test_limits_that_few_texts_cannot_meet_are_no_error() -> None:
    assert weigh(["cat dog", "cat bird"], min_df=5, max_df=0.5).words == ("bird", "dog")
    assert weigh(["cat dog", "cat bird"], min_df=1, max_df=0.1).words == ("bird", "dog")


def test_each_language_has_stop_words_of_its_own() -> None:
    options = {option.name: option.default for option in TEXT_OPTIONS} | {"min_df": 1, "max_df": 1.0}
    texts = {"ours": ["the sea and les"] * 2, "theirs": ["la mer qu'elle et the"] * 2}
    made = text_views(texts, options, languages=(("theirs", "fr"),))
    assert made["view_features"] == {"ours": ("les", "sea"), "theirs": ("mer", "the")}
    assert made["texts"]["theirs"] == tuple(texts["theirs"])
    kept = text_views(texts, options | {"stop_words": False}, languages=(("theirs", "fr"),))
    assert "et" in kept["view_features"]["theirs"]


@pytest.mark.parametrize("language", dict(multilingual.CARD.languages).values())
def test_common_words_are_known_in_every_language_of_the_catalogue(language: str) -> None:
    assert len(common_words(language)) > 150
    assert all(re.fullmatch(WORD, word) for word in common_words(language))


@pytest.mark.slow
def test_many_long_texts_never_become_dense() -> None:
    rng = np.random.default_rng(0)
    words = np.array(["word" + "".join(chr(97 + int(digit)) for digit in f"{i:05d}") for i in range(30_000)])
    texts = [" ".join(rng.choice(words, 40)) for _ in range(18_000)]
    tracemalloc.start()
    matrix = weigh(texts, vocabulary=30_000, min_df=1).matrix
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert matrix.shape == (18_000, 30_000)
    assert peak < 200e6  # The dense matrix would be 2 160 MB.
