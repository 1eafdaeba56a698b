"""Pictures as others store them: faces, digits and textures of many sizes, both orders of pixels.

None of the pictures is among those that `datasets.reading.upright` compares with: other people, other
digits, and digits drawn from a font.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont
from scipy.ndimage import gaussian_filter
from sklearn.datasets import load_digits

import datasets

Pictures = npt.NDArray[Any]
SIZES = ((22, 22), (15, 16), (16, 15), (28, 28), (16, 16), (32, 32), (40, 32))


@dataclass(frozen=True)
class Layout:
    """Upright pictures of a kind, and the rows a foreign file holds of them."""

    kind: str
    order: str
    pictures: Pictures

    @property
    def rows(self) -> Pictures:
        stored = self.pictures if self.order == "rows" else self.pictures.transpose(0, 2, 1)
        return np.ascontiguousarray(stored).reshape(len(stored), -1)


def layouts() -> Iterator[Layout]:
    """Every kind of picture in every size and both orders."""
    for kind, make in KINDS.items():
        for size in SIZES:
            pictures = make(size)
            for order in ("rows", "columns"):
                yield Layout(kind, order, pictures)


def resized(pictures: Pictures, size: tuple[int, int]) -> Pictures:
    height, width = size
    shrunk = (Image.fromarray(p.astype(np.float32)).resize((width, height), 4) for p in pictures)
    return np.stack([np.asarray(picture) for picture in shrunk])


@cache
def _orl(crop: str) -> Pictures:
    ds = datasets.load("orl", size=64, crop=crop)
    others = np.flatnonzero(np.asarray(ds.y) % 2 == 1)
    return np.asarray(ds.X)[others].reshape(-1, 64, 64)


def _lit(pictures: Pictures, one_side: bool) -> Pictures:
    """Faces lit from random sides, or all from the same."""
    rng = np.random.default_rng(0)
    across = np.linspace(0, 1, pictures.shape[2])
    strength = np.full(len(pictures), 0.9) if one_side else rng.uniform(-1, 1, len(pictures))
    shade = [1 - abs(s) * (across if s > 0 else 1 - across) for s in strength]
    return pictures * np.clip(np.array(shade), 0, 1)[:, None, :]


def faces(size: tuple[int, int], crop: str = "plain") -> Pictures:
    return resized(_orl(crop), size)


def tight_faces(size: tuple[int, int]) -> Pictures:
    return resized(_orl("plain")[:, 14:-4, 8:-8], size)


def turned_faces(size: tuple[int, int], side: int) -> Pictures:
    """Faces that look past the camera, as far as a crop beside the middle can show that."""
    return resized(np.roll(_orl("plain"), 10 * side, axis=2)[:, 8:, 8:-8], size)


def few_faces(size: tuple[int, int]) -> Pictures:
    return faces(size)[::20]


def handwriting(size: tuple[int, int], ink: float = 1.0) -> Pictures:
    """Digits in the middle of a margin, as MNIST and USPS have them, in white or black ink."""
    digits = load_digits().images[300:600] / 16
    margin = 1 if min(size) < 20 else 4
    inner = resized(digits, (size[0] - 2 * margin, size[1] - 2 * margin))
    made = np.zeros((len(digits), *size), dtype=np.float32)
    made[:, margin:-margin, margin:-margin] = inner
    return made if ink > 0 else 1 - made


def printed(size: tuple[int, int]) -> Pictures:
    """Digits of a font, moved and tilted."""
    rng = np.random.default_rng(1)
    font: Any = ImageFont.load_default(size=40)
    made = []
    for number in range(200):
        image = Image.new("L", (48, 48))
        place = 10 + rng.integers(-4, 5), -2 + rng.integers(-4, 5)
        ImageDraw.Draw(image).text(place, str(number % 10), font=font, fill=255)
        made.append(np.asarray(image.rotate(float(rng.uniform(-12, 12)))) / 255)
    return resized(np.array(made), size)


def one_digit(size: tuple[int, int]) -> Pictures:
    bunch = load_digits()
    return resized(bunch.images[300:][bunch.target[300:] == 1] / 16, size)


def grain(size: tuple[int, int], across: float, down: float) -> Pictures:
    noise = np.random.default_rng(2).random((200, *size))
    smooth = gaussian_filter(noise, (0, down, across))
    return (smooth - smooth.min()) / np.ptp(smooth)


def waves(size: tuple[int, int]) -> Pictures:
    rng = np.random.default_rng(3)
    lines = np.arange(size[0])[:, None] * rng.uniform(0.3, 0.6, (200, 1, 1)) + rng.uniform(0, 6, (200, 1, 1))
    return np.sin(lines) / 2 + 0.5 + 0.05 * rng.random((200, *size))


def bars(size: tuple[int, int]) -> Pictures:
    rng = np.random.default_rng(4)
    made = 0.05 * rng.random((200, *size))
    for picture in made:
        begin = rng.integers(0, size[1] - 3)
        picture[:, begin : begin + 3] += 0.9
    return made


def discs(size: tuple[int, int]) -> Pictures:
    """Light spots on a ground that darkens downwards: things, but neither faces nor digits."""
    rng = np.random.default_rng(5)
    down, across = np.mgrid[: size[0], : size[1]]
    made = []
    for _ in range(200):
        y, x, r = rng.uniform(4, size[0] - 4), rng.uniform(4, size[1] - 4), rng.uniform(3, 6)
        made.append(0.5 * np.exp(-((down - y) ** 2 + (across - x) ** 2) / r**2) + 0.5 * (1 - down / size[0]))
    return np.array(made)


KINDS: dict[str, Callable[[tuple[int, int]], Pictures]] = {
    "faces": faces,
    "faces, aligned": lambda size: faces(size, "aligned"),
    "faces, tight": tight_faces,
    "faces, few": few_faces,
    "faces, looking left": lambda size: turned_faces(size, -1),
    "faces, looking right": lambda size: turned_faces(size, 1),
    "faces, lit from all sides": lambda size: _lit(faces(size), False),
    "faces, lit from one side": lambda size: _lit(faces(size), True),
    "digits": handwriting,
    "digits in black ink": lambda size: handwriting(size, -1),
    "digits, printed": printed,
    "digits, one kind": one_digit,
    "texture": lambda size: grain(size, 1.5, 1.5),
    "texture with a grain": lambda size: grain(size, 3, 1),
    "waves": waves,
    "bars": bars,
    "discs": discs,
}
