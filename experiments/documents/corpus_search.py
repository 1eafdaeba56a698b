"""Search in a run on documents: words by how they begin, documents by their words, titles and texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.documents.corpus import Codes, Corpus
from experiments.documents.passages import words_of
from experiments.documents.topics import near_words

Array = NDArray[Any]


def find_words(corpus: Corpus, query: str, most: int = 6) -> Codes:
    """Return the words (columns) that match a query: exact matches, then prefixes, then substrings."""
    query_words = words_of(query)
    phrase = " ".join(query_words)
    if not query_words:
        return np.zeros(0, np.int64)
    exact, begins, holds = [], [], []
    for column, word in enumerate(corpus.words):
        if word == phrase or word in query_words:
            exact.append(column)
        elif word.startswith(query_words[-1]):
            begins.append(column)
        elif len(query_words[-1]) > 2 and query_words[-1] in word:
            holds.append(column)
    weight = corpus.shares.sum(axis=0)
    ordered = [sorted(group, key=lambda column: -weight[column]) for group in (exact, begins, holds)]
    return np.array([column for group in ordered for column in group][:most], np.int64)


def find_documents(corpus: Corpus, query: str, most: int = 40) -> Codes:
    """Return the indices of the documents that contain the whole query, the most weight on it first.

    Words of the vocabulary are looked up in the weights; anything else (a name, a number, part of a
    word) is searched for as a substring of titles and texts.
    """
    query_words = words_of(query)
    column_by_word = {word: index for index, word in enumerate(corpus.words)}
    if query_words and all(word in column_by_word for word in query_words):
        weights = [column_of(corpus, column_by_word[word]) for word in query_words]
        score = np.sum(weights, axis=0) * np.all(np.array(weights) > 0, axis=0)
        ranked = np.argsort(-score, kind="stable")[:most]
        ranked = ranked[score[ranked] > 0]
        if ranked.size:
            return np.asarray(ranked, np.int64)
    return _by_text(corpus, query.strip().lower(), most)


def column_of(corpus: Corpus, word: int) -> Array:
    """Return the weight of a word in each document, from the stored entries of a sparse matrix."""
    X: Any = corpus.ds.views[corpus.view]
    if isinstance(X, np.ndarray):
        return np.asarray(X[corpus.rows, word])
    stored = np.flatnonzero(X.indices == word)
    weight = np.zeros(X.shape[0], X.dtype)
    weight[np.searchsorted(X.indptr, stored, "right") - 1] = X.data[stored]
    return weight[corpus.rows]


def neighbours_of(corpus: Corpus, word: int, most: int = 8) -> tuple[str, ...]:
    """Return the words that occur in the same topics as this one."""
    return tuple(corpus.words[near] for near in near_words(corpus.shares, word, most))


def _by_text(corpus: Corpus, text: str, most: int) -> Codes:
    if not text:
        return np.zeros(0, np.int64)
    ds, matches = corpus.ds, []
    names = ds.sample_names or ()
    titled = [place for place, row in enumerate(corpus.rows) if names and text in names[row].lower()]
    matches += titled[:most]
    seen = set(matches)
    for texts in ds.texts.values():
        for place, row in enumerate(corpus.rows):
            if len(matches) >= most:
                return np.array(matches, np.int64)
            if place not in seen and text in texts[row].lower():
                matches.append(place)
                seen.add(place)
    return np.array(matches, np.int64)
