"""Three objects painted in code, to cover a face with something one meets in life.

Each is painted large and shrunk to the requested size, so its edges blend with what is behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Thing = Literal["piggy bank", "strawberry", "can"]
Grey = npt.NDArray[np.float64]

# Painted on a square of this many pixels, in coordinates from 0 to 100.
_SIDE = 400
_DARK, _LIGHT = 45, 235


@lru_cache(maxsize=256)
def painted(thing: Thing, size: int) -> tuple[Grey, Grey]:
    """Return the shades of an object of `size` x `size` pixels and how much it hides of each (0 to 1)."""
    if thing not in get_args(Thing):
        raise ValueError(f"thing must be one of {', '.join(get_args(Thing))}, not {thing!r}")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}")
    shade, cover = _large(thing)
    # Shades are averaged over what is covered alone: nothing from outside may shine through at the edges.
    smaller = [_shrunk(part, size) for part in (shade * cover, cover)]
    hidden = np.clip(smaller[1], 0, 1)
    shades = np.clip(np.divide(smaller[0], hidden, out=np.zeros_like(hidden), where=hidden > 1e-3), 0, 1)
    shades.flags.writeable = hidden.flags.writeable = False
    return shades, hidden


@lru_cache(maxsize=3)
def _large(thing: Thing) -> tuple[Grey, Grey]:
    painters: dict[Thing, Callable[[], tuple[Image.Image, Image.Image]]] = {
        "piggy bank": _piggy_bank,
        "strawberry": _strawberry,
        "can": _can,
    }
    picture, mask = painters[thing]()
    return np.asarray(picture, np.float64) / 255, np.asarray(mask, np.float64) / 255


def _shrunk(part: Grey, size: int) -> Grey:
    picture = Image.fromarray(part.astype(np.float32)).resize((size, size), Image.Resampling.BOX)
    return np.asarray(picture, np.float64)


class _Brush:
    """Paints filled shapes in coordinates from 0 to 100, each in its shade and into the outline."""

    def __init__(self) -> None:
        self.picture, self.mask = Image.new("L", (_SIDE, _SIDE)), Image.new("L", (_SIDE, _SIDE))
        self._shades, self._outline = ImageDraw.Draw(self.picture), ImageDraw.Draw(self.mask)

    def ellipse(self, left: float, top: float, right: float, bottom: float, shade: int) -> None:
        for draw, value in ((self._shades, shade), (self._outline, 255)):
            draw.ellipse([_px(left), _px(top), _px(right), _px(bottom)], fill=value)

    def polygon(self, corners: list[tuple[float, float]], shade: int) -> None:
        points = [(_px(x), _px(y)) for x, y in corners]
        for draw, value in ((self._shades, shade), (self._outline, 255)):
            draw.polygon(points, fill=value)

    def line(self, points: list[tuple[float, float]], width: float, shade: int) -> None:
        path = [(_px(x), _px(y)) for x, y in points]
        for draw, value in ((self._shades, shade), (self._outline, 255)):
            draw.line(path, fill=value, width=round(_px(width)), joint="curve")

    def shaded(self, light: Grey) -> tuple[Image.Image, Image.Image]:
        """Return picture and outline, the picture multiplied by the light that falls on it."""
        lit = np.clip(np.asarray(self.picture, np.float64) * light, 0, 255)
        return Image.fromarray(lit.astype(np.uint8)), self.mask


def _px(position: float) -> float:
    return position * _SIDE / 100


def _grid() -> tuple[Grey, Grey]:
    along = (np.arange(_SIDE) + 0.5) * 100 / _SIDE
    return along[None, :], along[:, None]


def _piggy_bank() -> tuple[Image.Image, Image.Image]:
    """A pig in profile that looks to the right, a coin half way into the slot in its back."""
    brush = _Brush()
    brush.ellipse(36, 2, 58, 24, 225)  # the coin
    brush.ellipse(39, 5, 55, 21, 165)
    for left in (20, 34, 56, 70):  # legs, the far ones darker
        brush.polygon([(left, 66), (left + 11, 66), (left + 10, 96), (left + 1, 96)], 120 + left % 4 * 20)
    brush.line([(10, 50), (4, 44), (3, 37), (8, 34), (11, 39)], 3, 130)  # the tail
    brush.ellipse(6, 18, 84, 84, 185)  # the body
    brush.ellipse(58, 26, 94, 68, 185)  # the head
    brush.polygon([(60, 34), (64, 12), (80, 28)], 140)  # an ear
    brush.ellipse(84, 42, 99, 64, 150)  # the snout
    brush.ellipse(89, 47, 92, 53, _DARK)
    brush.ellipse(89, 55, 92, 61, _DARK)
    brush.ellipse(75, 36, 81, 43, 25)  # the eye
    brush.line([(76, 62), (82, 65), (87, 64)], 1.6, 80)  # the mouth
    brush.line([(36, 23), (60, 23)], 3, 30)  # the slot
    return brush.shaded(1.12 - 0.42 * np.clip((_grid()[1] - 20) / 75, 0, 1))


def _strawberry() -> tuple[Image.Image, Image.Image]:
    """A berry that comes to a point below, with seeds in rows and a crown of leaves."""
    brush = _Brush()
    angle = np.linspace(0, 2 * np.pi, 200)
    # A heart without its dent: wide shoulders, then a curve down to the point.
    x = 50 + 44 * np.sin(angle) * (1 - 0.22 * (1 - np.cos(angle)) ** 1.15)
    y = 57 - 39 * np.cos(angle) + 3
    brush.polygon(list(zip(x.tolist(), y.tolist(), strict=True)), 105)
    for row, (height, count, width) in enumerate(
        ((36, 4, 50), (48, 5, 62), (60, 4, 46), (72, 3, 30), (84, 2, 14))
    ):
        for column in range(count):
            middle = 50 + width * ((column / (count - 1)) - 0.5) + (row % 2) * 1.5
            brush.ellipse(middle - 2, height - 3, middle + 2, height + 3, _LIGHT)
    for tip_x, tip_y in ((14, 22), (30, 36), (50, 40), (70, 36), (86, 22)):
        brush.polygon([(42, 14), (tip_x, tip_y), (58, 14)], 60)
    brush.ellipse(34, 8, 66, 22, 60)
    brush.line([(50, 14), (54, 2)], 5, 75)
    x_at, y_at = _grid()
    far = ((x_at - 36) / 60) ** 2 + ((y_at - 44) / 66) ** 2
    return brush.shaded(1.25 - 0.5 * np.clip(far, 0, 1))


def _can() -> tuple[Image.Image, Image.Image]:
    """A drinks can: a cylinder that narrows at both ends, a broad label, the ring on its lid."""
    brush = _Brush()
    brush.polygon([(22, 12), (78, 12), (86, 22), (86, 86), (78, 95), (22, 95), (14, 86), (14, 22)], 200)
    brush.ellipse(22, 88, 78, 99, 200)
    brush.polygon([(14, 32), (86, 32), (86, 76), (14, 76)], 85)  # the label
    brush.polygon([(14, 60), (86, 40), (86, 50), (14, 70)], _LIGHT)
    brush.ellipse(32, 40, 54, 60, _LIGHT)
    brush.ellipse(36, 44, 50, 56, 85)
    brush.line([(14, 24), (86, 24)], 1.5, 130)
    brush.line([(14, 84), (86, 84)], 1.5, 130)
    x = _grid()[0]
    # Light comes from the left: a bright stripe, then darker and darker towards the right edge.
    round_light = 0.62 + 0.62 * np.exp(-(((x - 32) / 13) ** 2)) - 0.22 * ((x - 50) / 50)
    picture, mask = brush.shaded(round_light)
    lid = ImageDraw.Draw(picture)
    lid.ellipse([_px(22), _px(5), _px(78), _px(19)], fill=215, outline=70, width=round(_px(1.2)))
    lid.ellipse([_px(42), _px(8), _px(62), _px(15)], fill=70)
    lid.ellipse([_px(46), _px(9.5), _px(58), _px(13.5)], fill=215)
    ImageDraw.Draw(mask).ellipse([_px(22), _px(5), _px(78), _px(19)], fill=255)
    return picture, mask
