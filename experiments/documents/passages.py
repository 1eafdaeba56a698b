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
    """Return the text cut into pieces, each with its weight: 0 for what is no word of the topic.

    Put together again the pieces are the text. Phrases are found before the words in them.

    >>> marked("A red house.", {"red": 0.5})
    [('A ', 0.0), ('red', 0.5), (' house.', 0.0)]
    """
    found = [(match.start(), match.end(), match.group().lower()) for match in _WORD.finditer(text)]
    pieces: list[Piece] = []
    done = index = 0
    while index < len(found):
        length = _match(found, index, weights)
        if not length:
            index += 1
            continue
        start, end = found[index][0], found[index + length - 1][1]
        phrase = " ".join(word for _, _, word in found[index : index + length])
        if start > done:
            pieces.append((text[done:start], 0.0))
        pieces.append((text[start:end], weights[phrase]))
        done, index = end, index + length
    if done < len(text):
        pieces.append((text[done:], 0.0))
    return pieces


def _match(found: list[tuple[int, int, str]], index: int, weights: Mapping[str, float]) -> int:
    """Return how many words from here are the longest known phrase, 0 if not even the first is known."""
    for length in range(min(_LONGEST_PHRASE, len(found) - index), 0, -1):
        if " ".join(word for _, _, word in found[index : index + length]) in weights:
            return length
    return 0
