"""Matrices, labels and lists of words, a text file each in one archive: `X_train.txt`, `y_train.txt` …"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

from datasets.reading.arrow_tables import parse_delimited
from datasets.reading.draft import plain
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File
from datasets.reading.tables import as_numbers
from datasets.reading.triplets import sizes_in_one_line

_TABLES = {".csv", ".tsv", ".tab"}
_SUFFIXES = {*_TABLES, ".txt", ".dat", ".data", ".label", ".labels", ".words", ".terms", ".classes"}
# The beginning tells numbers and lists of words from prose.
_LINES, _LETTERS = 5, 200_000


def number_files(files: Sequence[File]) -> list[File]:
    """Return the files of numbers or of a word a line, if they are most and one has several numbers a line.

    >>> held = ("X.txt", b"1 2\\n3 4"), ("y.txt", b"0\\n1"), ("README.txt", b"What this is.")
    >>> [file.name for file in number_files([File(*one) for one in held])]
    ['X.txt', 'y.txt']
    """
    candidates = [file for file in files if file.suffix in _SUFFIXES]
    widths = {file.name: _width(file) for file in candidates}
    parts = [file for file in candidates if widths[file.name]]
    matrix = any(widths[file.name] > 1 for file in parts)
    return parts if matrix and len(parts) > 1 and 2 * len(parts) >= len(candidates) else []


def read_number_files(files: Sequence[File], limits: Limits) -> tuple[dict[str, Any], list[str]]:
    """Return what the files hold by their names, and those that cannot be read."""
    arrays, left_out = dict[str, Any](), list[str]()
    for name, file in zip(_names(files), files, strict=True):
        try:
            arrays[name] = _content(file, limits)
        except UploadError as refusal:
            left_out.append(f"{plain(file.name)} ({str(refusal).rstrip('.')})")
    return arrays, left_out


def _beginning(file: File) -> list[bytes]:
    """Return the first lines with something in them, but for the heading of a table."""
    lines = [line.strip() for line in file.data[:_LETTERS].removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    lines = [line for line in lines if line][:_LINES]
    return lines[1:] if file.suffix in _TABLES and len(lines) > 1 else lines


def _width(file: File) -> int:
    """Return how many numbers (or words, if one) stand in a line; 0 for anything else."""
    lines = _beginning(file)
    if _are_numbers(lines):
        return max(len(_cells(line)) for line in lines)
    return int(bool(lines) and all(len(_cells(line)) == 1 for line in lines))


def _cells(line: bytes) -> list[bytes]:
    return line.replace(b",", b" ").replace(b";", b" ").split()


def _are_numbers(lines: Sequence[bytes]) -> bool:
    try:
        return bool([float(cell) for line in lines for cell in _cells(line)])
    except ValueError:
        return False


def _content(file: File, limits: Limits) -> Any:
    """Return a matrix, a vector, or a list of words."""
    if not _are_numbers(_beginning(file)):
        text = file.data.decode("utf-8-sig", "replace")
        limits.check_matrix("It", text.count("\n") + 1, 1)
        words = [line.strip() for line in text.splitlines() if line.strip()]
        return words[1:] if file.suffix in _TABLES else words
    text_of_numbers = sizes_in_one_line(file.data)
    numbers = as_numbers(parse_delimited(text_of_numbers, limits, tabs=file.suffix in (".tsv", ".tab")))
    if not numbers.size:
        raise UploadError("not all of it is numbers")
    return numbers.ravel() if numbers.shape[1] == 1 else numbers


def _names(files: Sequence[File]) -> list[str]:
    """Return the names of files without ending or folder, as far as that tells them apart.

    >>> _names([File("a/train.data", b""), File("a/train.label", b"")])
    ['train_data', 'train_label']
    """
    paths = [PurePosixPath(file.name.replace("\\", "/")) for file in files]
    schemes = (
        [path.stem for path in paths],
        [path.name.replace(".", "_") for path in paths],
        ["_".join(path.parts[-2:]).replace(".", "_") for path in paths],
    )
    first = next((names for names in schemes if len(set(names)) == len(names)), None)
    return first or [f"{name} {number}" for number, name in enumerate(schemes[0], start=1)]
