"""Reads MATLAB files of version 5 (saved with -v6 or -v7): numbers, sparse matrices, cells, structs, text.

The format is a tree of small tagged pieces. It is read here rather than by scipy.io because a file
from anywhere may claim any size at any place of the tree: every size is held against the bytes that
are there and against the limits before anything is made. Tests compare with scipy.io.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.reading.arrays import Arrays, too_many
from datasets.reading.draft import plain
from datasets.reading.limits import RATIO_FROM_BYTES, Limits, UploadError

_MATRIX, _COMPRESSED = 14, 15
# Storage types of numbers: code -> NumPy type.
_TYPES = {
    1: "i1",
    2: "u1",
    3: "i2",
    4: "u2",
    5: "i4",
    6: "u4",
    7: "f4",
    9: "f8",
    12: "i8",
    13: "u8",
    16: "u1",
}
# Classes of arrays, and the NumPy type a number class stands for.
_CELL, _STRUCT, _CHAR, _SPARSE = 1, 2, 4, 5
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
_DEEPEST = 6
_MOST_PIECES = 200_000
_MOST_VARIABLES = 1_000
_WORDS = {16: "utf-8", 17: "utf-16", 18: "utf-32", 4: "utf-16", 2: "latin-1", 1: "latin-1"}


class _DamagedError(Exception):
    """The pieces contradict each other."""


class _SkippedError(Exception):
    """A kind of value that is of no use here; says which."""


def is_mat5(data: bytes) -> bool:
    """Say whether these bytes begin like a MATLAB 5 file."""
    return data.startswith(b"MATLAB 5.0 MAT-file") and len(data) >= 128 and data[126:128] in (b"IM", b"MI")


def read_mat5(data: bytes, limits: Limits) -> tuple[Arrays, list[str]]:
    """Return the variables of a file, and those left out with the reason."""
    order = "<" if data[126:128] == b"IM" else ">"
    arrays: Arrays = {}
    left_out = []
    unpacked = 0
    whole = _Reader(memoryview(data)[128:], order, limits)
    try:
        while whole.rest:
            kind, body = whole.piece()
            if whole.pieces > _MOST_VARIABLES:
                raise too_many("variables", _MOST_VARIABLES)
            if kind == _COMPRESSED:
                content = _inflated(body, limits, unpacked, len(data))
                unpacked += len(content)
                kind, body = _Reader(memoryview(content), order, limits).piece()
            if kind != _MATRIX:
                continue
            try:
                name, value = _Reader(body, order, limits).array()
            except _SkippedError as skipped:
                left_out.append(str(skipped))
                continue
            _put(arrays, name, value)
    except (_DamagedError, zlib.error) as error:
        raise UploadError(
            "The .mat file is damaged or was not copied completely; save it again with save(…, '-v7')."
        ) from error
    return arrays, left_out


def _put(arrays: Arrays, name: str, value: Any) -> None:
    """Keep a variable, the fields of a struct under their own names."""
    if isinstance(value, dict):
        for part, content in value.items():
            _put(arrays, f"{name}.{part}" if name else part, content)
    else:
        arrays[name] = value


def _inflated(body: memoryview, limits: Limits, before: int, packed: int) -> bytes:
    """Return an unpacked variable; `before` bytes were unpacked already, from a file of `packed` bytes."""
    most = min(limits.unpacked_bytes, max(RATIO_FROM_BYTES, limits.ratio * packed)) - before
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(body, most + 1)
    limits.check_unpacked("The .mat file", before + len(content), packed)
    if not unpacker.eof:  # The end is where the checksum is, which was compared with the content.
        raise _DamagedError
    return content


@dataclass
class _Reader:
    """Reads pieces one after the other from bytes that are known to be there."""

    rest: memoryview
    order: str
    limits: Limits
    depth: int = 0
    pieces: int = 0

    def piece(self) -> tuple[int, memoryview]:
        """Return type and content of the next piece, and go past its padding."""
        self.pieces += 1
        if len(self.rest) < 8 or self.pieces > _MOST_PIECES:
            raise _DamagedError
        kind, size = (int(word) for word in np.frombuffer(self.rest[:8], dtype=self.order + "u4"))
        if kind >> 16:  # small: size and type share a word, up to four bytes follow
            kind, size, start, end = kind & 0xFFFF, kind >> 16, 4, 8
        else:
            start, end = 8, 8 + size + (-size % 8 if kind != _COMPRESSED else 0)
        # The last piece of a file may lack its padding.
        if start + size > len(self.rest) or (start == 4 and size > 4):
            raise _DamagedError
        body, self.rest = self.rest[start : start + size], self.rest[end:]
        return kind, body

    def numbers(self) -> npt.NDArray[Any]:
        """Return the next piece as numbers, in the type they are stored in."""
        kind, body = self.piece()
        if kind not in _TYPES:
            raise _DamagedError
        dtype = np.dtype(self.order + _TYPES[kind])
        if len(body) % dtype.itemsize:
            raise _DamagedError
        return np.frombuffer(body, dtype=dtype)

    def array(self) -> tuple[str, Any]:
        """Return name and value of the array whose pieces these are."""
        if not self.rest:  # an empty cell
            return "", np.zeros((0, 0))
        if self.depth > _DEEPEST:
            raise _DamagedError
        flags = self.numbers()
        if flags.size < 1:
            raise _DamagedError
        cls, is_complex = int(flags[0]) & 0xFF, bool(int(flags[0]) & 0x800)
        if cls not in (_CELL, _STRUCT, _CHAR, _SPARSE) and cls not in _NUMBERS:
            raise _SkippedError("a variable of a MATLAB class (not numbers)")
        shape = tuple(int(side) for side in self.numbers())
        name = bytes(self.piece()[1]).decode("latin-1")
        if not shape or min(shape) < 0:
            raise _DamagedError
        if len(shape) not in (2, 3, 4):
            raise _SkippedError(f"{plain(name)} ({len(shape)} dimensions)")
        if is_complex:
            raise _SkippedError(f"{plain(name)} (complex numbers)")
        return name, self._value(cls, shape)

    def _value(self, cls: int, shape: tuple[int, ...]) -> Any:
        count = 1
        for side in shape:
            count *= side
        if cls == _CELL:
            return self._children(count)
        if cls == _STRUCT:
            return self._struct(count)
        if cls == _SPARSE:
            return self._sparse(shape)
        if cls == _CHAR:
            return self._text(shape)
        stored = self.numbers()
        if stored.size != count:
            raise _DamagedError
        # Small whole numbers are stored in few bytes whatever their class; they stay as they are stored
        # unless the class is floating-point, which decides what they mean to a reader.
        dtype = np.dtype(_NUMBERS[cls])
        if dtype.kind == "f" and count > self.limits.cells:
            raise UploadError(
                f"A matrix in the file holds {count} numbers; at most {self.limits.cells} are accepted."
            )
        values = stored.astype(dtype if dtype.kind == "f" else stored.dtype.newbyteorder("="))
        return values.reshape(shape, order="F")

    def _child(self) -> Any:
        kind, body = self.piece()
        if kind != _MATRIX:
            raise _DamagedError
        inner = _Reader(body, self.order, self.limits, self.depth + 1, self.pieces)
        value = inner.array()[1]
        self.pieces = inner.pieces
        return value

    def _children(self, count: int) -> list[Any]:
        if count > len(self.rest) // 8:
            raise _DamagedError
        return [self._child() for _ in range(count)]

    def _struct(self, count: int) -> dict[str, Any]:
        length = self.numbers()
        if length.size != 1 or not 1 <= int(length[0]) <= 256:
            raise _DamagedError
        size = int(length[0])
        joined = bytes(self.piece()[1])
        names = [
            joined[at : at + size].split(b"\0")[0].decode("latin-1") for at in range(0, len(joined), size)
        ]
        if count != 1 or len(names) > len(self.rest) // 8:
            raise _SkippedError("an array of structs")
        return {name: self._child() for name in names}

    def _text(self, shape: tuple[int, ...]) -> Any:
        kind, body = self.piece()
        text = bytes(body).decode(_WORDS.get(kind, "latin-1"), "replace")
        if len(shape) != 2 or shape[0] <= 1:
            return text
        # A matrix of characters, column by column: one text a row, padded with blanks.
        return [text[row :: shape[0]].strip() for row in range(min(shape[0], len(text)))]

    def _sparse(self, shape: tuple[int, ...]) -> Any:
        if len(shape) != 2:
            raise _DamagedError
        rows, starts = (part.astype(np.int64) for part in (self.numbers(), self.numbers()))
        values = self.numbers()
        if starts.size != shape[1] + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
            raise _DamagedError
        stored = int(starts[-1])
        self.limits.check_matrix("A sparse matrix in the file", max(shape[0], 1), max(shape[1], 1), stored)
        # MATLAB may keep room for more values than there are.
        if rows.size < stored or values.size < stored:
            raise _DamagedError
        if stored and (rows[:stored].min() < 0 or rows[:stored].max() >= shape[0]):
            raise _DamagedError
        parts = (values[:stored].astype(np.float64), rows[:stored], starts)
        return sparse.csr_array(sparse.csc_array(parts, shape=shape))
