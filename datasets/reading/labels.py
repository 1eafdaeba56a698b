"""LabelColumn as people write them: row, column, one-hot, from 0 or 1, with gaps, as words, in part."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.reading.draft import LabelColumn, distinct, is_sparse, plain
from datasets.reading.limits import UploadError

# More classes than this are measurements or serial numbers, whatever the column is called.
MOST_CLASSES = 5_000
# LabelColumn are looked for in this many levels of folders.
DEEPEST_FOLDER = 10
# Names are told apart by their beginning; what is longer is no name.
_LONGEST_SORTED = 200
_UNKNOWN_WORDS = {"", "nan", "none", "null", "na", "n/a", "?", "unknown", "unlabelled", "unlabeled", "-1"}


def encode(values: Sequence[object] | npt.NDArray[Any], written: str = "") -> LabelColumn | None:
    """Return one label a sample as class codes, or None if these values are not labels.

    NaN, empty and -1 mean unknown. LabelColumn that are only ever -1 and 1 are two classes.

    Examples
    --------
    >>> encode([3, 1, -1, 7]).codes.tolist()
    [1, 0, -1, 2]
    >>> encode(["cat", "", "dog"]).names
    ('cat', 'dog')
    """
    array = np.asarray(values)
    if array.ndim != 1 or not array.size:
        return None
    if array.dtype.kind in "buif":
        return _from_numbers(array, written)
    return _from_words([_word(value) for value in values], written)


def _from_numbers(array: npt.NDArray[Any], written: str) -> LabelColumn | None:
    numbers = array.astype(np.float64)
    labelled = ~np.isnan(numbers)
    levels = np.unique(numbers[labelled])
    if not np.isfinite(levels).all() or (levels != np.round(levels)).any():
        return None
    if levels.tolist() != [-1.0, 1.0]:
        labelled &= numbers != -1
        levels = levels[levels != -1]
    if not levels.size or levels.size > MOST_CLASSES or np.abs(levels).max() >= 2**53:
        return None
    codes = np.full(len(numbers), -1, dtype=np.int64)
    codes[labelled] = np.searchsorted(levels, numbers[labelled])
    return LabelColumn(codes, tuple(str(int(level)) for level in levels), written)


def _from_words(words: list[str], written: str) -> LabelColumn | None:
    different = {word for word in set(words) if word.lower() not in _UNKNOWN_WORDS}
    if len(different) > MOST_CLASSES:
        return None
    levels = sorted(different, key=lambda word: (_natural(word), word))
    if not levels:
        return None
    code = {level: number for number, level in enumerate(levels)}
    codes = np.array([code.get(word, -1) for word in words], dtype=np.int64)
    return LabelColumn(codes, distinct(levels, "class"), written)


def _word(value: object) -> str:
    # pandas' NA compares with nothing, itself included, so it is known by its type.
    unknown = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    return "" if unknown else str(value).strip()


def _natural(word: str) -> tuple[tuple[int, int, str], ...]:
    # s2 before s10; a digit run is compared by length, then as text, so that its size costs nothing.
    runs = ["".join(run) for _, run in groupby(word[:_LONGEST_SORTED], str.isdecimal)]
    return tuple((0, len(r.lstrip("0")), r.lstrip("0")) if r[0].isdecimal() else (1, 0, r) for r in runs)


def folder_labels(names: Sequence[str]) -> LabelColumn | None:
    """Return the folders of files as labels: the innermost level that tells files apart.

    >>> folder_labels(["a/s1/x/1.png", "a/s2/x/1.png"]).names
    ('s1', 's2')
    """
    folders = [name.replace("\\", "/").split("/")[:-1] for name in names]
    for depth in range(1, min(max(map(len, folders), default=0), DEEPEST_FOLDER) + 1):
        level = [parts[-depth] if len(parts) >= depth else "" for parts in folders]
        if len(set(level)) > 1:
            return encode(level, "by folder")
    return None


def from_array(value: Any) -> LabelColumn | None:
    """Return labels from a vector, a row, a column, a one-hot matrix (either way round) or words."""
    if isinstance(value, list):
        return encode(value, "as words") if all(isinstance(item, str) for item in value) else None
    if is_sparse(value):
        return _one_hot(sparse.csr_array(value))
    array = np.asarray(value)
    if array.dtype.kind not in "buif" or array.ndim not in (1, 2):
        return None
    if array.ndim == 1:
        return encode(array, "as a vector")
    if 1 in array.shape:
        return encode(array.ravel(), "as a row" if array.shape[0] == 1 else "as a column")
    return _one_hot(sparse.csr_array(array)) if np.isin(array, (0, 1)).all() else None


def _one_hot(matrix: sparse.csr_array[Any]) -> LabelColumn | None:
    """Read a matrix of zeros and ones with at most one 1 a sample; all zeros mean unknown."""
    if 1 in matrix.shape:
        return encode(matrix.toarray().ravel(), "as a sparse vector") if max(matrix.shape) < 10**6 else None
    matrix = matrix.copy()
    matrix.eliminate_zeros()
    if not matrix.nnz or (matrix.data != 1).any():
        return None
    ways = [(matrix, "one column for each class"), (sparse.csr_array(matrix.T), "one row for each class")]
    for table, written in ways:
        each = np.diff(table.indptr)
        # A class that has one sample each could be read both ways; samples outnumber classes.
        if each.max() == 1 and table.shape[0] >= table.shape[1] and table.shape[1] <= MOST_CLASSES:
            codes = np.full(table.shape[0], -1, dtype=np.int64)
            codes[each == 1] = table.indices
            used, codes_used = np.unique(codes[codes >= 0], return_inverse=True)
            codes[codes >= 0] = codes_used
            return LabelColumn(codes, tuple(str(int(code) + 1) for code in used), written)
    return None


def of_samples(labels: LabelColumn) -> LabelColumn:
    """Leave out the classes that no sample has.

    >>> of_samples(LabelColumn(np.array([2, -1, 0]), ("a", "b", "c"))).codes.tolist()
    [1, -1, 0]
    """
    used = np.unique(labels.codes[labels.codes >= 0])
    codes = np.where(labels.codes < 0, -1, np.searchsorted(used, labels.codes))
    return LabelColumn(codes, tuple(labels.names[code] for code in used), labels.written)


def without(labels: LabelColumn, unknown: object) -> LabelColumn:
    """Treat one label as unknown too."""
    name = plain(unknown)
    if name not in labels.names:
        raise UploadError(
            f"unknown={unknown!r} is not one of the labels; these begin with {labels.names[:5]}."
        )
    gone = labels.names.index(name)
    codes = np.where(labels.codes == gone, -1, labels.codes - (labels.codes > gone))
    return LabelColumn(codes, labels.names[:gone] + labels.names[gone + 1 :], labels.written)
