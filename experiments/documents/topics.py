"""Parts of documents read as topics: their words, what each document is made of, which topics a word is in.

Nothing here makes a dense matrix of documents × words, or one of documents × documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from methods.nnls import from_gram

Words = tuple[tuple[str, float], ...]
Array = NDArray[Any]
_NAMED_BY = 3
# Two words are equally near if their profiles differ by less: then the weightier one is named first.
_AS_NEAR = 0.02


def sensible_number(n_documents: int, n_classes: int = 0) -> int:
    """Return how many topics to begin with: more for more documents, and enough to tell classes apart.

    >>> sensible_number(400), sensible_number(5000, 6), sensible_number(18821, 20)
    (8, 12, 22)
    """
    by_size = round(float(n_documents / 10) ** 0.4)
    by_classes = n_classes + 2 if n_classes <= 30 else 30
    return int(max(2, min(max(8, by_size, by_classes), n_documents - 1)))


def top_words(components: Array, names: Sequence[str], count: int = 8) -> list[Words]:
    """Return the `count` heaviest words of each part with their weights, the heaviest first.

    A weight is the word's share of all weight in its part; parts that have signs keep them. Words
    without any weight are left out, so an empty part has none.

    >>> top_words(np.array([[3.0, 0.0, 1.0]]), ["cat", "dog", "bird"])
    [(('cat', 0.75), ('bird', 0.25))]
    """
    if components.ndim != 2 or components.shape[1] != len(names):
        raise ValueError(
            f"names has {len(names)} words; components has shape {components.shape}: one word a column"
        )
    return [_heaviest(share, names, count) for share in to_one(components)]


def title(words: Sequence[Sequence[Any]], number: int) -> str:
    """Return what a topic is called: its heaviest words, or its number (from 0) if it has none.

    >>> title((("cat", 0.5), ("dog", 0.2)), 0)
    'cat, dog'
    """
    return ", ".join(str(word) for word, _ in words[:_NAMED_BY]) or f"topic {number + 1}"


def mixes(components: Array, embedding: Array) -> Array:
    """Return what each document is made of: the share of every topic in it, a row a document.

    The share is of the words' weight that the topic puts into the document, so it does not depend on how
    weight is divided between the two factors. A document without words has a row of zeros.
    """
    return to_one(embedding * np.abs(components).sum(axis=1))


def to_one(rows: Array) -> Array:
    """Return rows divided by the sum of their sizes; rows of zeros stay as they are."""
    total = np.abs(rows).sum(axis=1, keepdims=True, dtype=np.float64)
    return np.asarray(np.divide(rows, total, out=np.zeros(rows.shape, rows.dtype), where=total > 0))


def class_profiles(mix: Array, codes: NDArray[np.int64], n_classes: int) -> Array:
    """Return the mean mix of each class's documents (classes × topics); a class without any has zeros."""
    labelled = codes >= 0
    counts = np.bincount(codes[labelled], minlength=n_classes)
    sums = [np.bincount(codes[labelled], topic[labelled], minlength=n_classes) for topic in mix.T]
    return np.asarray(np.stack(sums, axis=1) / np.maximum(counts, 1)[:, None])


def word_topics(shares: Array, word: int) -> Array:
    """Return how a word is divided between topics, whose rows have been made `to_one`: equally long."""
    return np.asarray(to_one(shares[None, :, word])[0])


def near_words(shares: Array, word: int, count: int = 8) -> NDArray[np.int64]:
    """Return the words whose division between topics is most like this one's, the nearest first.

    `shares` are the topics' rows made `to_one`.
    """
    length = np.sqrt(np.square(shares).sum(axis=0))
    if length[word] == 0:
        return np.zeros(0, np.int64)
    alike = shares[:, word] @ shares / (length[word] * np.where(length > 0, length, 1))
    # A word of one topic alone is like every other such word: the weightier ones say more.
    order = np.lexsort((-length, -np.round(alike / _AS_NEAR)))
    ranked = order[(length[order] > 0) & (order != word)]
    return np.asarray(ranked[:count], np.int64)


def in_view(embedding: Array, X: Any) -> Array:
    """Return the parts that the same topics have in another view of the documents, in words of that view.

    They are the non-negative parts that rebuild the view best from the topics as they are (exact
    least squares), so the topics of an English text find their French words.
    """
    W = np.asarray(embedding, np.float64)
    return from_gram(W.T @ W, np.asarray(X.T @ W, np.float64)).T


def _heaviest(share: Array, names: Sequence[str], count: int) -> Words:
    size = np.abs(share)
    count = min(count, size.size)
    least = np.partition(size, size.size - count)[size.size - count] if count else np.inf
    # Words of equal weight come in the order of the vocabulary, and all of them stand for the last place.
    near = np.flatnonzero((size >= least) & (size > 0))
    order = near[np.argsort(-size[near], kind="stable")][:count]
    return tuple((names[int(word)], float(share[word])) for word in order)
