"""Three columns that list the entries of a sparse matrix: row, column and value, as many programs write them.

Three columns of numbers may as well be three features of a sample. What is sure is read as a matrix; what
only looks like one is read so, too, and said to be a guess; what hardly looks like one is said to be
possible. The correction `triplets` is the word of whoever knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.reading.draft import Draft, as_matrix, some
from datasets.reading.limits import Limits, UploadError

Sureness = Literal["sure", "likely", "possible"]
_FEWEST = 50
# Of a table that lists every cell of a grid nobody can say; entries of a sparse matrix are few of its cells.
_MOST_FILLED = 0.5
# And a row has several of them, while a table has one line a sample.
_FEWEST_A_ROW = 2
# Of the rows and columns they span some are used at least, and nearly all rows where it is likely.
_FEWEST_USED, _MOST_USED = 0.05, 0.9
_LARGEST = 2**31
_HEADINGS = tuple(
    re.compile(words, re.I)
    for words in (
        r"(rows?|i|docs?|doc_?id(x)?|documents?|samples?|row_?(id|idx|index))",
        r"(col(umn)?s?|j|words?|word_?id(x)?|terms?|term_?id(x)?|features?|col(umn)?_?(id|idx|index))",
        r"(val(ue)?s?|v|x|counts?|data|weights?|freq(uency)?|tf|entry|n)",
    )
)
# Three lines before the entries, as the UCI repository writes bags of words: documents, words, entries.
_SIZES = re.compile(
    rb"\s*(\d+)[ \t\r]*\n[ \t]*(\d+)[ \t\r]*\n[ \t]*(\d+)[ \t\r]*\n(?=[ \t]*\d+[ \t]+\d+[ \t]+\d)"
)


@dataclass(frozen=True)
class Entries:
    """The matrix that three columns may list, and how sure that is."""

    matrix: sparse.csr_array[Any]
    sureness: Sureness

    @property
    def size(self) -> str:
        """Rows × columns, in words."""
        return f"{self.matrix.shape[0]} × {self.matrix.shape[1]}"


def entries_in(
    values: Any,
    limits: Limits,
    *,
    names: Sequence[str] = (),
    labels: Collection[int] = (),
    triplets: bool | None = None,
) -> Entries | None:
    """Return the matrix that rows of (row, column, value) may list; None if they are something else.

    Rows and columns count from 0 or 1. `names` head the columns, `labels` holds how many labels there are,
    and `triplets` is the answer of whoever knows; an UploadError says why that cannot be.

    >>> table = np.column_stack([np.repeat(np.arange(30), 4), np.tile([0, 3, 6, 9], 30), np.ones(120)])
    >>> found = entries_in(table, Limits())
    >>> found.sureness, found.size
    ('likely', '30 × 10')
    """
    if triplets is False or not isinstance(values, np.ndarray):
        return None
    if problem := _problem(values):
        if triplets:
            raise UploadError(f"triplets=True is for three columns of row, column and value; {problem}.")
        return None
    sizes, values = _without_sizes(values)
    places = values[:, :2].astype(np.int64)
    places -= min(1, int(places.min()))
    used = sizes or (int(places[:, 0].max()) + 1, int(places[:, 1].max()) + 1)
    headed = len(names) == 3 and all(
        pattern.fullmatch(name) for pattern, name in zip(_HEADINGS, names, strict=True)
    )
    sureness = "sure" if triplets or headed or sizes else _judged(places, used, labels)
    if sureness is None:
        return None
    limits.check_matrix("The matrix", *used, stored=2 * len(values))
    entries = sparse.coo_array((values[:, 2].astype(np.float64), places.T), shape=used)
    matrix: sparse.csr_array[Any] = sparse.csr_array(entries)
    # An entry of zero only says how large the matrix is.
    matrix.eliminate_zeros()
    return Entries(matrix, sureness)


def _judged(
    places: npt.NDArray[np.int64], shape: tuple[int, int], labels: Collection[int]
) -> Sureness | None:
    """Return how sure it is, by the numbers alone, that these are places in a matrix."""
    rows, columns = (len(np.unique(side)) for side in places.T)
    as_a_table = len(places) in labels or len(places) < _FEWEST_A_ROW * rows
    if len(places) < _FEWEST or as_a_table or min(rows / shape[0], columns / shape[1]) < _FEWEST_USED:
        return None
    if len(np.unique(places, axis=0)) < len(places):
        return None
    if shape[0] in labels:
        return "sure"
    in_order = any(
        np.array_equal(np.lexsort((places[:, 1 - first], places[:, first])), np.arange(len(places)))
        for first in (0, 1)
    )
    few = len(places) <= _MOST_FILLED * shape[0] * shape[1]
    return "likely" if few and in_order and rows >= _MOST_USED * shape[0] else "possible"


def remark(what: str, entries: Entries) -> str:
    """Return what is to be said of three columns, which `what` names."""
    if entries.sureness == "sure":
        return f"{what} lists rows, columns and values of a matrix of {entries.size}."
    if entries.sureness == "likely":
        return (
            f"{what} seems to list rows, columns and values of a matrix of {entries.size} and was read so "
            "(a guess: if these are three features, say that they are no triplets)."
        )
    return (
        f"{what} was read as three features (a guess: if these are rows, columns and values of a matrix of "
        f"{entries.size}, say that they are triplets)."
    )


def draft_of(entries: Entries, format: str, heading: Sequence[str], *, turned: bool) -> Draft:
    """Return the draft of a table that lists the entries of a matrix."""
    notes = [remark("The table", entries)]
    if all(name.isdecimal() for name in heading):
        notes.append(f"Its first line ({some(heading)}) was taken for a heading.")
    matrix = as_matrix("The matrix", entries.matrix.T if turned else entries.matrix)
    return Draft(format, "table", {"features": matrix}, notes=notes, corrections=("transpose", "triplets"))


def sizes_in_one_line(data: bytes) -> bytes:
    """Return text whose first three lines hold one number each with these in one line, as others write it.

    >>> sizes_in_one_line(b"2\\n3\\n4\\n1 1 5\\n")
    b'2 3 4\\n1 1 5\\n'
    """
    return _SIZES.sub(rb"\1 \2 \3\n", data, count=1) if _SIZES.match(data) else data


def _problem(values: npt.NDArray[Any]) -> str:
    """Return why no matrix can be listed so; nothing if one can."""
    if values.ndim != 2 or values.shape[1] != 3 or not len(values) or values.dtype.kind not in "uif":
        return "there are others here"
    if not np.isfinite(values).all():
        return "some of these are missing"
    places = values[:, :2]
    if (places != np.floor(places)).any() or places.min() < 0 or places.max() >= _LARGEST:
        return "rows and columns must be whole numbers from 0 or 1"
    return ""


def _without_sizes(values: npt.NDArray[Any]) -> tuple[tuple[int, int] | None, npt.NDArray[Any]]:
    """Return rows and columns as a first line (rows, columns, entries) says them, and the other lines."""
    rows, columns, count = values[0]
    rest = values[1:]
    if count != len(rest) or not len(rest) or rest[:, :2].min() < 1:
        return None, values
    fits = rest[:, 0].max() <= rows and rest[:, 1].max() <= columns
    return ((int(rows), int(columns)), rest) if fits else (None, values)
