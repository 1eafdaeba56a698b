"""The arrays of a run, a file each: there as a whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from experiments.store.watch_marks import WATCHED

_SAFE_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_CURVE, _ITERATION, _ARRAY = "curve", "iteration", "array."
# What pictures are made of is kept even where everything would be too much.
_FIRST = ("components", "embedding", "mean")
MOST_BYTES = 64_000_000
_LEFT_BEHIND_AFTER = 3600.0
# What NumPy and zipfile raise over a file that is cut short, overwritten or something else altogether.
_DAMAGE = (BadZipFile, zlib.error, EOFError, KeyError, TypeError, NotImplementedError, MemoryError)


@dataclass(frozen=True)
class Content:
    """What a run has found: a row an iteration (objective, seconds, terms, what else is tracked), arrays."""

    terms: tuple[str, ...]
    curve: NDArray[np.float64]
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    iteration: int = -1
    tracked: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """Size of everything in memory."""
        return self.curve.nbytes + sum(array.nbytes for array in self.arrays.values())

    def bounded(self, most: int = MOST_BYTES) -> Content:
        """Return the content without the arrays that would make it larger than `most` bytes."""
        if self.nbytes <= most:
            return self
        order = sorted(self.arrays, key=lambda name: (name.partition("_")[0] not in _FIRST, name))
        retained, room = {}, most - self.curve.nbytes
        for name in order:
            if self.arrays[name].nbytes <= room:
                retained[name] = self.arrays[name]
                room -= self.arrays[name].nbytes
        return replace(self, arrays=retained)


class ArrayFiles:
    """A folder with one file of arrays a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def write(self, id: str, content: Content) -> int:
        """Write the arrays of a run and return how many bytes they take."""
        return write_arrays(self.path(id), packed(content))

    def curve(self, id: str) -> NDArray[np.float64]:
        """Return the curve of a run, without reading its arrays; a KeyError if nothing is kept of it."""
        return self._read(id, lambda name: name == _CURVE)[_CURVE]

    def content(self, id: str, terms: Sequence[str], tracked: Sequence[str]) -> Content:
        """Return all that is kept of a run; a KeyError if nothing is."""
        return unpacked(self._read(id, lambda name: True), terms, tracked)

    def start_file(self, id: str) -> Path:
        """Return a file of a run's arrays alone, from which another can go on; a KeyError if there are none.

        Whoever uses it removes it; what is forgotten is swept away.
        """
        content = self._read(id, lambda name: name.startswith(_ARRAY))
        if not content:
            raise KeyError(id)
        path = self.folder / f"{id}.{secrets.token_hex(4)}.part"
        arrays: dict[str, Any] = {name.removeprefix(_ARRAY): array for name, array in content.items()}
        with open_private(path) as file:
            np.savez(file, **arrays)
        return path

    def remove(self, id: str) -> None:
        """Remove what is kept of a run, if anything is."""
        with suppress(OSError):
            self.path(id).unlink(missing_ok=True)

    def path(self, id: str) -> Path:
        """Return the file of a run, which need not exist. Ids cannot lead out of the folder."""
        if not _SAFE_ID.fullmatch(id):
            raise KeyError(id)
        return self.folder / f"{id}.npz"

    def sweep(self, is_stored: Callable[[str], bool]) -> None:
        """Remove what no run refers to: drafts of killed processes, arrays of runs removed meanwhile."""
        for path in self.folder.iterdir():
            with suppress(OSError):
                if time.time() - path.stat().st_mtime < _LEFT_BEHIND_AFTER:
                    continue  # Perhaps somebody is at it just now.
                if path.suffix in (".part", WATCHED) or (path.suffix == ".npz" and not is_stored(path.stem)):
                    path.unlink()

    def _read(self, id: str, wanted: Callable[[str], bool]) -> dict[str, NDArray[Any]]:
        try:
            return read_arrays(self.path(id), wanted)
        except (OSError, ValueError) as error:
            raise KeyError(id) from error


def packed(content: Content) -> dict[str, Any]:
    """Return the arrays of a content under the names they have in a file."""
    entries: dict[str, Any] = {_ARRAY + name: array for name, array in content.arrays.items()}
    return entries | {_CURVE: content.curve, _ITERATION: np.int64(content.iteration)}


def unpacked(entries: Mapping[str, Any], terms: Sequence[str], tracked: Sequence[str]) -> Content:
    """Return a content from the arrays of its file."""
    arrays = {name.removeprefix(_ARRAY): array for name, array in entries.items() if name.startswith(_ARRAY)}
    return Content(tuple(terms), entries[_CURVE], arrays, int(entries[_ITERATION]), tuple(tracked))


def write_arrays(target: Path, entries: Mapping[str, Any]) -> int:
    """Write arrays into a file that is there as a whole or not at all; return its size."""
    draft = target.with_name(f"{target.stem}.{secrets.token_hex(4)}.part")
    try:
        with open_private(draft) as file:
            np.savez(file, allow_pickle=False, **entries)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def open_private(path: Path) -> BinaryIO:
    """Open a file to write that nobody else on this machine may read, however it was made before."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "wb")


def read_arrays(path: Path, wanted: Callable[[str], bool] = lambda name: True) -> dict[str, Any]:
    """Return the arrays of a file; an OSError or a ValueError if it is not there or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files if wanted(name)}
    except _DAMAGE as error:
        raise ValueError(f"{path.name} is damaged.") from error
