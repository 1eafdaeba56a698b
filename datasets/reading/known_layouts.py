"""Layouts of arrays that people pass round: a matrix or a layer a class, sparse triplets, lists of names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from datasets.reading.draft import Draft, LabelColumn, distinct, is_sparse, plain

# `train0` … `train9`: a matrix a class. `X1` … `Xn` are views, and are none of these.
_OF_CLASS = re.compile(r"(?P<half>train|test|digit|class)_?(?P<number>\d{1,3})", re.I)
_FEATURES = re.compile(r"(feas|words?|terms?|vocab(ulary)?|feature_?names?|features?)", re.I)
_CLASSES = re.compile(
    r"(class_?meanings?|class_?names?|target_?names?|label_?names?|categories|classes)", re.I
)
_FEWEST_TRIPLETS = 50
_MOST_LAYERS, _MOST_LOOKED_AT = 100, 400


def in_order(arrays: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arrays with one matrix for all classes and sparse matrices for triplets, and what was done.

    >>> both, notes = in_order({"train0": np.zeros((3, 4)), "train1": np.ones((2, 4))})
    >>> both["train_X"].shape, both["train_y"].tolist(), notes
    ((5, 4), [0, 0, 0, 1, 1], ['2 matrices, one a class, were put together: 5 samples.'])
    """
    made, notes = _classes_together(_layers_apart(dict(arrays)))
    for name, value in list(made.items()):
        whole = _from_triplets(value, [_length(other) for key, other in made.items() if key != name])
        if whole is not None:
            made[name] = whole
            size = f"{whole.shape[0]} × {whole.shape[1]}"
            notes.append(f"{plain(name)} lists rows, columns and values of a matrix of {size}.")
    return made, notes


def without_names(arrays: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the arrays without lists that name "features" or "classes", and those lists."""
    rest, found = dict(arrays), dict[str, list[str]]()
    for name, value in arrays.items():
        for what, pattern in (("features", _FEATURES), ("classes", _CLASSES)):
            # What repeats itself names samples: these are their labels.
            once = _is_words(value) and len(set(value)) == len(value)
            if once and pattern.fullmatch(name) and what not in found:
                found[what] = list(value)
                del rest[name]
    return rest, found


def named(draft: Draft, names: Mapping[str, list[str]]) -> None:
    """Give features and classes their names, where there are as many; note where there are not."""
    features, classes = names.get("features"), names.get("classes")
    first = next(iter(draft.views.values()))
    if features and len(features) == first.shape[1]:
        draft.feature_names = distinct(features, "feature")
    elif features:
        draft.left_out.append(f"{len(features)} names of features (there are {first.shape[1]})")
    if classes and draft.labels is not None and _are_codes(draft.labels, len(classes)):
        every = distinct(classes, "class")
        start = min(int(name) for name in draft.labels.names)
        names_used = tuple(every[int(name) - min(start, 1)] for name in draft.labels.names)
        draft.labels = replace(draft.labels, names=names_used)
    elif classes:
        draft.left_out.append(f"{len(classes)} names of classes")


def _are_codes(labels: LabelColumn, count: int) -> bool:
    """Say whether classes are numbered from 0 or 1 in a way that so many names fit."""
    if not all(name.isdecimal() and len(name) < 6 for name in labels.names):
        return False
    numbers = [int(name) for name in labels.names]
    return min(numbers) in (0, 1) and max(numbers) - min(min(numbers), 1) < count


def _layers_apart(arrays: dict[str, Any]) -> dict[str, Any]:
    """Return a lonely array of features × samples × classes (S. Roweis's digits) as a matrix a class."""
    numbers = [value for value in arrays.values() if isinstance(value, np.ndarray) and value.ndim > 1]
    if len(arrays) != 1 or len(numbers) != 1 or not _is_layered(numbers[0]):
        return arrays
    return {f"class{at}": numbers[0][:, :, at].T for at in range(numbers[0].shape[2])}


def _is_layered(value: Any) -> bool:
    """Say whether the second side counts samples: in pictures columns are like their neighbours."""
    if value.ndim != 3 or value.dtype.kind not in "buif" or value.shape[2] > _MOST_LAYERS:
        return False
    features, samples, layers = value.shape
    if math.isqrt(features) ** 2 != features or not layers < features < samples:
        return False
    some = value[:, : min(samples, _MOST_LOOKED_AT), 0].astype(np.float64)
    near, far = (np.abs(some[:, by:] - some[:, :-by]).mean() for by in (1, some.shape[1] // 2))
    return bool(near > 0.8 * far > 0)


def _classes_together(arrays: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    groups: dict[str, dict[int, str]] = {}
    for name, value in arrays.items():
        match = _OF_CLASS.fullmatch(name)
        if match and isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "buif":
            groups.setdefault(match["half"].lower(), {})[int(match["number"])] = name
    notes = []
    for half, members in groups.items():
        matrices = [arrays[members[number]] for number in sorted(members)]
        side = next((axis for axis in (1, 0) if len({m.shape[axis] for m in matrices}) == 1), None)
        if len(matrices) < 2 or side is None:
            continue
        upright = [m if side == 1 else m.T for m in matrices]
        for name in members.values():
            del arrays[name]
        prefix = f"{half}_" if half in ("train", "test") else ""
        arrays[f"{prefix}X"] = np.concatenate(upright)
        arrays[f"{prefix}y"] = np.repeat(sorted(members), [len(m) for m in upright])
        count = sum(map(len, upright))
        notes.append(f"{len(matrices)} matrices, one a class, were put together: {count} samples.")
    return arrays, notes


def _from_triplets(value: Any, lengths: list[int]) -> sparse.csr_array[Any] | None:
    """Return the matrix that rows of (row, column, value) describe, if there are as many rows as labels."""
    if is_sparse(value) or not isinstance(value, np.ndarray) or value.ndim != 2 or value.shape[1] != 3:
        return None
    if value.dtype.kind not in "uif" or len(value) < _FEWEST_TRIPLETS or not np.isfinite(value).all():
        return None
    places = value[:, :2]
    if (places != np.floor(places)).any() or places.min() < 1 or places.max() >= 2**31:
        return None
    places = places.astype(np.int64) - 1
    rows, columns = int(places[:, 0].max()) + 1, int(places[:, 1].max()) + 1
    if rows not in lengths or len(np.unique(places, axis=0)) < len(places):
        return None
    return sparse.csr_array((value[:, 2].astype(np.float64), places.T), shape=(rows, columns))


def _length(value: Any) -> int:
    """Return how long a vector is; of anything else 0."""
    return (
        int(value.size) if isinstance(value, np.ndarray) and max(value.shape, default=0) == value.size else 0
    )


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)
