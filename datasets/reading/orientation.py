"""Are these rows pictures, of what shape, and were their pixels stored row by row or column by column?

Files hold rows of numbers; a shape is rarely written down. Three observations bring it back:

* pixels of a picture resemble their neighbours, so the right height and width make the picture
  smooth in both directions, a wrong width only in one;
* turning a picture on its side leaves it exactly as smooth, so that cannot tell row-major from
  column-major when the shape is square or unknown. But the world has a top and a bottom, while its
  left and right are much alike: the mean picture is closer to its mirror image than to itself
  upside down. Faces are told apart without fail; digits are alike both ways, and then the habit
  of the program that wrote the file decides, and the reader says that it is a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.dataset import FloatArray

SMALLEST = 36
SAMPLES = 200
# Neighbours must differ by less than this share of what two random pixels differ by.
SMOOTH = 0.85
MOST_OBLONG = 2.0
# How much rougher one direction may be than the other.
MOST_UNEVEN = 2.5
# Below this difference between the two readings nothing is decided by it.
DECISIVE = 0.1


@dataclass(frozen=True)
class PixelLayout:
    """Height and width of upright pictures, and whether the file had their columns one after the other."""

    shape: tuple[int, int]
    by_columns: bool
    certain: bool


def layout(X: FloatArray, *, columns_usual: bool, shape: tuple[int, int] | None = None) -> PixelLayout | None:
    """Guess how rows of X are pictures; None if they are not. `shape` is the upright shape, if known.

    `columns_usual` is the answer where the pixels do not say: MATLAB stores columns.
    """
    sample = X[np.linspace(0, len(X) - 1, min(len(X), SAMPLES)).astype(int)].astype(np.float64)
    grid = _grid(sample, shape)
    if grid is None:
        return None
    height, width = grid
    read_by_rows = sample.reshape(-1, height, width)
    verdict = _upright(read_by_rows)
    square = height == width
    if shape is not None and not square:
        # A known, oblong shape: the smoother of its two readings is the stored one.
        turned = sample.reshape(-1, width, height).transpose(0, 2, 1)
        by_columns = _roughness(turned) < _roughness(read_by_rows)
        return PixelLayout(shape, by_columns, certain=True)
    certain = abs(verdict) > DECISIVE
    by_columns = verdict < 0 if certain else columns_usual
    return PixelLayout((width, height) if by_columns else (height, width), by_columns, certain)


def _grid(sample: FloatArray, shape: tuple[int, int] | None) -> tuple[int, int] | None:
    """Return (lines, pixels a line) of the smoothest way to break rows into lines."""
    features = sample.shape[1]
    if shape is not None:
        return shape
    if features < SMALLEST:
        return None
    apart = _typical_difference(sample)
    if apart <= 0:
        return None
    best, least = None, SMOOTH * apart
    for lines in range(2, features // 2 + 1):
        along, left_over = divmod(features, lines)
        if left_over or max(lines, along) > MOST_OBLONG * min(lines, along):
            continue
        pictures = sample.reshape(-1, lines, along)
        rough = _roughness(pictures)
        # A curve (a spectrum, a series) is smooth along the line, and as smooth as its length allows across.
        if rough > MOST_UNEVEN * _roughness(pictures, pick=min):
            continue
        # Equal to the last digits: a square is likelier than an oblong.
        if rough < least * (1.0 if lines != along else 1.05):
            best, least = (lines, along), rough
    return best


def _typical_difference(sample: FloatArray) -> float:
    shuffled = np.random.default_rng(0).permutation(sample.shape[1])
    return float(np.abs(sample - sample[:, shuffled]).mean())


def _roughness(pictures: npt.NDArray[Any], pick: Callable[[float, float], float] = max) -> float:
    """Return how much neighbours differ in the worse (or by `pick` the better) of both directions."""
    down, across = np.abs(np.diff(pictures, axis=1)).mean(), np.abs(np.diff(pictures, axis=2)).mean()
    return pick(float(down), float(across))


def _upright(pictures: npt.NDArray[Any]) -> float:
    """Return how sure it is that pictures are upright: above 0 upright, below 0 lying on their side."""
    mean = pictures.mean(axis=0)
    sideways, downwards = float(np.abs(mean - mean[:, ::-1]).mean()), float(np.abs(mean - mean[::-1]).mean())
    return (downwards - sideways) / max(downwards + sideways, 1e-300)
