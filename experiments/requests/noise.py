"""Noise: spoil every pixel a little, or some pixels altogether, in a repeatable way."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

Noise = Literal["salt and pepper", "gaussian", "uniform"]
NOISES: tuple[Noise, ...] = get_args(Noise)

_Float = TypeVar("_Float", bound=np.floating[Any])


def add_noise(
    images: npt.NDArray[_Float], level: float = 0.2, kind: Noise = "salt and pepper", seed: int = 0
) -> npt.NDArray[_Float]:
    """Add noise to each image, and cut what leaves [0, 1].

    The noise of a row depends on the seed and on the row's place in `images` only, and grows with the
    level without changing its pattern, so that the effect of the level is not mixed with that of luck.

    Parameters
    ----------
    images : float array (pixels,) or (images, pixels)
        One image or many, row by row, in [0, 1].
    level : float
        From 0 to 1. For salt and pepper the share of pixels that turn white or black; for Gaussian noise
        its standard deviation; for uniform noise the largest change of a pixel, up or down.
    kind : {"salt and pepper", "gaussian", "uniform"}
    seed : int
        Decides the pattern.

    Returns
    -------
    array like `images`
        A copy; the dtype is kept.
    """
    _check(images, level, kind, seed)
    rows = images.reshape(-1, images.shape[-1])
    rng = np.random.default_rng([seed, 2])
    if kind == "gaussian":
        spoiled = rows + level * rng.standard_normal(rows.shape)
    elif kind == "uniform":
        spoiled = rows + level * rng.uniform(-1, 1, rows.shape)
    else:
        hit, white = np.moveaxis(rng.random((len(rows), 2, rows.shape[1])), 1, 0)
        spoiled = np.where(hit < level, white < 0.5, rows)
    return np.clip(spoiled, 0, 1).astype(images.dtype).reshape(images.shape)


def _check(images: npt.NDArray[Any], level: float, kind: Noise, seed: int) -> None:
    if not np.issubdtype(images.dtype, np.floating):
        raise ValueError(f"images must be a float array with values in [0, 1], not {images.dtype}")
    if not 0 <= level <= 1:
        raise ValueError(f"level must be from 0 to 1, not {level}")
    if kind not in NOISES:
        raise ValueError(f"kind must be one of {', '.join(NOISES)}, not {kind!r}")
    if seed < 0:
        raise ValueError(f"seed must be at least 0, not {seed}")
