"""CSV, TSV and Parquet to tables of Arrow, held against the limits before they are decoded."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np

from datasets.reading.limits import Limits, UploadError

# Every column costs time of its own, however short.
MOST_COLUMNS = 20_000
# The first lines are looked at for separator and heading; no heading is longer.
MOST_HEADING = 1_000_000
# Words in the longest name of a column; a sentence is content.
_LONGEST_HEADING = 8
_NO_VALUE = ["", "NA", "NaN", "nan", "N/A", "null", "?"]


def parse_delimited(data: bytes, limits: Limits, *, tabs: bool = False, transpose: bool = False) -> Any:
    """Read CSV or TSV; the separator is found in the first line, and a first line of words is the heading.

    With `transpose` the columns of the file are the rows, its first column the heading.
    """
    text = _decoded(data)
    first = text[:MOST_HEADING].split("\n", 1)[0]
    separator = "\t" if tabs else max(",;\t", key=first.count)
    if separator not in first and " " in first.strip():
        # Columns set apart by blanks, as numerical programs write them.
        text = _tabbed(text)
        first, separator = text[:MOST_HEADING].split("\n", 1)[0], "\t"
    if transpose:
        text = _turned(text, separator)
        first = text[:MOST_HEADING].split("\n", 1)[0]
    second = text[len(first) + 1 : len(first) + 1 + MOST_HEADING].split("\n", 1)[0]
    columns = first.count(separator) + 1
    if columns > MOST_COLUMNS:
        raise UploadError(
            f"The table has {columns} columns; at most {MOST_COLUMNS} are accepted, so use .npz or .mat."
        )
    if text.count(separator) + text.count("\n") + 1 > limits.cells:
        raise UploadError(f"The table holds more than {limits.cells} cells, which is the limit.")
    return _parsed(f"{text}\n".encode(), separator, _has_heading(first, second, separator))


def parse_parquet(data: bytes, limits: Limits, *, transpose: bool = False) -> Any:
    """Read Parquet after its own account of rows, columns and bytes was held against the limits."""
    import pyarrow as pa

    try:
        table = _parquet_table(data, limits)
        if transpose:
            return parse_delimited(_written(table), limits, transpose=True)
    except (pa.ArrowException, OSError) as error:
        raise UploadError(
            "The Parquet file is damaged or was not copied completely; write it again."
        ) from error
    limits.check_unpacked("The table", table.nbytes, len(data))
    return table


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


def _written(table: Any) -> bytes:
    from pyarrow.csv import write_csv

    # An index comes last in the file, and was the first column.
    names = sorted(table.column_names, key=lambda name: not name.startswith("__index_level_"))
    out = io.BytesIO()
    write_csv(table.select(names), out)
    return out.getvalue()


def _turned(text: str, separator: str) -> str:
    """Return a table with its columns as rows.

    >>> _turned("gene,a,b\\nTP53,1,2\\n", ",")
    'gene,TP53\\na,1\\nb,2\\n'
    """
    if text.count("\n") > MOST_COLUMNS:
        raise UploadError(
            f"The table has more than {MOST_COLUMNS} rows: turned, it would have as many columns."
        )
    try:
        lines = [line for line in csv.reader(io.StringIO(text), delimiter=separator) if line]
        cells = zip(*lines, strict=True)
        out = io.StringIO()
        csv.writer(out, delimiter=separator, lineterminator="\n").writerows(cells)
    except (csv.Error, ValueError) as error:
        raise UploadError("The table cannot be turned; rows of equally many cells are accepted.") from error
    return out.getvalue()


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


def _tabbed(text: str) -> str:
    """Return lines with one tab for each run of blanks, and none at either end.

    A regular expression that looks for blanks before the end of a line takes time by the square of their
    number, and holds the interpreter meanwhile.

    >>> _tabbed("  1 2\\n3 \\t 4  ")
    '1\\t2\\n3\\t4'
    """
    letters = np.frombuffer(f"\n{text}\n".encode(), dtype=np.uint8)
    blank = (letters == ord(" ")) | (letters == ord("\t"))
    single = ~blank
    single[1:] |= ~blank[:-1]
    letters = letters[single].copy()
    letters[blank[single]] = ord("\t")
    inside = letters != ord("\t")
    line_end = letters == ord("\n")
    inside[1:-1] |= ~(line_end[:-2] | line_end[2:])
    return str(letters[inside].tobytes(), "utf-8")[1:-1]


def _has_heading(first: str, second: str, separator: str) -> bool:
    """Say whether the first line names the columns, going by what the second line has in its place."""
    cells, below = ([cell.strip().strip('"') for cell in line.split(separator)] for line in (first, second))
    numbers = [cell for cell in cells if _is_number(cell)]
    if not numbers:
        # Names are short; a sentence in the first line is a document already.
        return max(len(cell.split()) for cell in cells) <= _LONGEST_HEADING
    if not second:
        return False
    counted = [str(start + i) for start in (0, 1) for i in range(len(numbers))]
    if numbers in (counted[: len(numbers)], counted[len(numbers) :]) and len(numbers) > 1:
        return numbers != [cell for cell in below if _is_number(cell)]
    # One word among numbers is a label, unless there are numbers below it too.
    words = [not _is_number(cell) and cell not in _NO_VALUE for cell in cells]
    return any(word and _is_number(under) for word, under in zip(words, below, strict=False))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _parsed(data: bytes, separator: str, heading: bool) -> Any:
    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    try:
        return read_csv(
            io.BytesIO(data),
            # One block, so that the type of a column is decided by all of it.
            ReadOptions(use_threads=False, block_size=len(data) + 1, autogenerate_column_names=not heading),
            ParseOptions(delimiter=separator, newlines_in_values=True),
            ConvertOptions(strings_can_be_null=True, null_values=_NO_VALUE),
        )
    except pa.ArrowInvalid as error:
        counts = re.search(r"Expected (\d+) columns, got (\d+)", str(error))
        place = re.search(r"Row #(\d+)", str(error))
        where = f" in row {place[1]}" if place else ""
        detail = f": {counts[2]} cells where {counts[1]} were expected{where}" if counts else ""
        raise UploadError(
            f"The table cannot be read{detail}; rows of equally many cells, separated by commas, "
            "semicolons or tabs, are accepted."
        ) from error
