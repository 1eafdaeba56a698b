"""Views made from images: pixels, local binary patterns, oriented gradients.

The three see different things: brightness, texture, and edges. All are non-negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.schema import Option

ALL_VIEWS = "pixels+textures+edges"
VIEWS = Option(
    "views",
    "choice",
    "pixels",
    choices=("pixels", ALL_VIEWS),
    choice_labels=("pixels", "pixels, textures and edges"),
    meaning="Pixels alone, or with them local binary patterns (texture) and oriented gradients (edges).",
)
Images = npt.NDArray[np.float32]

# A cell is a square of about this many pixels; small pictures have smaller ones.
CELL = 8
FEWEST_CELLS = 2
ORIENTATIONS = 9
# The eight neighbours of a pixel, clockwise from the upper left.
_NEIGHBOURS = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
# Keeps blocks without any edge from being stretched to noise.
_QUIET = 1e-6
# No direction may take more than this of a block (Dalal and Triggs): glaring edges hide all others.
_CLIP = 0.2


def image_views(pixels: Images, shape: tuple[int, int], views: str) -> dict[str, Images]:
    """Return the views of an option like "pixels+textures+edges", by name, pixels first."""
    made = {"pixels": pixels}
    for name in views.split("+")[1:]:
        made[name] = _MAKERS[name](pixels, shape)
    return made


def room_needed(samples: int, shape: tuple[int, int]) -> int:
    """Return how many numbers all views together hold, the pixels too; 0 if pictures are too small for them.

    >>> room_needed(400, (64, 64)) == 400 * (64 * 64 + 8 * 8 * 59 + 7 * 7 * 4 * 9)
    True
    """
    if min(shape) < FEWEST_CELLS:
        return 0
    down, across = cell_counts(shape)
    patterns = int(_uniform_bins().max()) + 1
    features = shape[0] * shape[1] + down * across * patterns + (down - 1) * (across - 1) * 4 * ORIENTATIONS
    return samples * features


def lbp(pixels: Images, shape: tuple[int, int]) -> Images:
    """Return histograms of uniform local binary patterns, one for each cell.

    A pixel's pattern says which of its eight neighbours are at least as bright. The 58 patterns
    that change at most twice on the way round (spots, edges, corners) are counted one by
    one, all others together (Ojala, Pietikäinen and Mäenpää, 2002). Every histogram sums to 1.
    """
    images = pixels.reshape(-1, *shape)
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)), mode="edge")
    height, width = shape
    codes = np.zeros(images.shape, dtype=np.uint8)
    for bit, (down, across) in enumerate(_NEIGHBOURS):
        neighbour = padded[:, 1 + down : 1 + down + height, 1 + across : 1 + across + width]
        codes |= (neighbour >= images).astype(np.uint8) << np.uint8(bit)
    bins = _uniform_bins()
    return _histograms(bins[codes], None, shape, int(bins.max()) + 1, share=True)


def hog(pixels: Images, shape: tuple[int, int]) -> Images:
    """Return histograms of oriented gradients (Dalal and Triggs, 2005).

    In each cell, edges are counted by their direction (nine, regardless of which side is bright),
    weighted by their strength and shared between the two nearest directions. Every block of 2x2
    cells is scaled to length 1, clipped and scaled again, which takes the lighting out.
    """
    images = pixels.reshape(-1, *shape)
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)), mode="edge")
    down = (padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]) / 2
    across = (padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]) / 2
    strength = np.hypot(down, across)
    direction = np.mod(np.arctan2(down, across), np.pi) * (ORIENTATIONS / np.pi) - 0.5
    lower = np.floor(direction)
    upper_share = (direction - lower).astype(np.float32)
    first = lower.astype(np.int64) % ORIENTATIONS
    cells = _histograms(first, strength * (1 - upper_share), shape, ORIENTATIONS)
    cells += _histograms((first + 1) % ORIENTATIONS, strength * upper_share, shape, ORIENTATIONS)
    return _blocks(cells.reshape(len(images), *cell_counts(shape), ORIENTATIONS))


def cell_counts(shape: tuple[int, int]) -> tuple[int, int]:
    """Return how many cells there are down and across."""
    height, width = (max(FEWEST_CELLS, round(side / CELL)) for side in shape)
    return height, width


def _uniform_bins() -> npt.NDArray[np.int64]:
    """Return the bin of each of the 256 patterns; those that change more than twice share the last."""
    patterns = np.arange(256, dtype=np.uint8)
    bits = np.unpackbits(patterns[:, np.newaxis], axis=1)
    uniform = (bits != np.roll(bits, 1, axis=1)).sum(axis=1) <= 2
    bins = np.full(256, uniform.sum(), dtype=np.int64)
    bins[uniform] = np.arange(uniform.sum())
    return bins


def _histograms(
    values: npt.NDArray[np.int64],
    weights: npt.NDArray[Any] | None,
    shape: tuple[int, int],
    n_bins: int,
    *,
    share: bool = False,
) -> Images:
    """Return for each image, cell by cell, how often (or with what weight) each value occurs."""
    cells_down, cells_across = cell_counts(shape)
    rows = np.arange(shape[0]) * cells_down // shape[0]
    columns = np.arange(shape[1]) * cells_across // shape[1]
    cell = rows[:, np.newaxis] * cells_across + columns
    n_features = cells_down * cells_across * n_bins
    counted = np.empty((len(values), n_features), dtype=np.float32)
    # One image at a time: the indices of all at once would take more memory than the images.
    for index, image in enumerate(values):
        places = (cell * n_bins + image).ravel()
        weight = None if weights is None else weights[index].ravel()
        counted[index] = np.bincount(places, weight, minlength=n_features)
    if share:
        counted /= np.repeat(np.bincount(cell.ravel()), n_bins).astype(np.float32)
    return counted


def _blocks(cells: Images) -> Images:
    """Return all blocks of 2x2 neighbouring cells, normalized, as one row an image."""
    quarters = (cells[:, :-1, :-1], cells[:, :-1, 1:], cells[:, 1:, :-1], cells[:, 1:, 1:])
    blocks = np.concatenate(quarters, axis=-1)
    blocks = _unit(np.minimum(_unit(blocks), np.float32(_CLIP)))
    return np.asarray(blocks.reshape(len(blocks), -1), dtype=np.float32)


def _unit(blocks: Images) -> Images:
    length = np.sqrt(np.square(blocks).sum(axis=-1, keepdims=True) + np.float32(_QUIET))
    return np.asarray(blocks / length)


_MAKERS = {"textures": lbp, "edges": hog}
