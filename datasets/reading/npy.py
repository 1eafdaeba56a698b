"""Reads .npy and .npz: headers are held against limits and bytes first; objects (pickles) are refused."""

from __future__ import annotations

import io
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy_format

from datasets.reading.archives import entries
from datasets.reading.arrays import Arrays
from datasets.reading.draft import plain
from datasets.reading.limits import Limits, UploadError
from datasets.reading.source import File

MAGIC = b"\x93NUMPY"


def read_npy(data: bytes, name: str, limits: Limits) -> Any:
    """Return the array of a .npy file."""
    stream = io.BytesIO(data)
    try:
        version = npy_format.read_magic(stream)
        reader = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
        shape, _, dtype = reader(stream)
    except (ValueError, EOFError, SyntaxError, TokenError) as error:
        raise UploadError(f"{plain(name)} is damaged: its NumPy header cannot be read.") from error
    if dtype.hasobject:
        raise UploadError(
            f"{plain(name)} holds Python objects (a pickle), which are never loaded; save arrays of numbers."
        )
    if dtype.kind not in "buifSU":
        raise UploadError(f"{plain(name)} holds values of type {dtype}; arrays of numbers are accepted.")
    count = 1
    for side in shape:
        count *= int(side)
    if count > limits.cells:
        raise UploadError(
            f"{plain(name)} says it holds {count} numbers; at most {limits.cells} are accepted."
        )
    if dtype.kind in "SU" and count > limits.rows:
        raise UploadError(
            f"{plain(name)} says it holds {count} words; at most {limits.rows} are accepted, one a sample."
        )
    if count < 0 or stream.tell() + count * dtype.itemsize > len(data):
        raise UploadError(f"{plain(name)} ends too early: it was not copied completely.")
    stream.seek(0)
    array = np.load(stream, allow_pickle=False)
    return _words(array) if dtype.kind in "SU" else array


def _words(array: npt.NDArray[Any]) -> list[str]:
    return [
        item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item) for item in array.ravel()
    ]


def read_npz(file: File, limits: Limits) -> tuple[Arrays, list[str]]:
    """Return the arrays of a .npz file, and those left out with the reason."""
    arrays: Arrays = {}
    left_out = []
    for entry in entries(file, limits):
        if not entry.data.startswith(MAGIC):
            left_out.append(f"{plain(entry.name)} (not an array)")
            continue
        arrays[entry.name.removesuffix(".npy")] = read_npy(entry.data, entry.name, limits)
    # SciPy's save_npz writes the parts of one sparse matrix.
    if {"data", "indices", "indptr", "shape", "format"} <= arrays.keys():
        arrays = {"X": _sparse(arrays, limits)}
    return arrays, left_out


def _sparse(arrays: Arrays, limits: Limits) -> Any:
    from scipy import sparse

    shape = tuple(int(side) for side in np.asarray(arrays["shape"]).ravel())
    kind = "".join(arrays["format"])
    if kind not in ("csr", "csc") or len(shape) != 2:
        raise UploadError("The sparse matrix in the .npz file is not in CSR or CSC format; convert it first.")
    limits.check_matrix("The sparse matrix", *shape, stored=int(np.size(arrays["data"])))
    make = sparse.csr_array if kind == "csr" else sparse.csc_array
    matrix = make((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
    matrix.check_format(full_check=True)
    return sparse.csr_array(matrix)
