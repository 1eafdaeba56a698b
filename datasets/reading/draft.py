"""What a format's reader found, before it is checked and becomes a data set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.dataset import FloatArray, Matrix
from datasets.reading.limits import UploadError
from datasets.schema import DatasetKind

LONGEST_NAME = 80
# Names are shown on pages that read Markdown, LaTeX and HTML: what none of these reads as a command stays.
_ADDRESS = re.compile(r"(?i)\b(www)\.")
_PLAIN = set(" .,-_+()/#:%'")


@dataclass(frozen=True)
class LabelColumn:
    """Class codes (-1 unknown), the names of the classes, and how they were written in the file."""

    codes: npt.NDArray[np.int64]
    names: tuple[str, ...]
    written: str = ""


@dataclass
class Draft:
    """Views and labels as a reader found them, with its remarks in whole sentences.

    `label_choices` and `view_choices` are what the corrections `label` and `views` may name;
    `corrections` are those the reader heeds. `stack_shape` is what a stack says of the pictures in it.
    """

    format: str
    kind: DatasetKind
    views: dict[str, Matrix]
    labels: LabelColumn | None = None
    image_shape: tuple[int, int] | None = None
    stack_shape: tuple[int, int] | None = None
    orientation: str = ""
    pixels: str = ""
    unsure: bool = False
    feature_names: tuple[str, ...] | None = None
    view_features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    languages: tuple[tuple[str, str], ...] = ()
    sample_names: tuple[str, ...] | None = None
    given: npt.NDArray[np.int8] | None = None
    notes: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    label_choices: tuple[str, ...] = ()
    view_choices: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()


def plain(name: object, fallback: str = "unnamed") -> str:
    """Return a name from a file as short, plain text: nothing in it is markup, a path or a control character.

    >>> plain("faces/../<b>Ann</b>")
    'b Ann b'
    >>> plain("www.example.org")  # which pages make a link of
    'www example.org'
    """
    text = str(name).replace("\\", "/").rstrip("/")
    last = [part for part in text.split("/") if part.strip(". ")]
    cleaned = "".join(c if c.isalnum() or c in _PLAIN else " " for c in (" ".join(last[-2:])))
    cleaned = _ADDRESS.sub(r"\1 ", cleaned)
    return " ".join(cleaned.split())[:LONGEST_NAME].strip() or fallback


def picked_views(names: object, there: Iterable[str]) -> list[str]:
    """Return the views that the correction `views` names; an UploadError says what is wrong with it."""
    picked = [names] if isinstance(names, str) else names
    if not isinstance(picked, list | tuple) or not picked:
        raise UploadError(f"views must be a list of names, not {names!r}.")
    have = list(there)
    if unknown := [str(name) for name in picked if name not in have]:
        raise UploadError(
            f"views names {some(unknown)}; this file has {some(map(plain, have), 20) or 'none'}."
        )
    return list(picked)


def distinct(names: Iterable[object], fallback: str = "unnamed") -> tuple[str, ...]:
    """Return names made `plain`, numbered where two became the same.

    >>> distinct(["a", "b", "a"])
    ('a', 'b', 'a (2)')
    """
    seen: dict[str, int] = {}
    made = []
    for name in names:
        short = plain(name, fallback)
        seen[short] = seen.get(short, 0) + 1
        made.append(short if seen[short] == 1 else f"{short} ({seen[short]})")
    return tuple(made)


def some(names: Iterable[str], most: int = 5) -> str:
    """List the first few names and say how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


def is_sparse(values: Any) -> bool:
    """Say whether this is one of SciPy's sparse matrices or arrays."""
    return bool(sparse.issparse(values))


def as_matrix(what: str, values: Any) -> Matrix:
    """Return a float32 or float64 array or CSR matrix of real, finite numbers; say where they are not."""
    if is_sparse(values):
        matrix: sparse.csr_array[Any] = sparse.csr_array(values)
        if not np.can_cast(matrix.dtype, np.float64, "same_kind"):
            raise UploadError(f"{what} holds {matrix.dtype} values; real numbers are accepted.")
        matrix = matrix.astype(_real(matrix.dtype))
        matrix.sum_duplicates()
        if not np.isfinite(matrix.data).all():
            bad = int(np.flatnonzero(~np.isfinite(matrix.data))[0])
            row = int(np.searchsorted(matrix.indptr, bad, side="right")) - 1
            _refuse_nan(what, row, int(matrix.indices[bad]), int((~np.isfinite(matrix.data)).sum()))
        return matrix
    array = np.asarray(values)
    if array.dtype.kind not in "buif":
        raise UploadError(f"{what} holds {array.dtype} values; real numbers are accepted.")
    array = np.ascontiguousarray(array, dtype=_real(array.dtype))
    finite = np.isfinite(array)
    if not finite.all():
        row, column = (int(i) for i in np.argwhere(~finite)[0])
        _refuse_nan(what, row, column, int((~finite).sum()))
    return cast(FloatArray, array)


def _real(dtype: np.dtype[Any]) -> type[np.float32 | np.float64]:
    # Counts and bytes need no double precision; wider integers and doubles keep theirs.
    return np.float32 if dtype.kind == "b" or dtype.itemsize <= 2 or dtype == np.float32 else np.float64


def _refuse_nan(what: str, row: int, column: int, count: int) -> None:
    places = "1 place" if count == 1 else f"{count} places"
    raise UploadError(
        f"{what} has NaN, infinite or missing values in {places}, the first in row {row + 1}, "
        f"column {column + 1}; fill them in or leave those rows out (only labels may be missing)."
    )
