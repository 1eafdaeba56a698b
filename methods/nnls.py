"""Exact non-negative least squares for many rows at once, by block principal pivoting.

    min ‖x_i − z_i H‖²  over  z_i ≥ 0   for every row i

(Kim and Park, 2011.) All rows move together: in each round every row that is not yet optimal exchanges the
entries that have the wrong sign, and all their systems are solved in one stacked call.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from methods.typing import Array

# A row exchanges all wrong entries at once as long as that makes them fewer; it gets this many failures
# before it must exchange one at a time, which cannot go in circles.
_PATIENCE = 3
# More rounds than any row needs that is getting anywhere (ten are usual).
_ROUNDS = 200
# Stacked systems are solved in portions of about this many numbers (64 MB).
_PORTION = 2**23


def least_squares(H: Array, X: Any) -> Array:
    """Return the coefficients Z ≥ 0 that minimise ‖X − ZH‖, in double precision."""
    parts = np.asarray(H, np.float64)
    return from_gram(parts @ parts.T, np.asarray(X @ parts.T, np.float64))


def from_gram(gram: Array, targets: Array) -> Array:
    """Return Z ≥ 0 that minimises ½ z gram zᵀ − z·target for every row of `targets`."""
    k = len(gram)
    # Unit diagonal: one tolerance then suits all parts. A part that is zero takes no weight.
    scale = np.sqrt(np.diagonal(gram))
    used = scale > 0
    inverse = np.divide(1, scale, out=np.zeros(k), where=used)
    unit = gram * np.multiply.outer(inverse, inverse)
    # Too small to be seen in the result, it decides between parts that are copies of each other.
    unit[np.diag_indices(k)] = 1 + 4 * k * np.finfo(np.float64).eps
    scaled_targets = targets * inverse
    portion = max(1, _PORTION // max(1, k * k))
    solved = [
        _pivot(unit, scaled_targets[i : i + portion], used) for i in range(0, len(scaled_targets), portion)
    ]
    return np.concatenate(solved) * inverse if solved else np.zeros((0, k))


def _pivot(gram: Array, targets: Array, used: Array) -> Array:
    rows, k = targets.shape
    # Starting from what least squares without signs would keep saves most of the rounds.
    passive = (np.linalg.solve(gram, targets.T).T > 0) & used
    Z, slope = _solve(gram, targets, passive)
    fewest, patience = np.full(rows, k + 1), np.full(rows, _PATIENCE)
    tolerance = 1e-12 * np.abs(targets).max(axis=1, initial=0)[:, None]
    for _ in range(_ROUNDS):
        wrong = (passive & (-tolerance > Z)) | (~passive & used & (slope < -tolerance))
        count = wrong.sum(axis=1)
        active = np.flatnonzero(count)
        if not active.size:
            return np.maximum(Z, 0)
        fewer = count < fewest
        patience = np.where(fewer, _PATIENCE, patience - 1)
        fewest = np.minimum(fewest, count)
        stuck = active[patience[active] < 0]
        last = k - 1 - wrong[stuck, ::-1].argmax(axis=1)
        wrong[stuck] = False
        wrong[stuck, last] = True
        passive ^= wrong
        Z[active], slope[active] = _solve(gram, targets[active], passive[active])
    # Rounding can send a row in circles between parts that are almost copies: an active set cannot.
    root = np.linalg.cholesky(gram)
    for row in active:
        Z[row] = optimize.nnls(root.T, np.linalg.solve(root, targets[row]))[0] * used
    return np.maximum(Z, 0)


def _solve(gram: Array, targets: Array, passive: Array) -> tuple[Array, Array]:
    """Return the least squares on each row's passive entries (0 elsewhere), and the slope there."""
    systems = gram * (passive[:, :, None] & passive[:, None, :])
    diagonal = np.arange(len(gram))
    systems[:, diagonal, diagonal] += ~passive
    Z = np.linalg.solve(systems, (targets * passive)[:, :, None])[:, :, 0]
    return Z, Z @ gram - targets
