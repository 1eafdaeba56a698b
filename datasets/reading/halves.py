"""Training and test samples under two names are put together: the split is made here, and can be chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from datasets.reading.draft import is_sparse, plain

# The short forms need a mark on one side: "matrix" and "late" hold them by chance.
_HALF = re.compile(
    r"(?P<before>.*?)_?(?P<half>train|test)(?:ing)?_?(?P<after>.*)"
    r"|(?P<before_short>.+)_(?P<half_short>tr|te|tst)|(?P<half_first>tr|te|tst)_(?P<after_short>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TRAINING = {"train", "tr"}
# Each is held against each; a file of thousands is no training and test set.
_MOST_PAIRS = 100
Pairs = dict[str, tuple[str, str]]


def joined(arrays: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arrays with training and test parts stacked, and notes for the user on what was done.

    Nothing is touched unless a matrix has both parts: a vector of that name says which rows are meant.

    >>> both, notes = joined({"trainX": np.ones((3, 2)), "testX": np.zeros((4, 2))})
    >>> both["X"].shape, notes
    ((7, 2), ['trainX and testX were put together: 3 and 4 samples.'])
    """
    named = pairs(arrays)
    sizes = _sizes(arrays, named) if len(named) <= _MOST_PAIRS else None
    if sizes is None:
        return dict(arrays), []
    made = dict(arrays)
    notes: list[str] = []
    for name, (train, test) in named.items():
        whole = _stacked(arrays[train], arrays[test], sizes)
        if whole is not None:
            del made[train], made[test]
            made[name] = whole
            if _is_matrix(whole) and not notes:
                counts = f"{sizes[0]} and {sizes[1]} samples"
                notes = [f"{plain(train)} and {plain(test)} were put together: {counts}."]
    return made, notes


def training_and_test(arrays: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return how many training and test samples `joined` puts together, the training samples first."""
    named = pairs(arrays)
    return _sizes(arrays, named) if len(named) <= _MOST_PAIRS else None


def pairs(arrays: Mapping[str, Any]) -> Pairs:
    """Return the names that are free for a whole, each with the names of its two parts."""
    halves: dict[str, dict[bool, str]] = {}
    whole: dict[str, str] = {}
    for name in arrays:
        match = _HALF.fullmatch(name)
        if match is not None:
            title_parts = match.group("before", "before_short", "after", "after_short")
            half = match["half"] or match["half_short"] or match["half_first"]
            title = "".join(part or "" for part in title_parts).strip("_") or "data"
            # Written in capitals or not ("train_X", "testx"), it is the same thing.
            whole.setdefault(title.lower(), title)
            halves.setdefault(title.lower(), {})[half.lower() in _TRAINING] = name
    return {
        whole[key]: (parts[True], parts[False])
        for key, parts in halves.items()
        if len(parts) == 2 and whole[key] not in arrays
    }


def _is_matrix(value: Any) -> bool:
    return is_sparse(value) or (isinstance(value, np.ndarray) and value.ndim >= 2 and 1 not in value.shape)


def _is_table(value: Any) -> bool:
    return _is_matrix(value) and len(value.shape) == 2


def _sizes(arrays: Mapping[str, Any], named: Pairs) -> tuple[int, int] | None:
    """Return how many samples the two parts have: as many as labels, else as the matrices have rows."""
    matrices = [
        (arrays[a], arrays[b]) for a, b in named.values() if _is_table(arrays[a]) and _is_table(arrays[b])
    ]
    lengths = [(_length(arrays[a]), _length(arrays[b])) for a, b in named.values()]
    for sizes in dict.fromkeys([*lengths, *((a.shape[0], b.shape[0]) for a, b in matrices)]):
        if 0 not in sizes and any(_axis(a, b, sizes) is not None for a, b in matrices):
            return sizes
    return None


def _length(value: Any) -> int:
    """Return how long a vector or a list of words is; of a matrix 0."""
    if isinstance(value, list):
        return len(value) if all(isinstance(item, str) for item in value) else 0
    return 0 if _is_matrix(value) or not isinstance(value, np.ndarray) else int(value.size)


def _stacked(a: Any, b: Any, sizes: tuple[int, int]) -> Any:
    """Return both parts as one, samples in rows; None if they have not so many samples, or do not fit."""
    if (_length(a), _length(b)) == sizes:
        if isinstance(a, list) or isinstance(b, list):
            return [*a, *b] if isinstance(a, list) and isinstance(b, list) else None
        return np.concatenate([a.ravel(), b.ravel()])
    if not (_is_table(a) and _is_table(b)):
        return None
    axis = _axis(a, b, sizes)
    if axis is None:
        return None
    ways = (a, b) if axis == 0 else (a.T, b.T)
    return sparse.vstack(ways) if is_sparse(a) or is_sparse(b) else np.concatenate(ways)


def _axis(a: Any, b: Any, sizes: tuple[int, int]) -> int | None:
    """Return the side of two matrices that has so many samples while the other is the same."""
    for axis in (0, 1):
        if (a.shape[axis], b.shape[axis]) == sizes and a.shape[1 - axis] == b.shape[1 - axis]:
            return axis
    return None
