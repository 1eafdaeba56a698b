"""Sound files of every format that uploads are read from, small and always the same."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image
from scipy import io as scipy_io

SIDE = 16
_SAMPLES = 12


@cache
def sound_files() -> tuple[tuple[str, bytes], ...]:
    """Return a small sound file of every format."""
    rng = np.random.default_rng(0)
    X = rng.random((_SAMPLES, SIDE * SIDE))
    y = np.arange(_SAMPLES) % 3 + 1
    formats = {"pgm": "PPM", "png": "PNG", "jpg": "JPEG", "gif": "GIF", "tif": "TIFF", "webp": "WEBP"}
    pictures = [(f"one.{suffix}", picture(SIDE, SIDE, kind)) for suffix, kind in formats.items()]
    cells = np.empty((1, 2), dtype=object)
    cells[0, 0], cells[0, 1] = X, X.T
    rows = "\n".join(
        ",".join(f"{value:.3f}" for value in row[:5]) + f",c{k}" for row, k in zip(X, y, strict=True)
    )
    faces = [(f"faces/s{k}/{i}.pgm", picture(SIDE, SIDE, "PPM")) for i, k in enumerate(y)]
    texts = [(f"{k}/{i}.txt", b"words about parts and wholes number %d" % i) for i, k in enumerate(y)]
    svm = "".join(f"{k} 1:{row[0]:.3f} 7:{row[1]:.3f}\n" for row, k in zip(X, y, strict=True))
    entries = "\n".join(f"{i + 1} {i % 4 + 1} {i + 0.5}" for i in range(9))
    return (
        *pictures,
        ("faces.zip", zipped(faces)),
        ("texts.zip", zipped(texts)),
        ("faces.tar", tarred(faces)),
        ("faces.tar.gz", gzip.compress(tarred(faces), mtime=0)),
        ("fea.mat", mat(fea=X, gnd=y)),
        ("packed.mat", mat(compressed=True, fea=X, gnd=y)),
        ("cells.mat", mat(X=cells, y=y)),
        ("new.mat", hdf5(X, y)),
        ("x.npy", npy(X)),
        ("x.npz", npz(X=X, y=y)),
        ("table.csv", f"a,b,c,d,e,label\n{rows}\n".encode()),
        ("table.tsv", rows.replace(",", "\t").encode()),
        (
            "documents.csv",
            b"text,label\n" + b"a few words to count here,one\nother words than these,two\n" * 5,
        ),
        ("table.parquet", parquet({"a": X[:, 0], "b": X[:, 1], "label": [f"c{k}" for k in y]})),
        ("x.svm", svm.encode()),
        ("x.mtx", f"%%MatrixMarket matrix coordinate real general\n9 4 9\n{entries}\n".encode()),
    )


def picture(height: int, width: int, kind: str = "PNG") -> bytes:
    """Return a slanted grey ramp as a picture."""
    ramp = np.add.outer(np.arange(height), np.arange(width)) % 256
    out = io.BytesIO()
    Image.fromarray(ramp.astype(np.uint8)).save(out, kind)
    return out.getvalue()


def png_of(
    width: int, height: int, *, depth: int, colour: int, row: bytes, notes: Sequence[bytes] = ()
) -> bytes:
    """Return a PNG whose rows are all the same, made without holding them; `notes` are chunks before them."""
    packer = zlib.compressobj(9)
    pixels = b"".join(packer.compress(b"\0" + row) for _ in range(height)) + packer.flush()
    header = b"IHDR" + struct.pack(">LLBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = [
        struct.pack(">L", len(chunk) - 4) + chunk + struct.pack(">L", zlib.crc32(chunk))
        for chunk in (header, *notes, b"IDAT" + pixels, b"IEND")
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def zipped(entries: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tarred(entries: list[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in entries:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def mat(compressed: bool = False, **arrays: Any) -> bytes:
    out = io.BytesIO()
    scipy_io.savemat(out, arrays, do_compression=compressed)
    return out.getvalue()


def hdf5(X: Any, y: Any) -> bytes:
    out = io.BytesIO()
    with h5py.File(out, "w") as file:
        file["fea"], file["gnd"] = X.T, y[np.newaxis]
    return out.getvalue()


def npy(X: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, X, allow_pickle=True)
    return out.getvalue()


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=True, **arrays)
    return out.getvalue()


def parquet(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()
