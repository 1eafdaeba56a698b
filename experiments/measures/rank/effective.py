"""A criterion that needs no fit: how many directions stand out of the noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import integrate, linalg

from methods.typing import Array, is_sparse


def effective_rank(X: Any, *, values: Array | None = None) -> int:
    """Return how many singular values are above those that noise of the same size would make.

    The threshold is the best for noise of unknown size (Gavish and Donoho, 2014): a multiple of the median
    singular value. `values` are the singular values, if they are at hand. Of no use for data that are sparse,
    where most of the singular values say little of noise; refused there.

    >>> rng = np.random.default_rng(0)
    >>> effective_rank(rng.random((80, 5)) @ rng.random((5, 50)) + 0.01 * rng.standard_normal((80, 50)))
    5
    """
    if is_sparse(X):
        raise ValueError(
            "effective_rank measures noise in dense data: choose another criterion for sparse X."
        )
    n, m = X.shape
    if values is None:
        values = linalg.svdvals(np.asarray(X, np.float64))
    ratio = min(n, m) / max(n, m)
    inner = ratio + 1 + np.sqrt(ratio**2 + 14 * ratio + 1)
    factor = np.sqrt(2 * (ratio + 1) + 8 * ratio / inner) / np.sqrt(median_of_noise(ratio))
    rounding = values[0] * max(n, m) * np.finfo(np.float64).eps
    return int((values > max(factor * float(np.median(values)), rounding)).sum())


def median_of_noise(ratio: float) -> float:
    """Return the median of the Marchenko–Pastur law, of squared singular values of noise of this shape."""
    low, high = (1 - np.sqrt(ratio)) ** 2, (1 + np.sqrt(ratio)) ** 2

    def density(x: float) -> float:
        return float(np.sqrt(max((high - x) * (x - low), 0)) / (2 * np.pi * ratio * x))

    left, right = low, high
    for _ in range(50):
        middle = (left + right) / 2
        below = integrate.quad(density, low, middle, limit=200)[0]
        left, right = (middle, right) if below < 0.5 else (left, middle)
    return float((left + right) / 2)
