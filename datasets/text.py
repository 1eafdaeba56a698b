"""Texts as numbers: TF-IDF weights of words, one sparse row a document, with the choices that go with it.

Nothing here ever makes a dense matrix: 18 000 documents and 30 000 words are some 10 MB this way,
2 GB the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from scipy import sparse
from stop_words import get_stop_words

from datasets.schema import Option, OptionValue

# Two letters at least, of any alphabet: `n_components` gives "components", numbers give nothing.
WORD = r"[^\W\d_]{2,}"
ENGLISH = "en"

TEXT_OPTIONS = (
    Option(
        "vocabulary", "int", 5000, low=10, high=50_000,
        label="Words kept at most",
        meaning="The most words kept in each view; those used most often stay.",
    ),
    Option(
        "min_df", "int", 5, low=1, high=200,
        label="In at least so many documents",
        meaning="A word is kept if it occurs in at least this many documents.",
    ),
    Option(
        "max_df", "float", 0.5, low=0.01, high=1.0,
        label="In at most this share of the documents",
        meaning="A word is kept if it occurs in at most this share of the documents.",
    ),
    Option(
        "ngrams", "int", 1, low=1, high=3,
        label="Words in a phrase",
        meaning="1 counts single words; 2 and 3 also count phrases of up to so many words.",
    ),
    Option(
        "stop_words", "bool", True,
        label="Leave out common words",
        meaning="Leave out words that say little about a topic: the, and, of …; in the language of the "
        "texts where that is clear, or else in English.",
    ),
)  # fmt: skip


def text_options(**defaults: OptionValue) -> tuple[Option, ...]:
    """Return `TEXT_OPTIONS` with some defaults changed, for texts that are shorter or fewer than usual."""
    return tuple(
        replace(option, default=defaults.get(option.name, option.default)) for option in TEXT_OPTIONS
    )


@cache
def common_words(language: str) -> frozenset[str]:
    """Return the words of a language that say little about a topic, cut as texts are."""
    # Imported here: it takes a second, which listing the catalogue should not cost.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    words: Iterable[str] = ENGLISH_STOP_WORDS if language == ENGLISH else get_stop_words(language)
    return frozenset(re.findall(WORD, " ".join(words).lower()))


@dataclass(frozen=True, eq=False)
class Weighted:
    """Documents as TF-IDF weights: a CSR matrix (documents × words) in float32, and its words."""

    matrix: sparse.csr_array[Any]
    words: tuple[str, ...]


def weigh(
    texts: Sequence[str],
    *,
    vocabulary: int = 5000,
    min_df: int = 5,
    max_df: float = 0.5,
    ngrams: int = 1,
    stop_words: bool = True,
    language: str = ENGLISH,
) -> Weighted:
    """Return the TF-IDF weights of each text, every row of length 1 (or empty, if no word is known).

    Raises a ValueError that names the options at fault if no word is left.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # Takes a second as well.

    vectorizer = TfidfVectorizer(
        token_pattern=WORD,
        ngram_range=(1, ngrams),
        # A limit the other way round would be an error in scikit-learn; with few texts it is none here.
        min_df=min(min_df, max(1, int(max_df * len(texts)))),
        max_df=max_df if max_df * len(texts) >= 1 else 1,
        max_features=vocabulary,
        stop_words=sorted(common_words(language)) if stop_words else None,
        dtype=np.float32,
    )
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError as error:
        raise ValueError(
            f"no word is left of {len(texts)} texts with min_df {min_df} and max_df {max_df}: "
            "lower min_df or raise max_df"
        ) from error
    words = tuple(str(word) for word in vectorizer.get_feature_names_out())
    return Weighted(sparse.csr_array(matrix), words)


def text_views(
    texts: Mapping[str, Sequence[str]],
    options: Mapping[str, OptionValue],
    *,
    languages: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return `views`, `view_features` and `texts` of a `Dataset` made of one text or several a sample.

    `options` may hold more than `TEXT_OPTIONS`. `languages` says of which language the texts of a view
    are, if not English.
    """
    chosen: dict[str, Any] = {option.name: options[option.name] for option in TEXT_OPTIONS}
    of = dict(languages)
    weighted = {
        view: weigh(documents, **chosen, language=of.get(view, ENGLISH)) for view, documents in texts.items()
    }
    return {
        "views": {view: each.matrix for view, each in weighted.items()},
        "view_features": {view: each.words for view, each in weighted.items()},
        "texts": {view: tuple(documents) for view, documents in texts.items()},
    }
