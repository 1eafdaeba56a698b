"""Hoyer's sparseness: how uneven the entries of a row are, and the nearest row that is so sparse."""

from __future__ import annotations

import numpy as np

from methods.typing import Array


def sparseness(rows: Array) -> Array:
    """Return Hoyer's sparseness of each row: 0 where entries are even, 1 where there is only one."""
    root = np.sqrt(rows.shape[1])
    lengths = np.linalg.norm(rows, axis=1)
    spread = np.divide(np.abs(rows).sum(axis=1), lengths, out=np.full(len(rows), root), where=lengths > 0)
    return np.asarray((root - spread) / (root - 1)) if root > 1 else np.zeros(len(rows))


def most_alike(point: Array, hoyer: float) -> Array:
    """Return the h ≥ 0 of length 1 and of this sparseness for which ⟨point, h⟩ is largest (Hoyer, 2004).

    It is the nearest such h: entries move along the line from the middle of the simplex, and those that would
    fall below zero are set to it until none does.
    """
    size = len(point)
    total = np.sqrt(size) - hoyer * (np.sqrt(size) - 1)
    largest = float(np.abs(point).max())
    s = point.astype(np.float64) / (largest or 1.0)
    # Entries that are all alike name no direction: the first may stand out.
    s[0] += 1e-9
    s += (total - s.sum()) / size
    free = np.ones(size, bool)
    for _ in range(size):
        middle = np.where(free, total / free.sum(), 0.0)
        out = np.where(free, s - middle, 0.0)
        a, b, c = out @ out, middle @ out, middle @ middle - 1
        reach = (-b + np.sqrt(max(b * b - a * c, 0.0))) / a if a > 0 else 0.0
        s = middle + reach * out
        below = s < 0
        if not below.any():
            break
        free &= ~below
        s[below] = 0
        s[free] -= (s.sum() - total) / free.sum()
    return np.asarray(s, dtype=point.dtype)
