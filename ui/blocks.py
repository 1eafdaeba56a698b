"""How arrays and pictures go to the browser: one block of bytes, read by `static/blocks.js`.

It is the length of a header, the header as JSON, and one array after the other; the header's `blocks` name
them. Everything begins at a multiple of four, so that the browser reads it in place.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ui.pictures import Sheet, compressed

_KINDS = ("f4", "i4", "u2", "u1")


def packed(
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    sheets: Mapping[str, Sheet | None] | None = None,
    *,
    budget: int | None = None,
) -> bytes:
    """Return a header and named arrays (of 32-bit floats, of integers or bytes) as one block.

    Sheets become pictures, of at most a `budget` of bytes each; under the name of each the header says where
    its tiles are. One that is missing is empty.

    >>> header, arrays = unpacked(packed({"shown": 3}, {"curve": np.arange(3, dtype="<f4")}))
    >>> header, arrays["curve"].tolist()
    ({'shown': 3}, [0.0, 1.0, 2.0])
    """
    blocks, grids = dict(arrays), {}
    for name, sheet in (sheets or {}).items():
        grids[name] = sheet.grid() if sheet else {}
        blocks[name] = np.frombuffer(compressed(sheet.image, budget) if sheet else b"", "u1")
    entries, pieces = [], []
    for name, block in blocks.items():
        kind = block.dtype.str[1:]
        if kind not in _KINDS:
            raise TypeError(f"{name} must be one of {', '.join(_KINDS)}, not {kind}")
        entries.append({"name": name, "kind": kind, "count": block.size})
        flat = np.ascontiguousarray(block, dtype=f"<{kind}").tobytes()
        pieces.append(flat + bytes(-len(flat) % 4))
    text = json.dumps({**header, **grids, "blocks": entries}, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)  # JSON overlooks blanks.
    return b"".join([struct.pack("<I", len(text)), text, *pieces])


def unpacked(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return header and arrays of a block, as strictly as the browser reads them."""
    (length,) = struct.unpack_from("<I", block)
    header = json.loads(block[4 : 4 + length], parse_constant=_refuse)
    arrays, at = {}, 4 + length
    for entry in header.pop("blocks"):
        array = np.frombuffer(block, f"<{entry['kind']}", entry["count"], at)
        arrays[entry["name"]] = array
        at += array.nbytes + (-array.nbytes % 4)
    if at != len(block):
        raise ValueError("There is more in this block than its header says.")
    return header, arrays


def _refuse(name: str) -> float:
    raise ValueError(f"No browser reads {name} in JSON.")
