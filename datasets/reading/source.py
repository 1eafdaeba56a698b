"""Takes what the user gave (path, file object, bytes, several of them) as named files, within the limits."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from datasets.reading.limits import Limits, UploadError, megabytes

FileSource: TypeAlias = str | os.PathLike[str] | BinaryIO | bytes
ACCEPTED = (
    "Accepted are zip and tar archives of pictures or .txt files, pictures (PGM, PNG, JPEG, GIF, TIFF, "
    "WebP, BMP), .mat, .npz, .npy, .csv, .tsv, .parquet, .svm (LIBSVM) and .mtx (MatrixMarket)."
)
# Endings of what is compressed, an archive or a file alone.
PACKED = (".gz", ".bz2", ".xz")
_PIECE = 4_000_000


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

    @property
    def ending(self) -> str:
        """All of the name that says how the file is read: of `a.csv.gz`, which is packed alone, ``.csv.gz``.

        >>> File("my.faces.mat", b"").ending, File("a.csv.gz", b"").ending, File("a.tar.gz", b"").ending
        ('.mat', '.csv.gz', '.gz')
        """
        inner = File(self.name[: -len(self.suffix)], b"").suffix if self.suffix in PACKED else ""
        return self.suffix if inner == ".tar" else inner + self.suffix

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Received:
    """A file that was handed over, where the process that opens it finds it."""

    name: str
    path: Path
    size: int


def received(
    path_or_file: FileSource | Sequence[FileSource],
    name: str | Sequence[str] | None,
    limits: Limits,
    folder: Path,
    accepted: str = ACCEPTED,
) -> list[Received]:
    """Copy the uploads into a folder, within the limits; a file that has a path is not copied.

    `accepted` is the sentence about accepted files that refusals of empty uploads end with.
    """
    several = isinstance(path_or_file, list | tuple)
    sources: list[Any] = list(path_or_file) if isinstance(path_or_file, list | tuple) else [path_or_file]
    names = list(name) if several and isinstance(name, list | tuple) else [name] * len(sources)
    if not sources:
        raise UploadError(f"No file was given. {accepted}")
    if len(names) != len(sources):
        raise UploadError(f"name lists {len(names)} names for {len(sources)} files; give one for each.")
    if len(sources) > limits.files:
        raise UploadError(f"{len(sources)} files were given; at most {limits.files} are accepted at once.")
    left = limits.file_bytes
    files = []
    for number, (source, title) in enumerate(zip(sources, names, strict=True)):
        file = _received(source, title if isinstance(title, str) else None, left, folder / f"file{number}")
        left -= file.size
        if left < 0:
            raise UploadError(
                f"The upload is larger than {megabytes(limits.file_bytes)}, which is the limit."
            )
        if not file.size:
            raise UploadError(f"The file is empty. {accepted}")
        files.append(file)
    return files


def _received(source: FileSource, name: str | None, left: int, place: Path) -> Received:
    if isinstance(source, bytes | bytearray | memoryview):
        title, path = name or "upload", place
        size = _copied(io.BytesIO(source), left, place)
    elif isinstance(source, str | os.PathLike):
        path = Path(source)
        title, size = name or path.name, _size_of(path)
    elif hasattr(source, "read"):
        title, path = name or str(getattr(source, "name", "upload")), place
        size = _copied(source, left, place)
    else:
        raise UploadError(f"A path or an open file is accepted, not {type(source).__name__}.")
    return Received(title.replace("\\", "/").rpartition("/")[2], path.absolute(), size)


def _copied(source: BinaryIO, left: int, place: Path) -> int:
    """Write a file piece by piece, so that it is never in this process as a whole; return its size."""
    size = 0
    try:
        with place.open("xb") as file:
            while size <= left and (piece := source.read(min(_PIECE, left + 1 - size))):
                if not isinstance(piece, bytes):
                    raise UploadError("The file was opened as text; open it with mode 'rb'.")
                size += file.write(piece)
    except OSError as error:
        raise UploadError(f"The upload cannot be kept on this server: {error.strerror}.") from error
    return size


def _size_of(path: Path) -> int:
    try:
        if path.is_dir():
            raise UploadError(f"{path} is a folder; pack it as zip or tar, or give a list of its files.")
        if not path.is_file():
            raise UploadError(f"There is no file {path}.")
        with path.open("rb"):
            return path.stat().st_size
    except OSError as error:
        raise UploadError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a null byte in the path
        raise error if isinstance(error, UploadError) else UploadError("The path is not valid.") from error
