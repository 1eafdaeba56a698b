"""Which words of a collection are features, and why the others were dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from datasets import Dataset
from datasets.text import ENGLISH, TEXT_OPTIONS, WORD, common_words

_WORD = re.compile(WORD)
_WEIGHING = {option.name for option in TEXT_OPTIONS}


@dataclass(frozen=True)
class Vocabulary:
    """The words of one view that are features, each with the number of documents it is in, most first.

    `dropped` says how many single words were left out for which reason; it is empty without the
    texts themselves.
    """

    words: tuple[str, ...]
    documents: NDArray[np.int64]
    dropped: Mapping[str, int]


def vocabulary(ds: Dataset, view: str) -> Vocabulary:
    """Return the vocabulary of a view whose features are words."""
    names, X = ds.view_features[view], ds.views[view]
    used = X.indices if sparse.issparse(X) else np.nonzero(X)[1]
    documents = np.bincount(used, minlength=X.shape[1]).astype(np.int64)
    order = np.lexsort((np.arange(len(names)), -documents))
    words = tuple(names[index] for index in order)
    dropped = _dropped(ds, view) if view in ds.texts and set(ds.options) >= _WEIGHING else {}
    return Vocabulary(words, documents[order], dropped)


def _dropped(ds: Dataset, view: str) -> dict[str, int]:
    """Count what `datasets.text.weigh` leaves out, in the order in which it does so."""
    counts, common = _census_of(ds, view)
    options: Mapping[str, Any] = ds.options
    least = min(options["min_df"], max(1, int(options["max_df"] * ds.n_samples)))
    most = options["max_df"] * ds.n_samples if options["max_df"] * ds.n_samples >= 1 else 1
    common = common if options["stop_words"] else np.zeros_like(common)
    rare, frequent = ~common & (counts < least), ~common & (counts > most)
    remaining = counts.size - int((common | rare | frequent).sum())
    n_features = sum(1 for word in ds.view_features[view] if " " not in word)
    return {
        "common words": int(common.sum()),
        f"in fewer than {least} documents": int(rare.sum()),
        f"in more than {most:.0f} documents": int(frequent.sum()),
        "beyond the most that are kept": max(0, remaining - n_features),
    }


def _census_of(ds: Dataset, view: str) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    others = tuple(sorted((name, str(value)) for name, value in ds.options.items() if name not in _WEIGHING))
    key = (ds.id, view, others)
    if key not in _counted:
        languages = dict(ds.card.languages) if ds.card else {}
        _counted[key] = census(ds.texts[view], languages.get(view, ENGLISH))
        while len(_counted) > _REMEMBERED:
            del _counted[next(iter(_counted))]
    return _counted[key]


# Counts by data set and view, without the texts.
_counted: dict[tuple[Any, ...], tuple[NDArray[np.int64], NDArray[np.bool_]]] = {}
_REMEMBERED = 24


def census(texts: Sequence[str], language: str = ENGLISH) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return, for every different word, the number of texts it is in and whether it is a common one."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(_WORD.findall(text.lower())))
    common = common_words(language)
    return (
        np.fromiter(counts.values(), dtype=np.int64, count=len(counts)),
        np.fromiter((word in common for word in counts), dtype=np.bool_, count=len(counts)),
    )
