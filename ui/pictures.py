"""Arrays as pictures: montages of parts and samples, small enough to send ten times a second."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Theme = Literal["light", "dark"]
_GAP, _NARROW_GAP = 2, 1
_SMALL_TILE = 24
_LIGHT_PAPER, _DARK_PAPER = 253, 18
# Lines between tiles: parts that are mostly paper need an edge to be told apart.
_RULE = {"light": 214, "dark": 62}
# What one picture of a frame may take, so that ten frames a second are no burden on a slow line.
FRAME_BYTES = 42_000
_QUALITIES = (75, 55, 40)
_SMALL_PICTURE = 60_000
_MOST_TILES = 400
# Pictures whose lightest pixel is darker than this are on another scale than from 0 to 1.
_DARKEST_WHITE = 0.5
_TABLE = (640, 512)
# Parts look the same in both themes, and light in them always adds brightness (`static/ink.js` says the
# same): from dark to light, and where something may be taken away from dark orange over grey: nothing.
DARK, LIGHT = 18, 250
SIGNED = ((122, 52, 0), (128, 130, 132), (232, 246, 255))
KEY = {
    False: "Light adds brightness.",
    True: "Light adds brightness, dark orange takes it away, grey is nothing.",
}


@dataclass(frozen=True)
class Sheet:
    """A montage: the picture and where its tiles are."""

    image: Image.Image
    columns: int
    rows: int
    tile: tuple[int, int]
    gap: int
    count: int

    def grid(self) -> dict[str, Any]:
        """Return what the browser needs to find a tile under the pointer."""
        height, width = self.tile
        return {
            "columns": self.columns,
            "rows": self.rows,
            "count": self.count,
            "gap": self.gap,
            "tile": list(self.tile),
            "size": [
                self.columns * (width + self.gap) - self.gap,
                self.rows * (height + self.gap) - self.gap,
            ],
        }


def parts_sheet(parts: NDArray[Any], shape: tuple[int, int] | None, theme: Theme, *, signed: bool) -> Sheet:
    """Return parts as tiles, each scaled to its own largest entry.

    Light adds brightness; `KEY` says it in words. Parts that are not images are drawn as rows of a table.
    """
    if shape is None:
        return table_sheet(parts)
    tiles = parts[:_MOST_TILES].reshape(-1, *shape)
    scale = np.abs(tiles).max(axis=(1, 2), keepdims=True)
    return _tiled(inked(tiles / np.where(scale > 0, scale, 1), signed=signed), theme)


def table_sheet(rows: NDArray[Any]) -> Sheet:
    """Return a table as a picture, each row scaled to its own largest entry."""
    scale = np.abs(rows).max(axis=1, keepdims=True)
    values = inked(rows / np.where(scale > 0, scale, 1), signed=bool((rows < 0).any()))
    image = Image.fromarray(values).resize(_TABLE, Image.Resampling.NEAREST)
    return Sheet(image, 1, 1, (image.height, image.width), 0, len(rows))


def side_by_side(pairs: NDArray[Any], shape: tuple[int, int], theme: Theme, columns: int) -> Sheet:
    """Return pairs of samples (pairs × 2 × pixels) as tiles; a margin shows which two belong together."""
    height, width = shape
    margin = max(1, round(width / 16))
    tiles = np.full((len(pairs), height + 2 * margin, 2 * (width + margin)), _paper(theme) / 255)
    for place in (0, 1):
        left = margin + place * width
        tiles[:, margin:-margin, left : left + width] = pairs[:, place].reshape(-1, height, width)
    return samples_sheet(tiles, (tiles.shape[1], tiles.shape[2]), theme, columns)


def samples_sheet(
    samples: NDArray[Any], shape: tuple[int, int], theme: Theme, columns: int | None = None
) -> Sheet:
    """Return samples as tiles, white for 1 and black for 0 whatever the theme."""
    tiles = np.clip(samples.reshape(-1, *shape), 0, 1)
    return _tiled((tiles * 255).astype(np.uint8), theme, columns)


def in_shades(pictures: NDArray[Any]) -> NDArray[Any]:
    """Return pictures from 0 to 1; on a scale of their own if theirs is another one, as of rows of length 1.

    >>> in_shades(np.array([[-0.1, 0.0, 0.3]])).round(2).tolist()
    [[0.0, 0.25, 1.0]]
    """
    low, high = min(0.0, float(pictures.min())), float(pictures.max())
    if low == 0 and _DARKEST_WHITE <= high <= 1:
        return pictures
    return np.asarray((pictures - low) / (high - low if high > low else 1))


def smaller(sheet: Sheet, width: int) -> Sheet:
    """Return the sheet no wider than `width`; its grid keeps the coordinates it had."""
    if sheet.image.width <= width:
        return sheet
    height = round(sheet.image.height * width / sheet.image.width)
    return replace(sheet, image=sheet.image.resize((width, height), Image.Resampling.LANCZOS))


def compressed(image: Image.Image, budget: int | None) -> bytes:
    """Return the picture as JPEG, as fine as the budget allows; a small one without any loss as WebP.

    JPEG takes a tenth of the time that WebP does, of which many visitors' pictures have little.
    """
    if image.width * image.height <= _SMALL_PICTURE:
        # Shown much larger than it is: what compression does to neighbouring pixels would be seen.
        exact = _encoded(image, "WEBP", quality=10, method=0, lossless=True)  # A number for effort.
        if budget is None or len(exact) <= budget:
            return exact
    if budget is None:
        return _encoded(image, "JPEG", quality=90, subsampling=0)
    for quality in _QUALITIES:
        encoded = _encoded(image, "JPEG", quality=quality)
        if len(encoded) <= budget:
            return encoded
    # Only the first few frames of a random start are like this: half the size says as much.
    return _encoded(image.reduce(2), "JPEG", quality=_QUALITIES[0])


def _encoded(image: Image.Image, kind: str, **how: Any) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **how)
    return buffer.getvalue()


def inked(tiles: NDArray[Any], *, signed: bool = False) -> NDArray[np.uint8]:
    """Return entries of at most ±1 as shades: the more, the lighter."""
    if signed:
        low, middle, high = (np.array(colour, dtype=float) for colour in SIGNED)
        weight = np.clip(tiles, -1, 1)[..., None]
        colours = middle + np.maximum(weight, 0) * (high - middle) + np.maximum(-weight, 0) * (low - middle)
        return np.asarray(colours, dtype=np.uint8)
    return np.asarray(DARK + np.clip(tiles, 0, 1) * (LIGHT - DARK), dtype=np.uint8)


def _tiled(tiles: NDArray[np.uint8], theme: Theme, columns: int | None = None) -> Sheet:
    count, height, width = tiles.shape[:3]
    columns = columns or _columns_for(count, height, width)
    rows = -(-count // columns)
    # Small tiles are shown large, and the lines between them with them.
    gap = _GAP if min(height, width) >= _SMALL_TILE else _NARROW_GAP
    paper = _paper(theme)
    channels = tiles.shape[3:]
    canvas = np.full((rows * (height + gap), columns * (width + gap), *channels), paper, np.uint8)
    cells = canvas.reshape(rows, height + gap, columns, width + gap, *channels)
    for index in range(count):
        cells[index // columns, :, index % columns] = _RULE[theme]
        cells[index // columns, :height, index % columns, :width] = tiles[index]
    image = Image.fromarray(canvas[:-gap, :-gap])
    return Sheet(image, columns, rows, (height, width), gap, count)


def _paper(theme: Theme) -> int:
    return _LIGHT_PAPER if theme == "light" else _DARK_PAPER


def _columns_for(count: int, height: int, width: int) -> int:
    # Somewhat wider than high: that is the place it has beside the curve.
    wide = max(1, round((count * height / width * 1.25) ** 0.5))
    return int(min(count, wide))
