"""Files as people hand them over: made of real faces, flowers, digits and texts."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image
from scipy import io as scipy_io
from scipy import sparse

import datasets
from benchmarks.malformed.sound import hdf5, mat, npz, tarred, zipped

_SIDE = 32


@cache
def real_files() -> tuple[tuple[str, bytes], ...]:
    """Return a file of every format, of data that somebody has measured or written."""
    orl = datasets.load("orl", size=_SIDE)
    assert orl.y is not None
    faces = (np.asarray(orl.X) * 255).astype(np.uint8)
    people = orl.y + 1
    some = range(0, 400, 10)
    first = faces[0].reshape(_SIDE, _SIDE)
    pictures = [(f"face.{suffix}", _picture(first, kind)) for suffix, kind in _KINDS.items()]
    folder = [
        (f"s{people[row]}/{row}.pgm", _picture(faces[row].reshape(_SIDE, _SIDE), "PPM")) for row in some
    ]
    texts = datasets.load("docstrings")
    words = next(iter(texts.texts.values()))[:60]
    written = [(f"{row % 3}/{row}.txt", text.encode()) for row, text in enumerate(words) if text.strip()]
    counts = sparse.coo_array(sparse.csr_array(texts.X)[:60])
    return (
        *pictures,
        ("orl.zip", zipped(folder)),
        ("orl.tar", tarred(folder)),
        ("texts.zip", zipped(written)),
        ("orl.mat", mat(fea=faces[some], gnd=people[some][:, np.newaxis])),
        ("orl7.mat", mat(True, fea=faces[some].astype(float), gnd=people[some][:, np.newaxis])),
        ("views.mat", _views()),
        ("orl73.mat", hdf5(faces[some], people[some])),
        ("digits.npz", _digits()),
        ("iris.csv", _table().to_pandas().to_csv(index=False).encode()),
        ("iris.parquet", _parquet(_table())),
        ("words.mtx", _matrix_market(counts)),
    )


_KINDS = {"png": "PNG", "tif": "TIFF", "webp": "WEBP", "jpg": "JPEG", "gif": "GIF", "bmp": "BMP"}


def _picture(pixels: Any, kind: str) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, kind)
    return out.getvalue()


def _views() -> bytes:
    cells = np.empty((1, 2), dtype=object)
    digits = datasets.load("digits")
    cells[0, 0], cells[0, 1] = np.asarray(digits.X)[:80], np.asarray(digits.X)[:80, ::2]
    return mat(True, X=cells, Y=np.asarray(digits.y)[:80])


def _digits() -> bytes:
    digits = datasets.load("digits")
    return npz(X=np.asarray(digits.X)[:200], y=np.asarray(digits.y)[:200])


def _table() -> Any:
    iris = datasets.load("iris")
    assert iris.y is not None
    columns = {name: np.asarray(iris.X)[:, place] for place, name in enumerate(iris.feature_names or ())}
    return pa.table({**columns, "species": [iris.target_names[code] for code in iris.y]})


def _parquet(table: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _matrix_market(counts: Any) -> bytes:
    out = io.BytesIO()
    scipy_io.mmwrite(out, counts)
    return out.getvalue()
