"""A program that opens one MATLAB 7.3 (HDF5) file and writes its variables as .npz.

The HDF5 library is written in C and known to crash, hang or ask for any amount of memory on damaged
files. Here it can do so without harm: the process has little memory, little time and nothing to lose.

    python hdf5_child.py file.mat out.npz '{"cells": …, "memory": …}'

Each variable becomes arrays named by a running number; what they are is in `index`, a JSON text.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

DEEPEST = 4
MOST_OBJECTS = 20_000


class _TooLargeError(Exception):
    """More numbers than the limit."""


class _Collector:
    """Walks a file and collects arrays; MATLAB's matrices come out transposed, as they are stored."""

    def __init__(self, h5py: Any, file: Any, cells: int) -> None:
        self.h5py, self.file, self.left, self.objects = h5py, file, cells, 0
        self.arrays: dict[str, Any] = {}
        self.left_out: list[str] = []

    def store(self, array: Any) -> str:
        key = f"a{len(self.arrays)}"
        self.arrays[key] = array
        return key

    def numbers(self, dataset: Any) -> Any:
        self.left -= int(np.prod(dataset.shape, dtype=object))
        if self.left < 0:
            raise _TooLargeError
        if dataset.external or dataset.is_virtual:
            raise ValueError("its numbers are in other files, which are not opened")
        # Stored transposed: MATLAB counts along columns first.
        return np.asarray(dataset[()]).T

    def value(self, node: Any, depth: int) -> Any:
        """Describe one variable: its kind (array, sparse, cell, struct, text) and where its content is."""
        self.objects += 1
        if depth > DEEPEST or self.objects > MOST_OBJECTS:
            raise ValueError("nested too deeply, or too many parts")
        if isinstance(node, self.h5py.Group):
            return self.group(node, depth)
        if node.attrs.get("MATLAB_empty", 0):
            return {"array": self.store(np.zeros((0, 0)))}
        if self.h5py.check_ref_dtype(node.dtype) is not None:
            references = self.numbers(node).ravel(order="F")
            return {"cell": [self.value(self.file[reference], depth + 1) for reference in references]}
        if node.dtype.kind not in "buif":
            return {"left_out": "not numbers"}
        array = self.numbers(node)
        if node.attrs.get("MATLAB_class") == b"char":
            return {"text": "".join(chr(int(code)) for code in array.ravel(order="F")[:10_000])}
        return {"array": self.store(array)}

    def group(self, node: Any, depth: int) -> Any:
        if "MATLAB_sparse" in node.attrs:
            if "data" not in node:
                return {"left_out": "empty"}
            parts = [self.store(self.numbers(node[name])) for name in ("data", "ir", "jc")]
            return {"sparse": parts, "rows": int(node.attrs["MATLAB_sparse"])}
        return {"struct": {name: self.value(child, depth + 1) for name, child in _children(node)}}


def _children(group: Any) -> list[tuple[str, Any]]:
    # Soft and external links could lead outside the file; only what is stored in it is followed.
    hard = [name for name in group if type(group.get(name, getlink=True)).__name__ == "HardLink"]
    return [(name, group[name]) for name in hard if not name.startswith("#")]


def _limit_resources(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has none; there the time limit of the parent remains
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(source: str, target: str, settings: str) -> None:
    """Read the file and write what was found."""
    given = json.loads(settings)
    _limit_resources(given["memory"], given["seconds"])
    import h5py

    index: dict[str, Any] = {"problem": "", "variables": {}}
    arrays: dict[str, Any] = {}
    try:
        with h5py.File(source, "r") as file:
            collector = _Collector(h5py, file, given["cells"])
            index["variables"] = {name: collector.value(node, 0) for name, node in _children(file)}
            arrays = collector.arrays
    except _TooLargeError:
        index["problem"] = "large"
    except Exception:  # whatever the library makes of a damaged file
        index["problem"] = "damaged"
    text = np.frombuffer(json.dumps(index).encode(), dtype=np.uint8)
    with Path(target).open("wb") as out:
        np.savez(out, index=text, **arrays)


if __name__ == "__main__":
    main(*sys.argv[1:])
