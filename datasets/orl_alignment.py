"""ORL faces turned, scaled and moved so that the eyes are at the same place in every picture.

The positions of the eyes are in orl_eyes.csv; scripts/locate_eyes.py says how they were found.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from math import ceil
from pathlib import Path

import numpy as np
from PIL import Image

# Where the eyes come to lie, as shares of width and height: the crop holds brows, mouth and cheeks.
LEFT_EYE = (0.29, 0.36)
RIGHT_EYE = (0.71, 0.36)
# Turned at twice the resolution of the pictures, then made smaller: turning alone would alias.
_SHARP = 148
# Where the crop reaches beyond the picture, its edge is continued.
_MARGIN = 60
Eyes = tuple[float, float, float, float]


@lru_cache(maxsize=1)
def eyes() -> dict[tuple[int, int], Eyes]:
    """Return x and y of both eyes (left one of the picture first) by person and picture number."""
    with Path(__file__).with_name("orl_eyes.csv").open(encoding="ascii", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return {
        (int(person), int(picture)): (float(a), float(b), float(c), float(d))
        for person, picture, a, b, c, d in rows
    }


def aligned(image: Image.Image, at: Eyes, size: int) -> Image.Image:
    """Return a size x size crop of a grey image whose eyes are at `LEFT_EYE` and `RIGHT_EYE`."""
    wide = size * ceil(_SHARP / size)
    padded = Image.fromarray(np.pad(np.asarray(image), _MARGIN, mode="edge"))
    turned = padded.transform(
        (wide, wide), Image.Transform.AFFINE, _back(at, wide), resample=Image.Resampling.BICUBIC
    )
    return turned.resize((size, size), Image.Resampling.LANCZOS)


def _back(at: Eyes, wide: int) -> tuple[float, ...]:
    """Return the map from places in the crop to places in the padded picture, as Pillow takes it.

    Turning and scaling is multiplication by one complex number. A pixel's middle is half a pixel
    from its corner, which is where Pillow counts from.
    """
    left, right = (complex(x + 0.5 + _MARGIN, y + 0.5 + _MARGIN) for x, y in (at[:2], at[2:]))
    left_to, right_to = (complex(*place) * wide for place in (LEFT_EYE, RIGHT_EYE))
    turn = (right - left) / (right_to - left_to)
    shift = left - turn * left_to
    return (turn.real, -turn.imag, shift.real, turn.imag, turn.real, shift.imag)
