"""What may be done to the numbers of a data set before a method sees them: one choice, for all views alike.

It is an option of the data set, and so part of every address, request, script and bundle. Labels play no part
in it. TF-IDF is that of scikit-learn: counts times ln((1 + n) / (1 + documents with the word)) + 1, each row
scaled to length 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from datasets.dataset import Dataset, Matrix
from datasets.schema import Option

NONE = "none"
_HEADINGS = {
    NONE: "as they are",
    "tfidf": "TF-IDF, rows of length 1 (for counts)",
    "unit": "rows of length 1",
    "by_feature": "each feature from 0 to 1",
    "by_view": "each view from 0 to 1",
    "shift": "moved up until nothing is negative",
    "clip": "negative numbers set to 0",
}
PREPARATION = Option(
    "preparation",
    "choice",
    NONE,
    choices=tuple(_HEADINGS),
    label="Preparation",
    choice_labels=tuple(_HEADINGS.values()),
    meaning="What is done to the numbers before any method sees them, view by view.",
)
# A table of counts: whole numbers, mostly zero, many columns.
_MOST_NOT_ZERO, _FEWEST_WORDS = 0.5, 50
# Negative numbers this small beside the largest are rounding or ringing, not meaning.
SMALL = 0.05


def prepared(ds: Dataset, how: str) -> Dataset:
    """Return a data set with its numbers prepared; a ValueError says why they cannot be so.

    >>> import datasets
    >>> round(float(np.linalg.norm(prepared(datasets.load("iris"), "unit").X[0])), 6)
    1.0
    """
    if how not in _HEADINGS:
        raise ValueError(f"preparation must be one of {', '.join(_HEADINGS)}, not {how!r}.")
    if how == NONE:
        return ds
    views = {name: _prepared(name, view, how) for name, view in ds.views.items()}
    return replace(ds, views=views, options={**ds.options, PREPARATION.name: how})


def looks_like_counts(ds: Dataset) -> bool:
    """Say whether every view is a table of counts, as of words in documents."""
    return ds.image_shape is None and all(_counts(view) for view in ds.views.values())


def small_negatives(ds: Dataset) -> float:
    """Return the smallest number if it is negative, but small beside the largest; else 0."""
    low = min(float(view.min()) for view in ds.views.values())
    high = max(float(view.max()) for view in ds.views.values())
    return low if low < 0 and -low <= SMALL * high else 0.0


def numbers_of(view: Matrix) -> Mapping[str, float]:
    """Return what shows a preparation: smallest, largest, share of zeros, shortest and longest row."""
    squares = view.multiply(view) if sparse.issparse(view) else np.square(np.asarray(view, dtype=np.float64))
    lengths = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
    stored = view.count_nonzero() if sparse.issparse(view) else np.count_nonzero(np.asarray(view))
    return {
        "smallest": float(view.min()),
        "largest": float(view.max()),
        "zeros": 1 - float(stored) / (view.shape[0] * view.shape[1]),
        "shortest row": float(lengths.min()),
        "longest row": float(lengths.max()),
    }


def _counts(view: Matrix) -> bool:
    values = view.data if sparse.issparse(view) else np.asarray(view).ravel()
    size = view.shape[0] * view.shape[1]
    if view.shape[1] < _FEWEST_WORDS or not values.size or values.min() < 0 or values.max() <= 1:
        return False
    return bool(np.count_nonzero(values) <= _MOST_NOT_ZERO * size and (values == np.round(values)).all())


def _prepared(name: str, view: Matrix, how: str) -> Matrix:
    low = float(view.min())
    if how == "tfidf":
        if low < 0:
            raise ValueError(f"preparation 'tfidf' is for counts; {name} has negative numbers.")
        return _unit(_scaled(view, _rarity(view)))
    if how == "unit":
        return _unit(view)
    if how == "clip":
        return view.maximum(0).tocsr() if sparse.issparse(view) else np.maximum(view, 0)
    if sparse.issparse(view) and low < 0:
        raise ValueError(f"preparation {how!r} would fill the zeros of {name}; 'clip' leaves them.")
    if how == "shift":
        return view if low >= 0 else np.asarray(np.asarray(view) - view.dtype.type(low))
    return _to_one(view, by_feature=how == "by_feature")


def _rarity(view: Matrix) -> Any:
    """Return the inverse document frequency of each column."""
    stored: Any = view.count_nonzero(axis=0) if sparse.issparse(view) else np.count_nonzero(view, axis=0)
    return np.log((1 + view.shape[0]) / (1 + np.asarray(stored, dtype=np.float64).ravel())) + 1


def _scaled(view: Matrix, factors: Any) -> Matrix:
    """Return a matrix with its columns multiplied."""
    factors = factors.astype(view.dtype)
    return sparse.csr_array(view.multiply(factors[None, :])) if sparse.issparse(view) else view * factors


def _unit(view: Matrix) -> Matrix:
    """Return a matrix with rows of length 1; rows of zeros stay."""
    squares = view.multiply(view) if sparse.issparse(view) else np.square(view)
    lengths = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    factors = inverse.astype(view.dtype)[:, None]
    return sparse.csr_array(view.multiply(factors)) if sparse.issparse(view) else view * factors


def _to_one(view: Matrix, *, by_feature: bool) -> Matrix:
    if sparse.issparse(view):
        # Nothing is negative, and something is zero: zeros stay.
        high = view.max(axis=0).toarray().ravel() if by_feature else np.full(view.shape[1], view.max())
        high = np.asarray(high, dtype=np.float64)
        return _scaled(view, np.divide(1.0, high, out=np.zeros_like(high), where=high > 0))
    dense = np.asarray(view)
    low = dense.min(axis=0) if by_feature else dense.min()
    spread = np.asarray((dense.max(axis=0) if by_feature else dense.max()) - low)
    return np.asarray((dense - low) / np.where(spread > 0, spread, 1).astype(dense.dtype))
