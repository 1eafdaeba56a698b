"""Reads MATLAB files of version 7.3, which are HDF5.

The HDF5 library is known to crash, hang or ask for any amount of memory on damaged files: like all that
decodes, this belongs into the limited process of `sandbox`.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from scipy import sparse

from datasets.reading.arrays import Arrays
from datasets.reading.draft import plain
from datasets.reading.limits import Limits, UploadError

_MAGIC = b"\x89HDF\r\n\x1a\n"
_DEEPEST = 4
_MOST_OBJECTS = 20_000
_LONGEST_TEXT = 10_000


def is_hdf5(data: bytes) -> bool:
    """Say whether these bytes are HDF5: MATLAB puts 512 bytes of text before it."""
    return data.startswith(_MAGIC) or data[512:520] == _MAGIC


def read_hdf5(data: bytes, limits: Limits) -> tuple[Arrays, list[str]]:
    """Return the variables of a file, and those left out with the reason."""
    import h5py

    result: Arrays = {}
    left_out: list[str] = []
    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            collector = _Collector(h5py, file, limits)
            for name, node in _children(file):
                _put(result, left_out, name, collector.value(node, 0))
    except (UploadError, MemoryError):
        raise
    except Exception as error:  # whatever the library makes of a damaged file
        raise _damaged() from error
    return result, left_out


def _damaged() -> UploadError:
    return UploadError(
        "The file looks like MATLAB 7.3 (HDF5), but is damaged or unusual; save it again with save(…, '-v7')."
    )


class _LeftOut(str):
    """Why a variable is of no use here."""


def _put(result: Arrays, left_out: list[str], name: str, value: Any) -> None:
    """Keep a variable, the fields of a struct under their own names."""
    if isinstance(value, _LeftOut):
        left_out.append(f"{plain(name)} ({value})")
    elif isinstance(value, dict):
        for part, inner in value.items():
            _put(result, left_out, f"{name}.{part}", inner)
    else:
        result[name] = value


class _Collector:
    """Walks a file; MATLAB's matrices come out transposed, as they are stored."""

    def __init__(self, h5py: Any, file: Any, limits: Limits) -> None:
        self.h5py, self.file, self.limits = h5py, file, limits
        self.left, self.objects = limits.cells, 0

    def numbers(self, dataset: Any) -> Any:
        self.left -= int(np.prod(dataset.shape, dtype=object))
        if self.left < 0:
            raise UploadError(
                f"The .mat file holds more than {self.limits.cells} numbers, which is the limit."
            )
        if dataset.external or dataset.is_virtual:
            raise ValueError("its numbers are in other files, which are not opened")
        # Stored transposed: MATLAB counts along columns first.
        return np.asarray(dataset[()]).T

    def value(self, node: Any, depth: int) -> Any:
        """Return one variable: an array, a sparse matrix, a list for a cell, a dict for a struct, text."""
        self.objects += 1
        if depth > _DEEPEST or self.objects > _MOST_OBJECTS:
            raise ValueError("nested too deeply, or too many parts")
        if isinstance(node, self.h5py.Group):
            return self.group(node, depth)
        if node.attrs.get("MATLAB_empty", 0):
            return np.zeros((0, 0))
        if self.h5py.check_ref_dtype(node.dtype) is not None:
            references = self.numbers(node).ravel(order="F")
            parts = [self.value(self.file[reference], depth + 1) for reference in references]
            return [np.zeros((0, 0)) if isinstance(part, _LeftOut) else part for part in parts]
        if node.dtype.kind not in "buif":
            return _LeftOut("not numbers")
        array = self.numbers(node)
        if node.attrs.get("MATLAB_class") == b"char":
            return "".join(chr(int(code)) for code in array.ravel(order="F")[:_LONGEST_TEXT])
        return array

    def group(self, node: Any, depth: int) -> Any:
        if "MATLAB_sparse" in node.attrs:
            if "data" not in node:
                return _LeftOut("empty")
            parts = [self.numbers(node[name]).ravel() for name in ("data", "ir", "jc")]
            return _sparse(parts, int(node.attrs["MATLAB_sparse"]), self.limits)
        return {name: self.value(child, depth + 1) for name, child in _children(node)}


def _children(group: Any) -> list[tuple[str, Any]]:
    # Soft and external links could lead outside the file; only what is stored in it is followed.
    hard = [name for name in group if type(group.get(name, getlink=True)).__name__ == "HardLink"]
    return [(name, group[name]) for name in hard if not name.startswith("#")]


def _sparse(parts: list[Any], rows: int, limits: Limits) -> Any:
    values, inside, starts = parts[0], parts[1].astype(np.int64), parts[2].astype(np.int64)
    limits.check_matrix("A sparse matrix in the file", rows, len(starts) - 1, len(values))
    consistent = starts[0] == 0 and (np.diff(starts) >= 0).all() and starts[-1] == len(values) == len(inside)
    if not consistent or (len(inside) and (inside.min() < 0 or inside.max() >= rows)):
        raise _damaged()
    return sparse.csr_array(
        sparse.csc_array((values.astype(np.float64), inside, starts), shape=(rows, len(starts) - 1))
    )
