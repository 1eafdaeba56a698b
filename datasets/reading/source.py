"""Takes what the user gave (path, file object, bytes, several of them) as named bytes, within the limits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from datasets.reading.limits import Limits, UploadError, megabytes

Given: TypeAlias = str | os.PathLike[str] | BinaryIO | bytes
ACCEPTED = (
    "Accepted are zip and tar archives of pictures or .txt files, pictures (PGM, PNG, JPEG, GIF, TIFF, "
    "WebP), .mat, .npz, .npy, .csv, .tsv, .parquet, .svm (LIBSVM) and .mtx (MatrixMarket)."
)


@dataclass(frozen=True)
class File:
    """A file in memory: its name as given, never used as a path, and its bytes."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The last part of the name in lower case, for example ``.csv``."""
        stem, dot, ending = self.name.rpartition(".")
        return f".{ending.lower()}" if dot and stem else ""


def files_of(given: Given | Sequence[Given], name: str | Sequence[str] | None, limits: Limits) -> list[File]:
    """Read everything that was given, and no more than the limits allow."""
    several = isinstance(given, list | tuple)
    sources: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
    names = list(name) if several and isinstance(name, list | tuple) else [name] * len(sources)
    if not sources:
        raise UploadError(f"No file was given. {ACCEPTED}")
    if len(names) != len(sources):
        raise UploadError(f"name lists {len(names)} names for {len(sources)} files; give one for each.")
    if len(sources) > limits.files:
        raise UploadError(f"{len(sources)} files were given; at most {limits.files} are accepted at once.")
    left = limits.file_bytes
    files = []
    for source, title in zip(sources, names, strict=True):
        file = _file(source, title if isinstance(title, str) else None, left, limits)
        left -= len(file.data)
        files.append(file)
    return files


def _file(source: Given, name: str | None, left: int, limits: Limits) -> File:
    if isinstance(source, bytes | bytearray | memoryview):
        title, data = name or "upload", bytes(source[: left + 1])
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        title, data = name or path.name, _from_path(path, left)
    elif hasattr(source, "read"):
        title = name or str(getattr(source, "name", "upload"))
        data = source.read(left + 1)
        if not isinstance(data, bytes):
            raise UploadError("The file was opened as text; open it with mode 'rb'.")
    else:
        raise UploadError(f"A path or an open file is accepted, not {type(source).__name__}.")
    if len(data) > left:
        raise UploadError(f"The upload is larger than {megabytes(limits.file_bytes)}, which is the limit.")
    if not data:
        raise UploadError(f"The file is empty. {ACCEPTED}")
    return File(title.replace("\\", "/").rpartition("/")[2], data)


def _from_path(path: Path, left: int) -> bytes:
    try:
        if path.is_dir():
            raise UploadError(f"{path} is a folder; pack it as zip or tar, or give a list of its files.")
        if not path.is_file():
            raise UploadError(f"There is no file {path}.")
        with path.open("rb") as file:
            return file.read(left + 1)
    except OSError as error:
        raise UploadError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a null byte in the path
        raise error if isinstance(error, UploadError) else UploadError("The path is not valid.") from error
