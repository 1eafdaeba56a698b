"""Corruption: spoil images in a controlled, repeatable way, to see what recognition survives.

`occlude` lays a patch over them; `spoil` does that or adds noise, depending on the kind.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar, cast, get_args

import numpy as np
import numpy.typing as npt

from experiments.requests.noise import NOISES, Noise, add_noise
from experiments.requests.objects import Thing, painted

Shade = Literal["grey", "black", "white"]
Field = Literal["noise", "texture"]
Patch = Literal[Shade, Field, Thing]

FloatArray = npt.NDArray[np.floating[Any]]
Kind = Patch | Noise
KINDS: tuple[Patch, ...] = get_args(Patch)

_Float = TypeVar("_Float", bound=np.floating[Any])

_SHADES = {"grey": 0.5, "black": 0.0, "white": 1.0}
# A texture has blotches this many times smaller than the image.
_BLOTCHES = 28


def occlude(
    images: npt.NDArray[_Float],
    image_shape: tuple[int, int],
    size: int = 20,
    kind: Patch = "grey",
    seed: int = 0,
    position: tuple[int, int] | None = None,
) -> npt.NDArray[_Float]:
    """Cover a square patch of each image.

    Without a `position` each image gets a random one. It depends on the seed and on the row's
    place in `images` only, and a larger patch covers the smaller one, so that the effect of size
    is not mixed with that of luck.

    Parameters
    ----------
    images : float array (pixels,) or (images, pixels)
        One image or many, row by row, in [0, 1].
    image_shape : (height, width)
    size : int
        Side of the patch in pixels; 0 changes nothing.
    kind : {"grey", "black", "white", "noise", "texture", "piggy bank", "strawberry", "can"}
        What the patch shows: one shade, or for each pixel one drawn evenly from [0, 1), or blotches, or
        an object; beside an object the image stays as it was. A larger patch shows more of the same
        noise and texture, but the whole of an object.
    seed : int
        Decides positions, noise and texture.
    position : (top, left), optional
        The upper left pixel of the patch, the same in all images.

    Returns
    -------
    array like `images`
        A copy; the dtype is kept.
    """
    height, width = image_shape
    _check(images, image_shape, size, kind, seed)
    out = images.copy().reshape(-1, height, width)
    if position is None:
        corners = _random_corners(len(out), height - size, width - size, seed)
    else:
        _check_position(position, height - size, width - size)
        corners = np.broadcast_to(np.array(position, dtype=np.int64), (len(out), 2))
    side = np.arange(size)
    rows = corners[:, 0, np.newaxis, np.newaxis] + side[:, np.newaxis]
    columns = corners[:, 1, np.newaxis, np.newaxis] + side
    images_of = np.arange(len(out))[:, np.newaxis, np.newaxis]
    out[images_of, rows, columns] = _covered(out[images_of, rows, columns], kind, image_shape, seed)
    return out.reshape(images.shape)


def is_noise(kind: str) -> bool:
    """Return whether a kind of corruption is noise all over the image, and not a patch."""
    return kind in NOISES


def largest_amount(kind: str, image_shape: tuple[int, int]) -> int:
    """Return the most there can be of a kind: pixels of a patch's side, or percent of noise."""
    return 100 if is_noise(kind) else min(image_shape)


def settings(kind: str, amount: int) -> dict[str, Any]:
    """Return the corruption of a run request: a patch of `amount` pixels, or `amount` percent of noise."""
    return {"kind": kind, "level": amount / 100} if is_noise(kind) else {"kind": kind, "size": amount}


def spoil(
    images: npt.NDArray[_Float],
    image_shape: tuple[int, int],
    *,
    kind: Kind,
    seed: int = 0,
    size: int = 20,
    level: float = 0.2,
    position: tuple[int, int] | None = None,
) -> npt.NDArray[_Float]:
    """Return images with a patch of a size (and perhaps at a position), or with noise of a level.

    >>> faces = np.full((1, 4), 0.25)
    >>> spoil(faces, (2, 2), kind="white", size=2).tolist()
    [[1.0, 1.0, 1.0, 1.0]]
    >>> spoil(faces, (2, 2), **settings("gaussian", 0)).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    if kind in NOISES:
        return add_noise(images, level, kind, seed)
    return occlude(images, image_shape, size, cast("Patch", kind), seed, position)


def left_uncovered(
    n_images: int,
    image_shape: tuple[int, int],
    *,
    kind: Kind,
    seed: int = 0,
    size: int = 20,
    position: tuple[int, int] | None = None,
) -> npt.NDArray[np.bool_]:
    """Return where `occlude` leaves so many images as they are: one row of pixels an image.

    A pixel of which an object hides only a part counts as covered.

    >>> left_uncovered(1, (2, 3), kind="grey", size=1, position=(0, 1)).tolist()
    [[True, False, True, True, True, True]]
    """
    if is_noise(kind):
        raise ValueError("Noise lies all over the image: no pixel is known to be left as it was.")
    black, white = (
        occlude(np.full((n_images, image_shape[0] * image_shape[1]), behind, np.float32), image_shape, size,
                cast("Patch", kind), seed, position)
        for behind in (0.0, 1.0)
    )  # fmt: skip
    return np.asarray((black == 0) & (white == 1))


def patch(kind: Patch, image_shape: tuple[int, int], seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return what `occlude` lays over the first image where it is as large as it can be: shades and cover.

    Both are square. Of noise and texture a smaller patch shows the upper left corner; an object is
    painted anew, smaller.
    """
    side = min(image_shape)
    black, white = (
        _covered(np.full((1, side, side), behind), kind, image_shape, seed)[0] for behind in (0.0, 1.0)
    )
    cover = 1 - (white - black)
    return np.divide(black, cover, out=np.zeros_like(black), where=cover > 0), cover


def _random_corners(n: int, last_top: int, last_left: int, seed: int) -> npt.NDArray[np.int64]:
    # One pair of random shares an image, whatever the size: so a larger patch covers a smaller one.
    shares = np.random.default_rng([seed, 0]).random((n, 2))
    corners: npt.NDArray[np.int64] = (shares * [last_top + 1, last_left + 1]).astype(np.int64)
    return corners


def _covered(behind: FloatArray, kind: Patch, image_shape: tuple[int, int], seed: int) -> FloatArray:
    """Return what is seen of square pieces of images, stacked, once the patch lies over them."""
    n, size = behind.shape[:2]
    if kind in _SHADES:
        return np.full_like(behind, _SHADES[kind])
    if kind in get_args(Field):
        return _field(kind, n, image_shape, seed)[:, :size, :size].astype(behind.dtype)
    if size == 0:
        return behind
    shades, cover = painted(kind, size)
    return (behind * (1 - cover) + shades * cover).astype(behind.dtype)


def _field(kind: str, n: int, image_shape: tuple[int, int], seed: int) -> npt.NDArray[np.float64]:
    """Return noise for whole images: drawn whatever the size of the patch, so that sizes compare."""
    noise = np.random.default_rng([seed, 1]).random((n, *image_shape))
    if kind == "noise":
        return noise
    blotch = max(0.7, min(image_shape) / _BLOTCHES)
    from scipy import ndimage  # Not before the first page.

    smooth = ndimage.gaussian_filter(noise, (0, blotch, blotch), mode="wrap")
    smooth -= smooth.mean(axis=(1, 2), keepdims=True)
    deviation = smooth.std(axis=(1, 2), keepdims=True)
    return np.clip(0.5 + 0.28 * smooth / np.where(deviation > 0, deviation, 1), 0, 1)


def _check(images: npt.NDArray[Any], image_shape: tuple[int, int], size: int, kind: Patch, seed: int) -> None:
    height, width = image_shape
    if not np.issubdtype(images.dtype, np.floating):
        raise ValueError(f"images must be a float array with values in [0, 1], not {images.dtype}")
    if images.ndim not in (1, 2) or images.shape[-1] != height * width:
        raise ValueError(
            f"images has shape {images.shape}; image_shape {height}x{width} needs rows of "
            f"{height * width} pixels"
        )
    if not 0 <= size <= min(height, width):
        raise ValueError(
            f"size must be from 0 to {min(height, width)} for {height}x{width} images, not {size}"
        )
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if seed < 0:
        raise ValueError(f"seed must be at least 0, not {seed}")


def _check_position(position: tuple[int, int], last_top: int, last_left: int) -> None:
    top, left = position
    if not (0 <= top <= last_top and 0 <= left <= last_left):
        raise ValueError(
            f"position {tuple(position)} puts the patch outside the image; "
            f"top may be 0 to {last_top}, left 0 to {last_left}"
        )
