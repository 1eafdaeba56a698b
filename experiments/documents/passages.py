"""Documents as people read them: a text in pieces, those that belong to a topic with their weights."""

from __future__ import annotations

import re
from collections.abc import Mapping

from datasets.text import WORD

Piece = tuple[str, float]
_WORD = re.compile(WORD)
_LONGEST_PHRASE = 3


def words_of(text: str) -> list[str]:
    """Return the words of a text in the way vocabularies hold them.

    >>> words_of("The cat's 9 Lives")
    ['the', 'cat', 'lives']
    """
    return [match.group().lower() for match in _WORD.finditer(text)]


def marked(text: str, weights: Mapping[str, float]) -> list[Piece]:
    """Return the text cut into pieces, each with its weight: 0 where it is no word of the topic.

    The pieces joined are the text. Phrases are matched before the words in them.

    >>> marked("A red house.", {"red": 0.5})
    [('A ', 0.0), ('red', 0.5), (' house.', 0.0)]
    """
    words = [(match.start(), match.end(), match.group().lower()) for match in _WORD.finditer(text)]
    pieces: list[Piece] = []
    copied_to = index = 0
    while index < len(words):
        length = _match(words, index, weights)
        if not length:
            index += 1
            continue
        start, end = words[index][0], words[index + length - 1][1]
        phrase = " ".join(word for _, _, word in words[index : index + length])
        if start > copied_to:
            pieces.append((text[copied_to:start], 0.0))
        pieces.append((text[start:end], weights[phrase]))
        copied_to, index = end, index + length
    if copied_to < len(text):
        pieces.append((text[copied_to:], 0.0))
    return pieces


def _match(words: list[tuple[int, int, str]], index: int, weights: Mapping[str, float]) -> int:
    """Return the length in words of the longest phrase with a weight that begins here, 0 if there is none."""
    for length in range(min(_LONGEST_PHRASE, len(words) - index), 0, -1):
        if " ".join(word for _, _, word in words[index : index + length]) in weights:
            return length
    return 0
