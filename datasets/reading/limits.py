"""How much an upload may hold, checked before anything is decoded, and the one way an upload fails."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields

from datasets.environment import whole_number

# A small file that is very compressible is no danger: the ratio counts from this size on.
RATIO_FROM_BYTES = 16_000_000
# What each byte of a file may cost in the process that opens it: tables of one digit a cell take most.
_SECONDS_A_BYTE = 0.5e-6
_MEMORY_A_BYTE = 40
_MOST_MEMORY = 2_500_000_000
# A sparse matrix may have so many rows and columns together, and more for each number it holds: each of
# them costs memory in every method, even an empty one.
_SIDES, _SIDES_A_NUMBER = 200_000, 4
_PREFIX = "PARTWISE_UPLOAD_"


class UploadError(ValueError):
    """An upload cannot be used; the message is one sentence: what is wrong and what is accepted."""


@dataclass(frozen=True)
class Limits:
    """What an upload may hold at most; each can be set as the variable ``PARTWISE_UPLOAD_<NAME>``.

    Attributes
    ----------
    file_bytes : int
        Size of the upload itself, all its files together.
    files : int
        Files in an archive, or loose files.
    unpacked_bytes : int
        Size of everything in an archive (or a compressed matrix) once unpacked.
    ratio : int
        Unpacked size over packed size, from 16 MB unpacked on.
    pixels, all_pixels : int
        Pixels of one picture, and of all pictures together, as stored.
    cells : int
        Numbers in all matrices together; of a sparse matrix only the stored ones count.
    rows, columns : int
        Samples, and features of one view.
    kept_bytes : int
        All uploads together that a server keeps at one time.
    seconds, memory_bytes : int
        Processor time and memory that the process which opens a small file may take. Each megabyte
        of a larger file adds half a second and 40 MB, up to 2.5 GB.

    Examples
    --------
    >>> Limits(files=10).files
    10
    >>> Limits.from_environment({"PARTWISE_UPLOAD_PIXELS": "1000000"}).pixels
    1000000
    """

    file_bytes: int = 200_000_000
    files: int = 20_000
    unpacked_bytes: int = 500_000_000
    ratio: int = 200
    pixels: int = 40_000_000
    all_pixels: int = 4_000_000_000
    cells: int = 50_000_000
    rows: int = 1_000_000
    columns: int = 1_000_000
    kept_bytes: int = 4_000_000_000
    seconds: int = 2
    memory_bytes: int = 300_000_000

    def __post_init__(self) -> None:
        """Refuse limits that would let nothing through."""
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ValueError(f"limit {item.name} must be a whole number of at least 1, not {value!r}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """Return the defaults, overridden by environment variables."""
        return cls(
            **{
                item.name: whole_number(_PREFIX + item.name.upper(), getattr(cls, item.name), environment)
                for item in fields(cls)
            }
        )

    def seconds_for(self, size: int) -> float:
        """Return the processor time that a file of this size may take to be opened.

        >>> Limits().seconds_for(20_000_000)
        12.0
        """
        return self.seconds + size * _SECONDS_A_BYTE

    def memory_for(self, size: int) -> int:
        """Return the memory that a file of this size may take to be opened.

        >>> Limits().memory_for(1_000_000)
        340000000
        """
        return self.memory_bytes + min(_MOST_MEMORY, _MEMORY_A_BYTE * size)

    def check_unpacked(self, what: str, unpacked: int, packed: int) -> None:
        """Refuse content whose unpacked size, real or declared, is over the limits."""
        if unpacked > self.unpacked_bytes:
            raise UploadError(
                f"{what} unpacks to more than {megabytes(self.unpacked_bytes)}, which is the limit."
            )
        if unpacked > RATIO_FROM_BYTES and unpacked > self.ratio * max(packed, 1):
            raise UploadError(
                f"{what} unpacks to more than {self.ratio} times its size, as files made to fill "
                "up memory do; pack real data, or less of it."
            )

    def check_matrix(self, what: str, rows: int, columns: int, stored: int | None = None) -> None:
        """Refuse a matrix that is empty or too large; `stored` is the number of values if it is sparse."""
        if rows < 1 or columns < 1:
            raise UploadError(
                f"{what} is empty ({rows} × {columns}); at least one row and one column are needed."
            )
        if rows > self.rows or columns > self.columns:
            raise UploadError(
                f"{what} is {rows} × {columns}; at most {self.rows} rows and {self.columns} columns "
                "are accepted."
            )
        if stored is not None and rows + columns > _SIDES + _SIDES_A_NUMBER * stored:
            raise UploadError(
                f"{what} is {rows} × {columns} and holds {stored} numbers only: nearly all of its rows or "
                "columns are empty; leave those out."
            )
        cells = rows * columns if stored is None else stored
        if cells > self.cells:
            raise UploadError(f"{what} holds {cells} numbers; at most {self.cells} are accepted.")


def megabytes(count: int) -> str:
    """Write a number of bytes for people.

    >>> megabytes(200_000_000)
    '200 MB'
    """
    return f"{count / 1e6:.0f} MB" if count >= 1_000_000 else f"{count} bytes"


@contextmanager
def quiet() -> Iterator[None]:
    """Let libraries grumble about a file without printing it, or failing where warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
