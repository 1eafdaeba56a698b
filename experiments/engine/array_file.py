"""Reading files of arrays that may be gone, cut short or overwritten."""

from __future__ import annotations

import zlib
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
