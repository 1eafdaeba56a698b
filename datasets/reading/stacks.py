"""Stacks of pictures: arrays of three sides, of which one counts the samples; with colour, of four."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from datasets.reading.draft import is_sparse

# So much of each side is looked at.
_LOOKED_AT = 120
# Neighbouring pixels differ less than pictures do: by this share at most, for that to decide.
_SMOOTHER = 0.85
_COLOURS = (1, 3, 4)
# Smaller sides are measurements of a sample, not pixels.
_SMALLEST_SIDE = 6

Shapes = dict[int, tuple[int, int]]


def flattened(arrays: Mapping[str, Any], labels: Collection[int]) -> tuple[dict[str, Any], Shapes]:
    """Return the arrays with a row for each picture of a stack, and the shape of pictures of so many pixels.

    `labels` holds how many labels there are: a side of that length counts the samples.
    """
    made: dict[str, Any] = {}
    shapes: Shapes = {}

    def flat(value: Any) -> Any:
        if isinstance(value, list):
            return [flat(item) for item in value]
        if is_sparse(value) or not isinstance(value, np.ndarray) or value.dtype.kind not in "buif":
            return value
        if value.ndim not in (3, 4) or 0 in value.shape:
            return value
        stack = value if value.ndim == 3 else _grey(value)
        if stack.ndim == 3:
            stack = np.moveaxis(stack, samples_side(stack, labels), 0)
            height, width = stack.shape[1:]
            if min(height, width) >= _SMALLEST_SIDE:
                shapes[height * width] = (height, width)
        return stack.reshape(len(stack), -1)

    for name, value in arrays.items():
        made[name] = flat(value)
    return made, shapes


def samples_side(stack: npt.NDArray[Any], labels: Collection[int]) -> int:
    """Return the side that counts the samples: as long as the labels, or along which pictures differ most.

    >>> pictures = np.random.default_rng(0).random((9, 1, 1)) + np.zeros((9, 12, 10))
    >>> samples_side(pictures, ()), samples_side(np.moveaxis(pictures, 0, 1), ())
    (0, 1)
    """
    fitting = [side for side in range(3) if stack.shape[side] in labels]
    if len(fitting) == 1:
        return fitting[0]
    part = stack[:_LOOKED_AT, :_LOOKED_AT, :_LOOKED_AT].astype(np.float64)
    rough = [
        float(np.abs(np.diff(part, axis=side)).mean()) if part.shape[side] > 1 else 0 for side in range(3)
    ]
    *_, second, first = sorted(range(3), key=rough.__getitem__)
    if rough[second] < _SMOOTHER * rough[first]:
        return first
    # The odd one out.
    a, b, c = stack.shape
    return 2 if a == b != c or (a != c and b != c and abs(a - b) < abs(b - c)) else 0


def _grey(value: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return pictures of three colours in grey; what has no side of colours as it is."""
    # The side of 3 or 4; grey is enough for parts.
    colours = [side for side in (1, 2, 3) if value.shape[side] in _COLOURS]
    if not colours:
        return value
    grey: npt.NDArray[Any] = value.mean(axis=colours[-1] if value.shape[0] != 1 else 0, dtype=np.float32)
    return grey
