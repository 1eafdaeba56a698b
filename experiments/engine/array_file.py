"""Files of arrays: written whole or not at all, and read where they may be gone or cut short."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

# What reading such a file raises.
UNREADABLE = (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error, NotImplementedError)


def arrays_in(file: Path | BytesIO) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file by name; one of the `UNREADABLE` errors if that cannot be."""
    opened = file.open("rb") if isinstance(file, Path) else file
    with opened, np.load(opened, allow_pickle=False) as stored:
        return dict(stored)


def write_arrays(file: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays to an .npz file; who reads it meanwhile, in whatever process, never meets half of it."""
    unfinished = file.with_suffix(".unfinished")
    with unfinished.open("wb") as opened:
        np.savez(opened, allow_pickle=False, **arrays)
    unfinished.replace(file)
