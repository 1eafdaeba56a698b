"""Parts of documents as words instead of pictures, ready for `static/words.js`, which draws them as cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from experiments.documents.topics import top_words

# More topics than this are not read; a bounded number keeps a frame small, whatever the data.
MOST_PARTS = 100
_LONGEST = 40


def word_parts(
    components: NDArray[Any], names: Sequence[str], count: int = 8, most: int = MOST_PARTS
) -> list[list[list[Any]]]:
    """Return the heaviest words of the first `most` parts as plain [word, weight] pairs, ready for JSON."""
    return [
        [[_short(word), round(weight, 5)] for word, weight in part]
        for part in top_words(components[:most], names, count)
    ]


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"
