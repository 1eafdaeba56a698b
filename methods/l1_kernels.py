"""The inner loops of the ℓ1 graph of many samples: what is not a product of matrices, in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from methods.compilation import compiled


@compiled
def shrink(
    C: Any, G: Any, own: Any, threshold: Any, relaxation: Any, counts: Any, columns: Any, values: Any
) -> None:
    """Apply the soft threshold to C − 2G and over-relax C; what it leaves of each row is listed.

    Row i has `counts[i]` entries that are not zero, in `columns[i]` with `values[i]`; `own[i]` never is one.
    """
    rows, length = C.shape
    less = relaxation - np.float32(1)
    for i in range(rows):
        count = 0
        for j in range(length):
            v = C[i, j] - np.float32(2) * G[i, j]
            C[i, j] = relaxation * G[i, j] - less * C[i, j]
            if abs(v) > threshold and j != own[i]:
                columns[i, count] = j
                values[i, count] = v - threshold if v > 0 else v + threshold
                count += 1
        counts[i] = count
        for at in range(count):
            C[i, columns[i, at]] += relaxation * values[i, at]


@compiled
def mixtures(
    counts: Any, columns: Any, values: Any, M: Any, starts: Any, places: Any, weights: Any, out: Any
) -> None:
    """Put the sums of rows of M, by the listed entries, into `out`: each row of M is read once for all.

    `starts`, `places` and `weights` are room to sort the entries by the row of M.
    """
    starts[:] = 0
    out[:] = 0
    for i in range(counts.size):
        for at in range(counts[i]):
            starts[columns[i, at] + 1] += 1
    for j in range(1, starts.size):
        starts[j] += starts[j - 1]
    for i in range(counts.size):
        for at in range(counts[i]):
            place = starts[columns[i, at]]
            places[place], weights[place] = i, values[i, at]
            starts[columns[i, at]] = place + 1
    first = 0
    for j in range(M.shape[0]):
        for place in range(first, starts[j]):
            i, weight = places[place], weights[place]
            for k in range(M.shape[1]):
                out[i, k] += weight * M[j, k]
        first = starts[j]


@compiled
def largest(G: Any, own: Any, out: Any) -> None:
    """Put the largest absolute entry of each row, that of its own sample aside, into `out`."""
    for i in range(G.shape[0]):
        aside = G[i, own[i]]
        G[i, own[i]] = 0
        most = np.float32(0)
        for j in range(G.shape[1]):
            most = max(most, abs(G[i, j]))
        G[i, own[i]] = aside
        out[i] = most


@compiled
def approach(mean: Any, G: Any, share: Any) -> None:
    """Move a running mean towards G by a share of the way."""
    for i in range(G.shape[0]):
        for j in range(G.shape[1]):
            mean[i, j] += share[i] * (G[i, j] - mean[i, j])
