"""A file that a worker writes and the server maps: the curve of a run and its latest arrays.

The curve only grows: a row is written first and counted afterwards. The arrays have two slots:
the writer fills the one that is not current, then increments the page counter. A reader copies the current
slot and retries if the counter has changed meanwhile. So neither side
ever waits for the other, and a slow reader costs the writer nothing.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_HEADER = 4096
_ALIGN = 64
_ROWS, _PAGE = 0, 1
_COUNTERS = 8


@dataclass(frozen=True)
class ChannelLayout:
    """Where everything is in the file."""

    terms: tuple[str, ...]
    capacity: int
    arrays: Mapping[str, tuple[tuple[int, ...], str]]
    tracked: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the layout as text for the head of the file."""
        arrays = {name: [list(shape), dtype] for name, (shape, dtype) in self.arrays.items()}
        plain = {"terms": self.terms, "tracked": self.tracked, "capacity": self.capacity, "arrays": arrays}
        return json.dumps(plain)

    @classmethod
    def from_json(cls, text: str) -> ChannelLayout:
        """Return the layout that a file describes."""
        plain = json.loads(text)
        arrays = {name: (tuple(shape), dtype) for name, (shape, dtype) in plain["arrays"].items()}
        return cls(tuple(plain["terms"]), plain["capacity"], arrays, tuple(plain["tracked"]))

    @property
    def columns(self) -> int:
        """Numbers in a row of the curve: objective, seconds, terms, what else is tracked."""
        return 2 + len(self.terms) + len(self.tracked)

    @property
    def slot_bytes(self) -> int:
        """Size of one set of arrays, its iteration number in front."""
        return _ALIGN + sum(_padded(shape, dtype) for shape, dtype in self.arrays.values())

    @property
    def total_bytes(self) -> int:
        """Size of the file."""
        return self._curve_start + self._curve_bytes + 2 * self.slot_bytes

    @property
    def _curve_start(self) -> int:
        return _HEADER + _ALIGN

    @property
    def _curve_bytes(self) -> int:
        return -(-self.capacity * self.columns * 8 // _ALIGN) * _ALIGN

    def slot_start(self, slot: int) -> int:
        """Offset of one of the two sets of arrays."""
        return self._curve_start + self._curve_bytes + slot * self.slot_bytes

    @property
    def curve_start(self) -> int:
        """Offset of the curve."""
        return self._curve_start


def _padded(shape: Sequence[int], dtype: str) -> int:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return -(-size // _ALIGN) * _ALIGN


class _Mapped:
    """The file seen as arrays; shared by writer and reader."""

    def __init__(self, layout: ChannelLayout, memory: mmap.mmap) -> None:
        self.layout = layout
        self._counters: NDArray[np.int64] = np.frombuffer(memory, np.int64, _COUNTERS, _HEADER)
        shape = (layout.capacity, layout.columns)
        self._curve = np.frombuffer(memory, np.float64, shape[0] * shape[1], layout.curve_start).reshape(
            shape
        )
        self._slots = [self._slot(memory, layout.slot_start(slot)) for slot in (0, 1)]

    def _slot(self, memory: mmap.mmap, offset: int) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
        iteration: NDArray[np.int64] = np.frombuffer(memory, np.int64, 1, offset)
        offset += _ALIGN
        arrays = {}
        for name, (shape, dtype) in self.layout.arrays.items():
            flat: NDArray[Any] = np.frombuffer(memory, np.dtype(dtype), int(np.prod(shape)), offset)
            arrays[name] = flat.reshape(shape)
            offset += _padded(shape, dtype)
        return iteration, arrays


class Writer(_Mapped):
    """The worker's side."""

    def __init__(
        self,
        path: Path,
        terms: Sequence[str],
        capacity: int,
        arrays: Mapping[str, Any],
        tracked: Sequence[str] = (),
    ) -> None:
        shapes = {name: (a.shape, a.dtype.str) for name, a in arrays.items()}
        layout = ChannelLayout(tuple(terms), capacity, shapes, tuple(tracked))
        head = layout.to_json().encode()
        if len(head) > _HEADER:
            raise ValueError("This run has too many arrays or terms to be shown.")
        with path.open("wb+") as file:
            file.truncate(layout.total_bytes)
            file.write(head.ljust(_HEADER))
            file.flush()
            super().__init__(layout, mmap.mmap(file.fileno(), layout.total_bytes))

    def add(self, objective: float, seconds: float, values: Mapping[str, float]) -> None:
        """Append one iteration to the curve (`values`: terms and what else is tracked).

        Beyond the capacity the last row is replaced.
        """
        row = min(int(self._counters[_ROWS]), self.layout.capacity - 1)
        names = (*self.layout.terms, *self.layout.tracked)
        self._curve[row] = [objective, seconds, *(values.get(name, np.nan) for name in names)]
        self._counters[_ROWS] = row + 1

    def fits(self, terms: Sequence[str] | Mapping[str, Any], arrays: Mapping[str, Any]) -> bool:
        """Whether rows of these terms and arrays of these sizes have their place in this file."""
        shapes = {name: (a.shape, a.dtype.str) for name, a in arrays.items()}
        return tuple(terms) == self.layout.terms and shapes == self.layout.arrays

    def show(self, iteration: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Make these arrays the latest ones."""
        page = int(self._counters[_PAGE]) + 1
        number, slot = self._slots[page % 2]
        for name, array in arrays.items():
            slot[name][...] = array
        number[0] = iteration
        self._counters[_PAGE] = page


class Reader(_Mapped):
    """The server's side."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            layout = ChannelLayout.from_json(file.read(_HEADER).decode())
            self._memory = mmap.mmap(file.fileno(), layout.total_bytes, access=mmap.ACCESS_READ)
        super().__init__(layout, self._memory)

    def rest(self) -> None:
        """Release the mapped pages; the next read loads them from the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            self._memory.madvise(mmap.MADV_DONTNEED)

    @property
    def version(self) -> tuple[int, int]:
        """A pair that changes whenever there is something new."""
        return int(self._counters[_ROWS]), int(self._counters[_PAGE])

    def curve(self) -> NDArray[np.float64]:
        """Return the rows written so far: objective, seconds, terms, what else is tracked."""
        return self._curve[: int(self._counters[_ROWS])]

    def tracked(self, name: str) -> NDArray[np.float64]:
        """Return the course of a short array over the iterations, a column an entry."""
        first = 2 + len(self.layout.terms)
        entries = [entry.rpartition("_")[0] == name for entry in self.layout.tracked]
        return self.curve()[:, first + np.flatnonzero(entries)]

    def latest(self) -> tuple[int, dict[str, NDArray[Any]]]:
        """Return copies of the latest arrays and their iteration (-1: none yet)."""
        while True:
            page = int(self._counters[_PAGE])
            if page == 0:
                return -1, {}
            number, slot = self._slots[page % 2]
            iteration, arrays = int(number[0]), {name: array.copy() for name, array in slot.items()}
            if int(self._counters[_PAGE]) == page:
                return iteration, arrays
            # The page was turned while copying: the slot may hold half of the next but one.
