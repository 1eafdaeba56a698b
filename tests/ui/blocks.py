"""What a page is sent of a run, read as strictly as a browser reads it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image

from ui.blocks import unpacked


def header(block: bytes) -> dict[str, Any]:
    """Return the header of a block; a number that JSON does not know stops the page."""
    return unpacked(block)[0]


def readable(block: bytes) -> dict[str, Any]:
    """Return the header of a frame after looking at its pictures."""
    head, arrays = unpacked(block)
    for name in ("sample", "parts"):
        if arrays[name].size:
            Image.open(BytesIO(arrays[name].tobytes())).load()
    return head
