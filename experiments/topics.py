"""Parts of documents read as topics: their words, what each document is made of, which topics a word is in.

Nothing here makes a dense matrix of documents × words, or one of documents × documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = tuple[tuple[str, float], ...]
_NAMED_BY = 3


def top_words(components: NDArray[Any], names: Sequence[str], count: int = 8) -> list[Words]:
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
    size = np.abs(components)
    total = size.sum(axis=1, keepdims=True)
    shares = np.divide(components, total, out=np.zeros(components.shape), where=total > 0)
    return [_heaviest(share, names, count) for share in shares]


def _heaviest(share: NDArray[Any], names: Sequence[str], count: int) -> Words:
    size = np.abs(share)
    count = min(count, size.size)
    least = np.partition(size, size.size - count)[size.size - count] if count else np.inf
    # Words of equal weight come in the order of the vocabulary, and all of them stand for the last place.
    near = np.flatnonzero((size >= least) & (size > 0))
    order = near[np.argsort(-size[near], kind="stable")][:count]
    return tuple((names[int(word)], float(share[word])) for word in order)


def title(words: Words, number: int) -> str:
    """Return what a topic is called: its heaviest words, or its number (from 0) if it has none.

    >>> title((("cat", 0.5), ("dog", 0.2)), 0)
    'cat, dog'
    """
    return ", ".join(word for word, _ in words[:_NAMED_BY]) or f"topic {number + 1}"
