"""Reads MATLAB files of version 7.3, which are HDF5, through a process that may fail without harm."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from datasets.reading.arrays import Arrays
from datasets.reading.draft import plain
from datasets.reading.limits import Limits, UploadError

_MAGIC = b"\x89HDF\r\n\x1a\n"
# What Python, NumPy and the HDF5 library need to start.
_BASE_MEMORY = 1_500_000_000
_CHILD = Path(__file__).with_name("hdf5_child.py")


def is_hdf5(data: bytes) -> bool:
    """Say whether these bytes are HDF5: MATLAB puts 512 bytes of text before it."""
    return data.startswith(_MAGIC) or data[512:520] == _MAGIC


def read_hdf5(data: bytes, limits: Limits) -> tuple[Arrays, list[str]]:
    """Return the variables of a file, and those left out with the reason."""
    with tempfile.TemporaryDirectory(prefix="partwise-upload-") as folder:
        source, target = Path(folder, "upload.mat"), Path(folder, "found.npz")
        source.write_bytes(data)
        _run(source, target, limits)
        with np.load(target, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
    index = json.loads(arrays.pop("index").tobytes())
    if index["problem"] == "large":
        raise UploadError(f"The .mat file holds more than {limits.cells} numbers, which is the limit.")
    if index["problem"]:
        raise _damaged()
    result: Arrays = {}
    left_out: list[str] = []
    for name, described in index["variables"].items():
        _put(result, left_out, name, described, arrays, limits)
    return result, left_out


def _damaged() -> UploadError:
    return UploadError(
        "The file looks like MATLAB 7.3 (HDF5), but is damaged or unusual; save it again with save(…, '-v7')."
    )


def _run(source: Path, target: Path, limits: Limits) -> None:
    settings = {
        "cells": limits.cells,
        "memory": _BASE_MEMORY + 24 * limits.cells,
        "seconds": limits.seconds,
    }
    # Threads of the BLAS would each reserve memory, and nothing is multiplied there. A file may name
    # a compression plug-in; "::" is the HDF5 library's word for loading none.
    threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment = {**os.environ, **threads, "HDF5_PLUGIN_PRELOAD": "::"}
    try:
        finished = subprocess.run(
            [sys.executable, "-I", str(_CHILD), str(source), str(target), json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limits.seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise UploadError(
            f"The .mat file could not be opened within {limits.seconds} seconds; "
            "save it again with save(…, '-v7')."
        ) from error
    if finished.returncode or not target.is_file():
        raise _damaged()


def _put(
    result: Arrays, left_out: list[str], name: str, described: Any, arrays: dict[str, Any], limits: Limits
) -> None:
    if "left_out" in described:
        left_out.append(f"{plain(name)} ({described['left_out']})")
    elif "struct" in described:
        for part, inner in described["struct"].items():
            _put(result, left_out, f"{name}.{part}", inner, arrays, limits)
    else:
        result[name] = _value(described, arrays, limits)


def _value(described: Any, arrays: dict[str, Any], limits: Limits) -> Any:
    if "cell" in described:
        return [_value(item, arrays, limits) for item in described["cell"]]
    if "text" in described:
        return described["text"]
    if "sparse" in described:
        return _sparse([arrays[key].ravel() for key in described["sparse"]], described["rows"], limits)
    return arrays[described["array"]] if "array" in described else np.zeros((0, 0))


def _sparse(parts: list[Any], rows: int, limits: Limits) -> Any:
    values, inside, starts = parts[0], parts[1].astype(np.int64), parts[2].astype(np.int64)
    limits.check_matrix("A sparse matrix in the file", rows, len(starts) - 1, 0)
    consistent = starts[0] == 0 and (np.diff(starts) >= 0).all() and starts[-1] == len(values) == len(inside)
    if not consistent or (len(inside) and (inside.min() < 0 or inside.max() >= rows)):
        raise _damaged()
    return sparse.csr_array(
        sparse.csc_array((values.astype(np.float64), inside, starts), shape=(rows, len(starts) - 1))
    )
