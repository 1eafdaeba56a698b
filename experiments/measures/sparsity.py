"""Sparsity: how far each component is a part (few, close features) rather than a whole.

Components are rows. Signed ones (PCA) are measured by absolute value. No measure changes when a
component is scaled, except `energy`, which does not change when the embedding is scaled back.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Values: TypeAlias = npt.NDArray[np.float64]


def hoyer(components: npt.ArrayLike) -> Values:
    """Return Hoyer's sparsity of each row: (sqrt(n) - |w|_1 / |w|_2) / (sqrt(n) - 1).

    0 if all entries are equally large, 1 if only one is not zero. A row of zeros has all entries
    equal and gets 0, so dead components do not pass for sparse ones; so does a row of one entry.

    Examples
    --------
    >>> hoyer([[1, 1, 1, 1], [0, 0, -3, 0], [0, 0, 0, 0]])
    array([0., 1., 0.])
    """
    weights = _weights(components)
    root = np.sqrt(weights.shape[1])
    if root == 1:
        return np.zeros(len(weights))
    norms = np.linalg.norm(weights, axis=1)
    alive = norms > 0
    # |w|_1 / |w|_2 is sqrt(n) for equal entries, which is what a row of zeros counts as.
    ratios = np.full(len(weights), root)
    np.divide(weights.sum(axis=1), norms, out=ratios, where=alive)
    sparsity: Values = np.clip((root - ratios) / (root - 1), 0, 1)
    return sparsity


def zero_fraction(components: npt.ArrayLike, relative_threshold: float = 1e-3) -> Values:
    """Return the share of entries of each row at most `relative_threshold` times its largest.

    Multiplicative updates only approach zero, hence the threshold. In a row of zeros all entries
    are zero: 1.

    Examples
    --------
    >>> zero_fraction([[1.0, 1e-5, 0.0, -0.5]])
    array([0.5])
    """
    if not 0 <= relative_threshold < 1:
        raise ValueError(f"relative_threshold must be at least 0 and below 1, not {relative_threshold}")
    # The largest entry of a row that is not all zeros is 1 here.
    shares: Values = np.mean(_weights(components) <= relative_threshold, axis=1, dtype=np.float64)
    return shares


def spatial_concentration(components: npt.ArrayLike, image_shape: tuple[int, int]) -> Values:
    """Return how close together in the image the weight of each component lies, in [0, 1].

    The radius of a component is the root mean square distance of its weight |w| from its own
    centre of mass. The value is 1 - radius / (radius of an evenly lit image): 1 if all weight is
    in one pixel, 0.5 if it reaches half as far as an evenly lit image, 0 for an evenly lit image
    and for weight even farther apart, such as opposite edges. It does not depend on where the
    component lies, nor (but for rounding to pixels) on the resolution. Two small distant spots
    count as far apart, however sparse they are. A row of zeros, and an image of one pixel, get 0.

    Examples
    --------
    >>> spatial_concentration([[0, 2, 0, 0], [1, 1, 1, 1], [1, 0, 0, 1]], (2, 2))
    array([1., 0., 0.])
    """
    weights = _weights(components)
    height, width = image_shape
    if height * width != weights.shape[1]:
        raise ValueError(
            f"image_shape {height}x{width} means {height * width} pixels; rows have {weights.shape[1]}"
        )
    even_square = (height**2 - 1 + width**2 - 1) / 12
    totals = weights.sum(axis=1)
    if even_square == 0:
        return np.zeros(len(weights))
    shares = weights / np.where(totals > 0, totals, 1)[:, np.newaxis]
    shares = shares.reshape(-1, height, width)
    radius_square = _variance(shares.sum(axis=2)) + _variance(shares.sum(axis=1))
    return np.where(totals > 0, np.clip(1 - np.sqrt(radius_square / even_square), 0, 1), 0.0)


def energy(components: npt.ArrayLike, embedding: npt.ArrayLike) -> Values:
    """Return the energy of each component's share of the reconstruction.

    That is the squared Frobenius norm of (its column of the embedding) x (its row of the
    components). Where components overlap, the energies do not add up to that of the whole.
    """
    rows = _matrix("components", components)
    columns = _matrix("embedding", embedding)
    if columns.shape[1] != len(rows):
        raise ValueError(
            f"embedding has {columns.shape[1]} columns for {len(rows)} components; they must agree"
        )
    squares: Values = np.einsum("ij,ij->i", rows, rows) * np.einsum("ij,ij->j", columns, columns)
    return squares


def _variance(shares: Values) -> Values:
    # Of the coordinate along one axis of the image, each row of shares adding up to 1.
    places = np.arange(shares.shape[1], dtype=np.float64)
    offsets = places - (shares @ places)[:, np.newaxis]
    spread: Values = np.einsum("ij,ij->i", shares, offsets**2)
    return spread


def _weights(components: npt.ArrayLike) -> Values:
    # Absolute values, the largest of each row made 1: scale-free, and safe to square.
    weights = np.abs(_matrix("components", components))
    largest = weights.max(axis=1, keepdims=True)
    scaled: Values = weights / np.where(largest > 0, largest, 1)
    return scaled


def _matrix(name: str, values: npt.ArrayLike) -> Values:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(f"{name} must have rows and columns; its shape is {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise ValueError(f"{name} holds NaN or infinite values")
    return matrix
