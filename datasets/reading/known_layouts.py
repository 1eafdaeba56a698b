"""Layouts of arrays that people pass round: a matrix a class, triplets of sparse matrices, lists of names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from datasets.reading.draft import Draft, LabelColumn, distinct, is_sparse, plain
from datasets.reading.halves import pairs
from datasets.reading.limits import Limits
from datasets.reading.triplets import entries_in, remark

# `train0` … `train9`: a matrix a class. `X1` … `Xn` are views, and are none of these.
_OF_CLASS = re.compile(r"(?P<half>train|test|digit|class)_?(?P<number>\d{1,3})", re.I)
_FEATURES = re.compile(r"(feas|words?|terms?|vocab(ulary)?|feature_?names?|features?)", re.I)
_CLASSES = re.compile(
    r"(class_?meanings?|class_?names?|target_?names?|label_?names?|categories|classes)", re.I
)
_MOST_LAYERS, _MOST_LOOKED_AT = 100, 400


def classes_together(arrays: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the arrays with one matrix for all classes, samples in rows, and what was done.

    >>> both, notes = classes_together({"train0": np.zeros((3, 4)), "train1": np.ones((2, 4))})
    >>> both["train_X"].shape, both["train_y"].tolist(), notes
    ((5, 4), [0, 0, 0, 1, 1], ['2 matrices, one a class, were put together: 5 samples.'])
    """
    made = _layers_apart(dict(arrays))
    groups: dict[str, dict[int, str]] = {}
    for name, value in made.items():
        match = _OF_CLASS.fullmatch(name)
        if match and isinstance(value, np.ndarray) and value.ndim == 2 and value.dtype.kind in "buif":
            groups.setdefault(match["half"].lower(), {})[int(match["number"])] = name
    notes = []
    for half, members in groups.items():
        matrices = [made[members[number]] for number in sorted(members)]
        side = next((axis for axis in (1, 0) if len({m.shape[axis] for m in matrices}) == 1), None)
        if len(matrices) < 2 or side is None:
            continue
        upright = [m if side == 1 else m.T for m in matrices]
        for name in members.values():
            del made[name]
        prefix = f"{half}_" if half in ("train", "test") else ""
        made[f"{prefix}X"] = np.concatenate(upright)
        made[f"{prefix}y"] = np.repeat(sorted(members), [len(m) for m in upright])
        count = sum(map(len, upright))
        notes.append(f"{len(matrices)} matrices, one a class, were put together: {count} samples.")
    return made, notes


def entries_together(
    arrays: Mapping[str, Any], limits: Limits, triplets: bool | None
) -> tuple[dict[str, Any], list[str], bool]:
    """Return the arrays with a matrix for each list of entries, what was done, and if there are lists."""
    made, notes, listed = dict(arrays), list[str](), set[str]()
    labels = {length_of(value) for value in arrays.values()} - {0}
    for name, value in arrays.items():
        cells = value if isinstance(value, list) else [value]
        per_cell = [
            entries_in(cell, limits, labels=labels, triplets=triplets if _is_three(cell) else None)
            for cell in cells
        ]
        listed |= {name} if any(per_cell) else set()
        notes += [remark(plain(name), entries) for entries in per_cell if entries]
        read = [
            entries.matrix if entries and entries.sureness != "possible" else cell
            for entries, cell in zip(per_cell, cells, strict=True)
        ]
        made[name] = read if isinstance(value, list) else read[0]
    for train, test in pairs(made).values():
        if {train, test} <= listed and is_sparse(made[train]) and is_sparse(made[test]):
            # The last words of a vocabulary may occur in one half alone.
            width = max(made[train].shape[1], made[test].shape[1])
            for name in (train, test):
                made[name].resize(made[name].shape[0], width)
    return made, notes, bool(listed)


def without_names(arrays: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the arrays without lists that name "features" or "classes", and those lists."""
    rest, names = dict(arrays), dict[str, list[str]]()
    for name, value in arrays.items():
        for what, pattern in (("features", _FEATURES), ("classes", _CLASSES)):
            # What repeats itself names samples: these are their labels.
            once = _is_words(value) and len(set(value)) == len(value)
            if once and pattern.fullmatch(name) and what not in names:
                names[what] = list(value)
                del rest[name]
    return rest, names


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


def length_of(value: Any) -> int:
    """Return how long a vector or a list of words is; of anything else 0."""
    if _is_words(value):
        return len(value)
    vector = isinstance(value, np.ndarray) and max(value.shape, default=0) == value.size
    return int(value.size) if vector else 0


def _is_three(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 2 and value.shape[1] == 3


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value)
