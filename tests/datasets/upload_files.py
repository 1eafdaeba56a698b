"""Makers of upload files for the tests, and pictures that have an up and a down."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy import io as scipy_io

import datasets

Array = npt.NDArray[Any]


def faces(height: int = 32, width: int = 32) -> tuple[Array, Array]:
    """Forty upright faces of twenty people as uint8 (samples, height, width), and the people, from 1."""
    orl = datasets.load("orl", size=64)
    rows = np.arange(0, 400, 10)
    square = (np.asarray(orl.X)[rows].reshape(-1, 64, 64) * 255).astype(np.uint8)
    sized = [np.asarray(Image.fromarray(face).resize((width, height))) for face in square]
    return np.stack(sized), np.arange(40) // 2 + 1


def by_columns(pictures: Array) -> Array:
    """Rows of pixels as MATLAB makes them with X(:)."""
    return pictures.transpose(0, 2, 1).reshape(len(pictures), -1)


def mat(compressed: bool = True, **arrays: Any) -> bytes:
    out = io.BytesIO()
    scipy_io.savemat(out, arrays, do_compression=compressed)
    return out.getvalue()


def mat73(write: Mapping[str, Any]) -> bytes:
    """A v7.3 file: arrays transposed as MATLAB does, lists as cells, 512 bytes of text first."""
    out = io.BytesIO()
    with h5py.File(out, "w", userblock_size=512) as file:
        hidden = file.create_group("#refs#")
        for name, value in write.items():
            if isinstance(value, list):
                stored = [
                    hidden.create_dataset(f"{name}{i}", data=np.asarray(v).T) for i, v in enumerate(value)
                ]
                cell = file.create_dataset(name, (len(value), 1), dtype=h5py.ref_dtype)
                for i, item in enumerate(stored):
                    cell[i, 0] = item.ref
            elif hasattr(value, "tocsc"):
                group, csc = file.create_group(name), value.tocsc()
                group.attrs["MATLAB_sparse"] = np.uint64(csc.shape[0])
                group["data"], group["ir"], group["jc"] = csc.data, csc.indices, csc.indptr
            else:
                file[name] = np.asarray(value).T
    return b"MATLAB 7.3 MAT-file".ljust(512) + out.getvalue()[512:]


def cell(*items: Any, column: bool = False) -> Array:
    made = np.empty((len(items), 1) if column else (1, len(items)), dtype=object)
    for number, item in enumerate(items):
        made[(number, 0) if column else (0, number)] = item
    return made


def encoded(picture: Array, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(picture).save(out, kind, **options)
    return out.getvalue()


def zipped(entries: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(entries: Mapping[str, bytes], compression: str = "", format: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    mode: Any = f"w:{compression}"
    with tarfile.open(fileobj=out, mode=mode, format=format) as archive:
        for name, data in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def saved(*arrays: Any, **named: Any) -> bytes:
    """One array as .npy, or named ones as .npz."""
    out = io.BytesIO()
    if arrays:
        np.save(out, arrays[0])
    else:
        np.savez_compressed(out, **named)
    return out.getvalue()
