"""Are these rows pictures, of what shape, and were their pixels stored row by row or column by column?

Files hold rows of numbers; a shape is rarely written down. Two observations bring it back:

* pixels of a picture resemble their neighbours, so the right height and width make the picture
  smooth in both directions, a wrong width only in one;
* turning a picture on its side leaves it exactly as smooth, so that cannot tell row-major from
  column-major when the shape is square or unknown. What is up is told by what the pictures show
  (`upright`). Where they do not say, the habit of the program that wrote the file is a guess, and
  whoever handed it over is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.dataset import FloatArray
from datasets.reading.upright import Verdict
from datasets.reading.upright import verdict as verdict_on

SMALLEST = 36
SAMPLES = 200
# Neighbours must differ by less than this share of what two random pixels differ by.
SMOOTH = 0.85
MOST_OBLONG = 2.0
# How much rougher one direction may be than the other.
MOST_UNEVEN = 2.5
# Of a known, oblong shape the two readings must differ in roughness by this share to decide.
DECISIVE = 0.9
# And so must the best two shapes of unknown pictures, for the better one to be clear.
CLEAR = 0.95
PIXELS = ("rows", "columns")


@dataclass(frozen=True)
class PixelLayout:
    """Height and width of upright pictures, and whether the file had their columns one after the other."""

    shape: tuple[int, int]
    by_columns: bool
    certain: bool


def layout(
    views: Sequence[FloatArray],
    *,
    columns_usual: bool,
    shape: tuple[int, int] | None = None,
    pixels: str | None = None,
    stack: tuple[int, int] | None = None,
) -> PixelLayout | None:
    """Say how rows are pictures; None if they are not. `shape` is the upright shape, if known.

    Views of one size were stored alike: one that is sure decides for all. `columns_usual` is the answer where
    the pictures do not say: MATLAB stores columns. `pixels` is that of whoever knows: "rows" or "columns".
    `stack` is the height and width of pictures that the file holds as such: they lie only if they show it.
    """
    samples = [_sample(X) for X in views]
    sample = np.concatenate(samples)
    grid = _grid(sample, shape) if stack is None else _of_stack(sample, *stack)
    if grid is None:
        return None
    lines, along = grid.lines, grid.along
    if pixels is not None:
        by_columns, certain = pixels == "columns", True
    elif shape is not None and lines != along:
        by_columns, certain = _by_smoothness(sample, lines, along)
    else:
        leaning, certain = _together([verdict_on(one.reshape(-1, lines, along)) for one in samples])
        by_columns = leaning < 0 if leaning else columns_usual
        if stack is not None and not certain:
            by_columns, certain = False, True
    if shape is not None:
        return PixelLayout(shape, by_columns, certain)
    shape = (along, lines) if by_columns else (lines, along)
    return PixelLayout(shape, by_columns, certain and (grid.clear or pixels is not None))


def are_pictures(X: FloatArray) -> bool:
    """Say whether rows are pictures of some shape."""
    return _grid(_sample(X), None) is not None


def _sample(X: FloatArray) -> FloatArray:
    rows = np.linspace(0, len(X) - 1, min(len(X), SAMPLES)).astype(int)
    return np.asarray(X[rows], dtype=np.float64)


def _together(verdicts: Sequence[Verdict]) -> tuple[float, bool]:
    """Return which way several views lean, and whether that is sure: some are, and none says otherwise."""
    sure = [verdict.leaning > 0 for verdict in verdicts if verdict.certain]
    counted = [verdict.leaning for verdict in verdicts if verdict.certain or not sure]
    return float(np.mean(counted)), len(set(sure)) == 1


def _by_smoothness(sample: FloatArray, height: int, width: int) -> tuple[bool, bool]:
    """Return whether pictures of a known, oblong shape were stored by columns, and whether that is sure."""
    ways = [sample.reshape(-1, height, width), sample.reshape(-1, width, height)]
    by_rows, by_columns = (_roughness(way) for way in ways)
    rough, rougher = sorted((by_rows, by_columns))
    # Lines and bars are smooth in one direction alone, in which a wrong reading may be smoother yet.
    even = rough <= MOST_UNEVEN * _roughness(ways[by_columns < by_rows], pick=min)
    return by_columns < by_rows, even and rough < DECISIVE * rougher


@dataclass(frozen=True)
class _Grid:
    """How rows are broken into lines, and whether that is clear: another way is far less smooth."""

    lines: int
    along: int
    clear: bool = True


def _grid(sample: FloatArray, shape: tuple[int, int] | None) -> _Grid | None:
    """Return the smoothest way to break rows into lines; None if there is none that is smooth enough."""
    features = sample.shape[1]
    if shape is not None:
        return _Grid(*shape)
    apart = _typical_difference(sample) if features >= SMALLEST else 0.0
    ways = []
    for lines in range(2, features // 2 + 1 if apart > 0 else 2):
        along, left_over = divmod(features, lines)
        if left_over or max(lines, along) > MOST_OBLONG * min(lines, along):
            continue
        pictures = sample.reshape(-1, lines, along)
        rough = _roughness(pictures)
        # A curve (a spectrum, a series) is smooth along the line, and as smooth as its length allows across.
        if rough > MOST_UNEVEN * _roughness(pictures, pick=min):
            continue
        # Equal to the last digits: a square is likelier than an oblong.
        ways.append((rough / (1.05 if lines == along else 1.0), lines, along))
    smooth = sorted(way for way in ways if way[0] < SMOOTH * apart)
    if not smooth:
        return None
    rough, lines, along = smooth[0]
    return _Grid(lines, along, clear=len(smooth) < 2 or CLEAR * smooth[1][0] > rough)


def _of_stack(sample: FloatArray, height: int, width: int) -> _Grid | None:
    """Return the lines of pictures of a stack; None if they are not smooth, so no pictures."""
    rough = _roughness(sample.reshape(-1, height, width))
    return _Grid(height, width) if rough < SMOOTH * _typical_difference(sample) else None


def _typical_difference(sample: FloatArray) -> float:
    shuffled = np.random.default_rng(0).permutation(sample.shape[1])
    return float(np.abs(sample - sample[:, shuffled]).mean())


def _roughness(pictures: npt.NDArray[Any], pick: Callable[[float, float], float] = max) -> float:
    """Return how much neighbours differ in the worse (or by `pick` the better) of both directions."""
    down, across = np.abs(np.diff(pictures, axis=1)).mean(), np.abs(np.diff(pictures, axis=2)).mean()
    return pick(float(down), float(across))
