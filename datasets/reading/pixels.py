"""Decodes a picture to grey values: checks its memory needs first, and never holds two copies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from PIL import Image

from datasets.reading.limits import RATIO_FROM_BYTES, Limits, UploadError, megabytes

# No other decoder of Pillow's is ever asked: some start programs, many are little used.
FORMATS = ("PPM", "PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP")
KINDS = "PGM, PNG, JPEG, GIF, TIFF, WebP and BMP"
# EXIF: the note of the camera, and what undoes each way of holding it.
_ORIENTATION = 0x0112
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
# Bytes a pixel that Pillow and the library below it hold at the same time while decoding; by the mode if
# not here. Libraries for WebP and for progressive JPEG hold the whole picture more than once.
_MODE_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2, "I;16L": 2}
_HELD = {"WEBP": 20, "JPEG": 12}
# The grey values beside it, and one copy of them.
_GREY_BYTES = 2
# Lines that are turned into grey values at a time.
_BAND = 64
_START_OF_SCAN = b"\xff\xda"
# A progressive JPEG has about ten.
_MOST_SCANS = 100


def camera_turn(image: Image.Image) -> Image.Transpose | None:
    """Return how to turn a photo upright whose camera was held another way, as the camera noted."""
    try:
        return TURNS.get(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # a damaged note is no reason to refuse the picture
        return None


def check_picture(name: str, data: bytes, image: Image.Image, limits: Limits) -> None:
    """Refuse a picture whose header declares more than the limits allow to decode."""
    pixels = image.width * image.height
    if pixels > limits.pixels:
        raise UploadError(
            f"The picture {name} has {image.width} × {image.height} pixels; "
            f"at most {limits.pixels} are accepted, so make it smaller."
        )
    unpacked = pixels * len(image.getbands())
    if unpacked > RATIO_FROM_BYTES:
        limits.check_unpacked(f"The picture {name}", unpacked, len(data))
    kind = image.format or ""
    one_copy = _MODE_BYTES.get(image.mode, 4)
    # TIFF is unpacked in strips, and one strip may be all of it.
    held = _HELD.get(kind, 2 * one_copy if kind == "TIFF" else one_copy) + _GREY_BYTES
    if kind == "JPEG" and data.count(_START_OF_SCAN) <= 1:
        held = one_copy + _GREY_BYTES
    if pixels * held > limits.memory_for(len(data)):
        raise UploadError(
            f"The picture {name} has {image.width} × {image.height} pixels, which take {held} bytes each to "
            f"decode as {kind} of this kind: {megabytes(limits.memory_for(len(data)))} are there for a file "
            "of its size, so make it smaller."
        )
    if kind == "JPEG" and data.count(_START_OF_SCAN) > _MOST_SCANS:
        raise UploadError(
            f"The picture {name} is packed in more than {_MOST_SCANS} scans, as files made to take long are; "
            "save it again."
        )


def grey_values(image: Image.Image) -> npt.NDArray[np.uint8]:
    """Return a picture as grey values, some lines at a time so that no second copy is as large as it."""
    image.load()
    # Pillow would cut wide values off at 255 instead of scaling them.
    wide = image.mode in ("I", "F") or image.mode.startswith("I;16")
    grey = np.empty((image.height, image.width), dtype=np.uint8)
    low, high = _range(image) if wide else (0.0, 0.0)
    for top, band in _bands(image):
        grey[top : top + band.height] = _scaled(band, low, high) if wide else _on_paper(band, image)
    return grey


def _bands(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    for top in range(0, image.height, _BAND):
        yield top, image.crop((0, top, image.width, min(top + _BAND, image.height)))


def _range(image: Image.Image) -> tuple[float, float]:
    values = (np.asarray(band, dtype=np.float32) for _, band in _bands(image))
    ends = np.array([(band.min(), band.max()) for band in values], dtype=np.float64)
    # The least and the largest of numbers are finite only if all of them are.
    if not np.isfinite(ends).all():
        raise ValueError("a picture with values that are not numbers")
    return min(float(ends.min()), 0.0), float(ends.max())


def _scaled(band: Image.Image, low: float, high: float) -> npt.NDArray[np.uint8]:
    values = np.asarray(band, dtype=np.float32)
    top = 65535.0 if 255 < high <= 65535 and low == 0 else max(high, low + 1e-30)
    return np.asarray(np.round((values - np.float32(low)) * np.float32(255 / (top - low))), dtype=np.uint8)


def _on_paper(band: Image.Image, image: Image.Image) -> npt.NDArray[np.uint8]:
    if band.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        # What is see-through is paper: on black, a drawing in black ink would vanish.
        layer = band.convert("LA")
        paper = Image.new("L", layer.size, 255)
        paper.paste(layer.getchannel("L"), mask=layer.getchannel("A"))
        return np.asarray(paper, dtype=np.uint8)
    return np.asarray(band.convert("L"), dtype=np.uint8)
