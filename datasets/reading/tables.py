"""Tables: numbers become features, one column the labels; or columns of text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.reading.documents import read_documents
from datasets.reading.draft import Draft, LabelColumn, as_matrix, distinct, plain, some
from datasets.reading.labels import encode
from datasets.reading.limits import Limits, UploadError, quiet

_LABEL_NAME = re.compile(
    r"(labels?|class(es)?|targets?|categor(y|ies)|species|subject|person|digit|topic|group|gnd|y|type)", re.I
)
_INDEX_NAME = re.compile(r"(unnamed(: ?0)?|index|id|row|no\.?|nr\.?|__index_level_0__)", re.I)
_SPLIT_NAME = re.compile(r"(split|set|subset|partition|part|fold|usage)", re.I)
_SPLIT_WORDS = {
    **dict.fromkeys(("train", "training", "labelled", "labeled"), 0),
    **dict.fromkeys(("unlabelled", "unlabeled"), 1),
    **dict.fromkeys(("test", "testing", "held out", "held_out"), 2),
}
# Text rather than a name of a class: several words on average.
_WORDS_OF_TEXT = 4


class NoFeaturesError(UploadError):
    """The refusal of a table that has no column to use."""


def read_table(
    table: Any, format: str, limits: Limits, label: object, views: object, options: Mapping[str, object]
) -> Draft:
    """Choose labels, and features or documents, among the columns of an Arrow table."""
    names = distinct(table.column_names, "unnamed")
    columns = dict(zip(names, (_values(column) for column in table.columns), strict=True))
    limits.check_matrix("The table", table.num_rows, len(columns))
    unused = {name: "neither numbers nor text" for name, column in columns.items() if column is None}
    usable = {name: column for name, column in columns.items() if column is not None}
    name_of_split, given = _given(usable, label)
    usable.pop(name_of_split, None)
    name_of_labels, labels = _labels(usable, label)
    rest = {name: column for name, column in usable.items() if name != name_of_labels}
    texts = [name for name, column in rest.items() if column.dtype.kind == "O"]
    chosen = _chosen(views, tuple(rest))
    prose = [name for name in (chosen or texts) if name in texts and (chosen or _is_prose(rest[name]))]
    if prose and len(prose) == len(chosen or prose):
        unused |= {name: "not a text" for name in rest if name not in prose}
        draft = read_documents({name: list(rest[name]) for name in prose}, labels, format, limits, options)
    else:
        unused |= dict.fromkeys(texts, "text")
        numbers = {name: column for name, column in rest.items() if name not in texts}
        draft = _numeric(numbers, labels, format, chosen, unused)
    draft.left_out += [f"{name} ({reason})" for name, reason in unused.items()]
    draft.label_choices = tuple(name for name, column in usable.items() if _may_be_labels(column))
    turning = () if draft.kind == "documents" else ("transpose",)
    draft.view_choices, draft.corrections = tuple(rest), ("label", "views", *turning)
    draft.given = given
    return draft


def as_numbers(table: Any) -> npt.NDArray[Any]:
    """Return an Arrow table as a matrix; one of no columns if not all of it is numbers."""
    columns = [_values(column) for column in table.columns]
    numbers = [column for column in columns if column is not None and column.dtype.kind == "f"]
    return np.column_stack(numbers) if len(numbers) == len(columns) else np.empty((0, 0))


def _given(columns: dict[str, npt.NDArray[Any]], label: object) -> tuple[str, npt.NDArray[np.int8] | None]:
    """Return the column that says which rows are for training, labelled, or for testing, if there is one."""
    for name, column in columns.items():
        if column.dtype.kind != "O" or not _SPLIT_NAME.fullmatch(name) or name == label:
            continue
        codes = [_SPLIT_WORDS.get(word.strip().lower(), -1) for word in column]
        if min(codes) >= 0 and len(set(codes)) > 1:
            return name, np.array(codes, dtype=np.int8)
    return "", None


def _values(column: Any) -> npt.NDArray[Any] | None:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        with quiet():
            plain_column = column.cast(pa.float64(), safe=False)
            return np.asarray(plain_column.to_numpy(), dtype=np.float64)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _words(column)
    if pa.types.is_null(kind):
        return np.full(len(column), np.nan)
    return None


def _words(column: Any) -> npt.NDArray[Any]:
    parts = []
    for chunk in column.chunks:
        coded = chunk if hasattr(chunk, "dictionary") else chunk.dictionary_encode()
        # One string object for each different text, however often it occurs; "" where there is none.
        different = np.array([*(text or "" for text in coded.dictionary.to_pylist()), ""], dtype=object)
        parts.append(different[coded.indices.fill_null(len(different) - 1).to_numpy(zero_copy_only=False)])
    return np.concatenate(parts) if parts else np.empty(0, dtype=object)


def _labels(columns: dict[str, npt.NDArray[Any]], label: object) -> tuple[str | None, LabelColumn | None]:
    if label is False:
        return None, None
    if label is not None:
        name_of_labels = _by_name_or_number(label, tuple(columns))
        labels = encode(columns[name_of_labels], f"in column {name_of_labels}")
        if labels is None:
            raise UploadError(
                f"Column {name_of_labels} cannot be labels; whole numbers or words are accepted."
            )
        return name_of_labels, labels
    candidates = [name for name, column in columns.items() if _may_be_labels(column)]
    named = [name for name in candidates if _LABEL_NAME.fullmatch(name)]
    words = [name for name in candidates if columns[name].dtype.kind == "O"]
    for name in named + words[-1:] + _codes_at_an_end(columns, candidates):
        labels = encode(columns[name], f"in column {name}")
        if labels is not None:
            return name, labels
    return None, None


def _codes_at_an_end(columns: dict[str, npt.NDArray[Any]], candidates: list[str]) -> list[str]:
    """Return the last or first column if it alone holds whole numbers among measurements."""
    whole = [
        name
        for name, column in columns.items()
        if column.dtype.kind == "O" or (np.isnan(column) | (column == np.round(column))).all()
    ]
    ends = [name for name in (list(columns)[-1], next(iter(columns))) if name in candidates]
    return ends[:1] if len(columns) > 2 and len(whole) == 1 and whole == ends[:1] else []


def _by_name_or_number(label: object, names: tuple[str, ...]) -> str:
    if isinstance(label, int) and not isinstance(label, bool) and -len(names) <= label < len(names):
        return names[label]
    if isinstance(label, str) and plain(label) in names:
        return plain(label)
    raise UploadError(f"label={label!r} is not a column; the columns are {some(names, 10)}.")


def _chosen(views: object, names: tuple[str, ...]) -> list[str]:
    if views is None:
        return []
    chosen = [views] if isinstance(views, str) else views
    if not isinstance(chosen, list | tuple) or not chosen or not set(chosen) <= set(names):
        raise UploadError(f"views must name columns of the table ({some(names, 10)}), not {views!r}.")
    return [str(name) for name in chosen]


def _may_be_labels(column: npt.NDArray[Any]) -> bool:
    """Say whether a column has few enough different values to be classes."""
    if column.dtype.kind == "O":
        return not _is_prose(column) and len(set(column) - {""}) <= max(2, len(column) // 2)
    values = column[~np.isnan(column)]
    return bool(
        values.size
        and (values == np.round(values)).all()
        and np.unique(values).size <= max(2, len(column) // 2)
    )


def _is_prose(column: npt.NDArray[Any]) -> bool:
    sample = [text for text in column[:1000] if text]
    return bool(sample) and sum(len(text.split()) for text in sample) >= _WORDS_OF_TEXT * len(sample)


def _numeric(
    numbers: dict[str, npt.NDArray[Any]],
    labels: LabelColumn | None,
    format: str,
    chosen: list[str],
    unused: dict[str, str],
) -> Draft:
    features = {name: column for name, column in numbers.items() if not chosen or name in chosen}
    unused |= {name: "not chosen" for name in numbers if name not in features}
    for name, column in list(features.items()):
        counting = np.array_equal(column, np.arange(len(column)) + column[0]) if column.size else False
        if not chosen and counting and _INDEX_NAME.fullmatch(name):
            del features[name]
            unused[name] = "serial numbers"
        elif np.isnan(column).all():
            del features[name]
            unused[name] = "empty"
    if not features:
        raise NoFeaturesError(
            "The table has no column of numbers and no column of text to use; "
            "columns of numbers with one of labels, or a text and a label column, are accepted."
        )
    for name, column in features.items():
        missing = np.flatnonzero(~np.isfinite(column))
        if missing.size:
            raise UploadError(
                f"Column {name} has no number in {_which(missing)} (only labels may be missing)."
            )
    X = as_matrix("The table", np.column_stack(list(features.values())))
    return Draft(format, "table", {"features": X}, labels=labels, feature_names=tuple(features))


def _which(missing: npt.NDArray[Any]) -> str:
    """Say how many rows lack a number, where, and what to do about it."""
    first = f"row {int(missing[0]) + 1} of the data"
    if missing.size == 1:
        return f"1 row, {first}; fill it in or leave that row out"
    return f"{missing.size} rows, the first in {first}; fill them in or leave those rows out"
