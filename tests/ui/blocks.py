"""What a page is sent of a run, read as strictly as a browser reads it."""

from __future__ import annotations

import json
import struct
from io import BytesIO
from typing import Any

from PIL import Image


def header(block: bytes) -> dict[str, Any]:
    """Return the header of a block; a number that JSON does not know stops the page."""

    def refuse(name: str) -> float:
        raise ValueError(f"No browser reads {name} in JSON.")

    [length] = struct.unpack_from("<I", block)
    return json.loads(block[4 : 4 + length], parse_constant=refuse)


def readable(block: bytes) -> dict[str, Any]:
    """Return the header of a frame after looking at the pictures behind it, which are its end."""
    head = header(block)
    end = len(block)
    for name in ("sample", "parts"):
        start = end - head[name]["bytes"]
        if end > start:
            Image.open(BytesIO(block[start:end])).load()
        end = start
    return head
