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
    """Return the words (columns) that a query may mean: those it names, then those that begin like it."""
    asked = words_of(query)
    phrase = " ".join(asked)
    if not asked:
        return np.zeros(0, np.int64)
    exact, begins, holds = [], [], []
    for column, word in enumerate(corpus.words):
        if word == phrase or word in asked:
            exact.append(column)
        elif word.startswith(asked[-1]):
            begins.append(column)
        elif len(asked[-1]) > 2 and asked[-1] in word:
            holds.append(column)
    weight = corpus.shares.sum(axis=0)
    ordered = [sorted(found, key=lambda column: -weight[column]) for found in (exact, begins, holds)]
    return np.array([column for found in ordered for column in found][:most], np.int64)


def find_documents(corpus: Corpus, query: str, most: int = 40) -> Codes:
    """Return the places of the documents that hold all of a query, those with the most weight on it first.

    Words of the vocabulary are looked up in the weights; what is not in it (a name, a number, part of a
    word) is looked for in titles and texts as it stands.
    """
    asked = words_of(query)
    column = {word: number for number, word in enumerate(corpus.words)}
    if asked and all(word in column for word in asked):
        weights = [column_of(corpus, column[word]) for word in asked]
        score = np.sum(weights, axis=0) * np.all(np.array(weights) > 0, axis=0)
        found = np.argsort(-score, kind="stable")[:most]
        found = found[score[found] > 0]
        if found.size:
            return np.asarray(found, np.int64)
    return _by_text(corpus, query.strip().lower(), most)


def column_of(corpus: Corpus, word: int) -> Array:
    """Return the weight of a word in each document; only what is stored is looked at."""
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
    ds, found = corpus.ds, []
    names = ds.sample_names or ()
    titled = [place for place, row in enumerate(corpus.rows) if names and text in names[row].lower()]
    found += titled[:most]
    seen = set(found)
    for texts in ds.texts.values():
        for place, row in enumerate(corpus.rows):
            if len(found) >= most:
                return np.array(found, np.int64)
            if place not in seen and text in texts[row].lower():
                found.append(place)
                seen.add(place)
    return np.array(found, np.int64)
