"""Parts of documents as words: a grid of topics, each with its heaviest words, to show instead of pictures.

`word_parts` is what any of our scripts needs to draw such a grid (see `static/words.js`);
`words_panel` puts one on a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from experiments.topics import top_words
from ui.assets import component

_VIEW = component("words", "words_panel")
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


def words_panel(
    key: str,
    components: NDArray[Any],
    names: Sequence[str],
    *,
    label: str,
    colour: str = "",
    order: Sequence[int] | None = None,
    tips: Sequence[str] = (),
    marks: Sequence[bool] = (),
    count: int = 8,
) -> None:
    """Show parts as words; `label` is the text alternative of the whole, `tips` what is said of each part.

    `order` says which part comes first (tips and marks are in this order); marked parts are framed.
    `colour` is that of the bars, left out the accent of the page.
    """
    shown = components if order is None else components[list(order)]
    numbers = range(len(components)) if order is None else order
    data = {
        "label": label,
        "colour": colour,
        "parts": word_parts(shown, names, count),
        "numbers": [int(number) + 1 for number in numbers][:MOST_PARTS],
        "tips": list(tips)[:MOST_PARTS],
        "marks": [int(mark) for mark in marks][:MOST_PARTS],
        "left": max(0, len(components) - MOST_PARTS),
    }
    _VIEW(key=key, data=data)


def _short(word: str) -> str:
    return word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}…"
