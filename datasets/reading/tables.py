"""Tables (CSV, TSV, Parquet): numbers become features, one column the labels; or columns of text."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.reading.documents import read_documents
from datasets.reading.draft import Draft, Labels, as_matrix, distinct, plain, some
from datasets.reading.labels import encode
from datasets.reading.limits import RATIO_FROM_BYTES, Limits, UploadError, quiet

# Every column costs time of its own, however short.
MOST_COLUMNS = 20_000
MOST_HEADING = 1_000_000
_LABEL_NAME = re.compile(
    r"(labels?|class(es)?|targets?|categor(y|ies)|species|subject|person|digit|topic|group|gnd|y|type)", re.I
)
_INDEX_NAME = re.compile(r"(unnamed(: ?0)?|index|id|row|no\.?|nr\.?|__index_level_0__)", re.I)
# Text rather than a name of a class: several words on average.
_WORDS_OF_TEXT = 4


def read_delimited(
    data: bytes, limits: Limits, *, tabs: bool, label: object, views: object, options: Mapping[str, object]
) -> Draft:
    """Read CSV or TSV; the separator is found in the first line, and a first line of words is the heading."""
    text = _decoded(data)
    first = text[:MOST_HEADING].split("\n", 1)[0]
    separator = "\t" if tabs else max(",;\t", key=first.count)
    if separator not in first and " " in first.strip():
        # Columns set apart by blanks, as numerical programs write them.
        text = re.sub(r"[ \t]+", "\t", re.sub(r"^[ \t]+|[ \t]+$", "", text, flags=re.MULTILINE))
        first, separator = text[:MOST_HEADING].split("\n", 1)[0], "\t"
    columns = first.count(separator) + 1
    if columns > MOST_COLUMNS:
        raise UploadError(
            f"The table has {columns} columns; at most {MOST_COLUMNS} are accepted, so use .npz or .mat."
        )
    if text.count(separator) + text.count("\n") + 1 > limits.cells:
        raise UploadError(f"The table holds more than {limits.cells} cells, which is the limit.")
    table = _parsed(f"{text}\n".encode(), separator, _has_heading(first, separator))
    return _from_table(table, "a table", limits, label, views, options)


def read_parquet(
    data: bytes, limits: Limits, *, label: object, views: object, options: Mapping[str, object]
) -> Draft:
    """Read Parquet after its own account of rows, columns and bytes was held against the limits."""
    import pyarrow as pa

    try:
        table = _parquet_table(data, limits)
    except (pa.ArrowException, OSError) as error:
        raise UploadError(
            "The Parquet file is damaged or was not copied completely; write it again."
        ) from error
    if table.nbytes > max(RATIO_FROM_BYTES, limits.unpacked_bytes):
        raise UploadError("The table unpacks to more than the limit; upload less of it.")
    return _from_table(table, "a Parquet table", limits, label, views, options)


def _parquet_table(data: bytes, limits: Limits) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pa.BufferReader(data) as stream:
        file = pq.ParquetFile(stream, memory_map=False, pre_buffer=False)
        about = file.metadata
        if about.num_columns > MOST_COLUMNS:
            raise UploadError(
                f"The table has {about.num_columns} columns; at most {MOST_COLUMNS} are accepted."
            )
        limits.check_matrix("The table", about.num_rows, about.num_columns)
        unpacked = sum(about.row_group(group).total_byte_size for group in range(about.num_row_groups))
        limits.check_unpacked("The table", unpacked, len(data))
        fields = list(file.schema_arrow)
        if len(fields) != about.num_columns:
            raise UploadError("The table has columns of lists or records; numbers and text are accepted.")
        words = [
            each.name
            for each in fields
            if pa.types.is_string(each.type) or pa.types.is_large_string(each.type)
        ]
        # As a dictionary, a text that is repeated a million times is in memory once.
        return pq.ParquetFile(stream, read_dictionary=words, memory_map=False).read(use_threads=False)


def _decoded(data: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        try:
            return _lines(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    if b"\0" in data:
        raise UploadError("The table holds bytes that are not text; CSV, TSV and Parquet are accepted.")
    return _lines(data.decode("cp1252", "replace"))


def _lines(text: str) -> str:
    if "\0" in text:
        raise UploadError("The table holds bytes that are not text; CSV, TSV and Parquet are accepted.")
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\n")


def _has_heading(first: str, separator: str) -> bool:
    cells = [cell.strip().strip('"') for cell in first.split(separator)]
    # A heading has no numbers; one word among numbers is a label.
    return not any(_is_number(cell) for cell in cells)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _parsed(data: bytes, separator: str, heading: bool) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    try:
        return csv.read_csv(
            io.BytesIO(data),
            # One block, so that the type of a column is decided by all of it.
            csv.ReadOptions(
                use_threads=False, block_size=len(data) + 1, autogenerate_column_names=not heading
            ),
            csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            csv.ConvertOptions(
                strings_can_be_null=True, null_values=["", "NA", "NaN", "nan", "N/A", "null", "?"]
            ),
        )
    except pa.ArrowInvalid as error:
        said = re.search(r"Expected (\d+) columns, got (\d+)", str(error))
        place = re.search(r"Row #(\d+)", str(error))
        where = f" in row {place[1]}" if place else ""
        detail = f": {said[2]} cells where {said[1]} were expected{where}" if said else ""
        raise UploadError(
            f"The table cannot be read{detail}; rows of equally many cells, separated by commas, "
            "semicolons or tabs, are accepted."
        ) from error


def _from_table(
    table: Any, format: str, limits: Limits, label: object, views: object, options: Mapping[str, object]
) -> Draft:
    names = distinct(table.column_names, "unnamed")
    columns = dict(zip(names, (_values(column) for column in table.columns), strict=True))
    limits.check_matrix("The table", table.num_rows, len(columns))
    left_out = [f"{name} (neither numbers nor text)" for name, column in columns.items() if column is None]
    usable = {name: column for name, column in columns.items() if column is not None}
    name_of_labels, labels = _labels(usable, label)
    rest = {name: column for name, column in usable.items() if name != name_of_labels}
    numbers = {name: column for name, column in rest.items() if column.dtype.kind != "O"}
    texts = [name for name, column in rest.items() if column.dtype.kind == "O"]
    chosen = _chosen(views, tuple(rest))
    prose = [name for name in (chosen or texts) if name in texts and (chosen or _is_prose(rest[name]))]
    if prose and not set(chosen) & set(numbers):
        draft = read_documents({name: list(rest[name]) for name in prose}, labels, format, limits, options)
    else:
        draft = _numeric(numbers, labels, format, chosen, left_out)
    used = {*prose, *draft.views, name_of_labels, *(draft.feature_names or ())}
    draft.left_out += left_out + [
        f"{name} (text)" if name in texts else name
        for name in rest
        if name not in used and f"{name} (serial numbers)" not in left_out
    ]
    draft.label_choices = tuple(name for name, column in usable.items() if _may_be_labels(column))
    draft.view_choices = tuple(rest)
    return draft


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


def _labels(columns: dict[str, npt.NDArray[Any]], label: object) -> tuple[str | None, Labels | None]:
    if label is False:
        return None, None
    if label is not None:
        wanted = _by_name_or_number(label, tuple(columns))
        labels = encode(columns[wanted], f"in column {wanted}")
        if labels is None:
            raise UploadError(f"Column {wanted} cannot be labels; whole numbers or words are accepted.")
        return wanted, labels
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
    wanted = [views] if isinstance(views, str) else views
    if not isinstance(wanted, list | tuple) or not wanted or not set(wanted) <= set(names):
        raise UploadError(f"views must name columns of the table ({some(names, 10)}), not {views!r}.")
    return [str(name) for name in wanted]


def _may_be_labels(column: npt.NDArray[Any]) -> bool:
    """Say whether a column has few enough different values to be classes."""
    if column.dtype.kind == "O":
        return not _is_prose(column) and len(set(column) - {""}) <= max(2, len(column) // 2)
    known = column[~np.isnan(column)]
    return bool(
        known.size and (known == np.round(known)).all() and np.unique(known).size <= max(2, len(column) // 2)
    )


def _is_prose(column: npt.NDArray[Any]) -> bool:
    sample = [text for text in column[:1000] if text]
    return bool(sample) and sum(len(text.split()) for text in sample) >= _WORDS_OF_TEXT * len(sample)


def _numeric(
    numbers: dict[str, npt.NDArray[Any]],
    labels: Labels | None,
    format: str,
    chosen: list[str],
    left_out: list[str],
) -> Draft:
    features = {name: column for name, column in numbers.items() if not chosen or name in chosen}
    for name, column in list(features.items()):
        counting = np.array_equal(column, np.arange(len(column)) + column[0]) if column.size else False
        if not chosen and counting and _INDEX_NAME.fullmatch(name):
            del features[name]
            left_out.append(f"{name} (serial numbers)")
        elif np.isnan(column).all():
            del features[name]
            left_out.append(f"{name} (empty)")
    if not features:
        raise UploadError(
            "The table has no column of numbers and no column of text to use; "
            "columns of numbers with one of labels, or a text and a label column, are accepted."
        )
    for name, column in features.items():
        missing = ~np.isfinite(column)
        if missing.any():
            raise UploadError(
                f"Column {name} has no number in {int(missing.sum())} rows, the first in row "
                f"{int(np.flatnonzero(missing)[0]) + 1} of the data; fill them in or leave those rows out "
                "(only labels may be missing)."
            )
    X = as_matrix("The table", np.column_stack(list(features.values())))
    return Draft(format, "table", {"features": X}, labels=labels, feature_names=tuple(features))
