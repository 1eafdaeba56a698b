"""Sparse matrices written as text: LIBSVM/svmlight lines with labels, and MatrixMarket."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from datasets.reading.draft import Draft, as_matrix
from datasets.reading.labels import encode
from datasets.reading.limits import Limits, UploadError, quiet

_LINE = re.compile(rb"\s*[-+]?[\d.]+([eE][-+]?\d+)?(\s+qid:\d+)?(\s+\d+:[-+\d.eEnaif]+)+\s*(#.*)?")
_HEADER = re.compile(rb"%%MatrixMarket\s+matrix\s+(array|coordinate)\s+(\w+)\s+(\w+)", re.I)
_FIELDS = (b"real", b"integer", b"pattern", b"double", b"unsigned-integer")
_SYMMETRIES = (b"general", b"symmetric", b"skew-symmetric")
MATRIX_MARKET = b"%%matrixmarket"


def is_svmlight(data: bytes) -> bool:
    """Say whether the first line with content is `label index:value …`."""
    for line in data[:100_000].split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            return _LINE.fullmatch(line) is not None
    return False


def read_svmlight(data: bytes, limits: Limits, *, transpose: bool = False) -> Draft:
    """Read LIBSVM/svmlight text; indices start at 0 or 1, as the file shows.

    With `transpose` each index is a sample and each line a feature, whose first number says nothing.
    """
    from sklearn.datasets import load_svmlight_file

    limits.check_matrix("The file", data.count(b"\n") + 1, 1, data.count(b":"))
    try:
        with quiet():
            X, y = load_svmlight_file(io.BytesIO(data), dtype=np.float64)
    except (ValueError, OverflowError) as error:
        raise UploadError(
            "The file is not LIBSVM/svmlight text; lines of the form 'label index:value index:value …', "
            "indices rising, are accepted."
        ) from error
    limits.check_matrix("The matrix", X.shape[0], X.shape[1], stored=X.nnz)
    matrix = as_matrix("The matrix", sparse.csr_array(X.T if transpose else X))
    labels, notes = None, ["The first numbers of the lines belong to features here and are not used."]
    if not transpose:
        labels = encode(y, "at the start of each line")
        notes = ["The first numbers of the lines are not whole, so they are not taken as labels."]
    return Draft(
        "LIBSVM/svmlight text", "table", {"features": matrix}, labels=labels, notes=[] if labels else notes,
        corrections=("transpose",),
    )  # fmt: skip


def read_matrix_market(data: bytes, limits: Limits, *, transpose: bool = False) -> Draft:
    """Read MatrixMarket, dense or coordinates; with `transpose` its columns are the samples.

    Not by SciPy, whose reader writes outside its memory where an index is larger than the size line says.
    """
    header = _HEADER.match(data)
    sizes, body = _size_line(data)
    dense = header is not None and header[1].lower() == b"array"
    if header is None or len(sizes) != (2 if dense else 3):
        raise UploadError("The MatrixMarket file has no valid header and size line.")
    field, symmetry = header[2].lower(), header[3].lower()
    if field not in _FIELDS or symmetry not in _SYMMETRIES or (dense and symmetry != b"general"):
        raise UploadError(
            "The MatrixMarket file is of an unusual kind; real, integer or pattern matrices are accepted, "
            "general or symmetric."
        )
    rows, columns = sizes[:2]
    each = 1 if dense else 2 if field == b"pattern" else 3
    stored = rows * columns if dense else sizes[2]
    limits.check_matrix("The matrix", rows, columns, stored=stored if dense else 2 * stored)
    # A number takes at least a digit and a blank.
    numbers = _numbers(body) if 2 * each * stored <= len(body) + 2 else np.empty(0)
    if numbers.size != each * stored:
        raise UploadError(
            f"The MatrixMarket file should hold {each * stored} numbers after its size line, and does not: "
            "it is damaged or was not copied completely."
        )
    if dense:
        matrix: Any = numbers.reshape(columns, rows).T
    else:
        matrix = _coordinates(numbers.reshape(-1, each), rows, columns, symmetry)
    views = {"features": as_matrix("The matrix", matrix.T if transpose else matrix)}
    return Draft("MatrixMarket", "table", views, corrections=("transpose",))


def _numbers(body: bytes) -> npt.NDArray[np.float64]:
    try:
        with quiet():
            # Stops at what is not a number, which the count then shows.
            return np.fromstring(body.decode("ascii"), sep=" ")
    except ValueError:
        return np.empty(0)


def _coordinates(triples: npt.NDArray[np.float64], rows: int, columns: int, symmetry: bytes) -> Any:
    i, j = triples[:, 0] - 1, triples[:, 1] - 1
    inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns) & (i == np.floor(i)) & (j == np.floor(j))
    if not inside.all():
        entry = int(np.flatnonzero(~inside)[0]) + 1
        raise UploadError(
            f"Entry {entry} of the MatrixMarket file lies outside its {rows} × {columns} matrix."
        )
    i, j = i.astype(np.int64), j.astype(np.int64)
    values = triples[:, 2] if triples.shape[1] == 3 else np.ones(len(triples))
    if symmetry != b"general":
        if rows != columns:
            raise UploadError("The MatrixMarket file calls a matrix symmetric that is not square.")
        # Written in half: what is off the diagonal stands for its mirror image too.
        off = i != j
        sign = -1 if symmetry == b"skew-symmetric" else 1
        i, j = np.concatenate([i, j[off]]), np.concatenate([j, i[off]])
        values = np.concatenate([values, sign * values[off]])
    return sparse.csr_array(sparse.coo_array((values, (i, j)), shape=(rows, columns)))


def _size_line(data: bytes) -> tuple[list[int], bytes]:
    """Return the numbers of the first line that is not a comment, and the rest of the text."""
    start = data.find(b"\n") + 1
    while start:
        end = data.find(b"\n", start)
        line = data[start : end if end >= 0 else len(data)]
        if line.strip() and not line.startswith(b"%"):
            words = line.split()
            valid = all(word.isdigit() and len(word) < 19 for word in words)
            return ([int(word) for word in words] if valid else []), data[end + 1 :] if end >= 0 else b""
        start = end + 1
    return [], b""
