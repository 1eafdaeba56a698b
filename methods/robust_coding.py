"""Robust non-negative coding of many rows at once: what does not fit a row counts less.

    min  Σ_j h(x_ij − (z_i H)_j)  over  z_i ≥ 0,   h(r) = r²/2 up to δ_i and δ_i|r| − δ_i²/2 beyond

(Huber's function.) The same as min ½‖x − zH − e‖² + δ‖e‖₁, where e takes what does not belong to the
sample, a patch over a face for instance. A few rounds solve for z and e in turn, each exactly; then all rows
move together by Newton steps on three sets at once: the parts in use, and the entries too high and too low.
Where no set changes any more the answer is exact.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from methods import nnls
from methods.typing import Array

# Rounds of solving in turn before Newton steps, and how many of these before turning back.
_TURNS, _NEWTON = 3, 25
# Turning back is for rows whose Newton steps go in circles; each time they solve in turn for longer.
_ATTEMPTS = 6
# 95 % as sure as least squares where nothing is spoiled (Huber), for noise measured by its median.
_EFFICIENT, _MEDIAN_TO_DEVIATION = 1.345, 1.4826
_PORTION = 2**23


def robust_codes(H: Array, X: Any, delta: Array | float | None = None) -> Array:
    """Return the coefficients Z ≥ 0 of rows, in double precision.

    `delta` says from where on an entry counts as spoiled, for all rows or for each; left out, it follows
    from how well most of the row's entries fit.
    """
    parts, rows = np.asarray(H, np.float64), np.asarray(X, np.float64)
    length = np.linalg.norm(parts, axis=1)
    parts = parts / np.where(length > 0, length, 1)[:, None]
    Z = nnls.least_squares(parts, rows)
    if delta is None:
        # Least squares lets what is spoiled spoil the rest too: look once more from nearer.
        Z = _in_turn(parts, parts @ parts.T, rows, usual_delta(rows - Z @ parts), Z, _TURNS)
        each = usual_delta(rows - Z @ parts)
    else:
        each = np.broadcast_to(delta, len(rows)).astype(np.float64)
    if (each <= 0).any():
        raise ValueError("delta must be above 0.")
    portion = max(1, _PORTION // max(1, parts.shape[0] ** 2 + parts.shape[1]))
    blocks = [
        _solved(parts, rows[i : i + portion], each[i : i + portion], Z[i : i + portion])
        for i in range(0, len(rows), portion)
    ]
    codes = np.concatenate(blocks) if blocks else Z
    return np.asarray(codes / np.where(length > 0, length, 1))


def usual_delta(residuals: Array) -> Array:
    """Return from where on an entry of a row counts as spoiled, given what a fit leaves of it."""
    middle = np.median(np.abs(residuals), axis=1)
    largest = np.abs(residuals).max(axis=1, initial=0)
    return np.asarray(np.maximum(_EFFICIENT * _MEDIAN_TO_DEVIATION * middle, 1e-6 * largest + 1e-12))


def _solved(H: Array, X: Array, delta: Array, Z: Array) -> Array:
    gram, open_rows, turns = H @ H.T, np.arange(len(X)), _TURNS
    for _ in range(_ATTEMPTS):
        Z[open_rows] = _in_turn(H, gram, X[open_rows], delta[open_rows], Z[open_rows], turns)
        Z[open_rows], settled = _newton(H, gram, X[open_rows], delta[open_rows], Z[open_rows])
        open_rows, turns = open_rows[~settled], 4 * turns
        if not open_rows.size:
            break
    return Z


def _in_turn(H: Array, gram: Array, X: Array, delta: Array, Z: Array, turns: int) -> Array:
    """Solve for the outlying residuals and for the coefficients in turn: the objective never rises."""
    for _ in range(turns):
        left = X - Z @ H
        spoiled = left - np.clip(left, -delta[:, None], delta[:, None])
        Z = nnls.from_gram(gram, (X - spoiled) @ H.T)
    return Z


def _newton(H: Array, gram: Array, X: Array, delta: Array, Z: Array) -> tuple[Array, Array]:
    """Return coefficients where Newton's steps end, the old ones where they do not, and which do."""
    used = np.diagonal(gram) > 0
    solutions, settled, moving = Z.copy(), np.zeros(len(X), dtype=bool), np.arange(len(X))
    passive, side = Z > 0, _sides(X - Z @ H, delta)
    for _ in range(_NEWTON):
        proposed, slope = _step(H, gram, X[moving], delta[moving], passive, side)
        tolerance = 1e-11 * np.abs(proposed).max(axis=1, initial=0)[:, None] + 1e-14
        next_passive = used & np.where(passive, proposed > -tolerance, slope < -tolerance)
        sides = _sides(X[moving] - proposed @ H, delta[moving])
        done = (next_passive == passive).all(axis=1) & (sides == side).all(axis=1)
        solutions[moving[done]], settled[moving[done]] = np.maximum(proposed[done], 0), True
        moving, passive, side = moving[~done], next_passive[~done], sides[~done]
        if not moving.size:
            break
    return solutions, settled


def _sides(residuals: Array, delta: Array) -> Array:
    """Return 1 where an entry is too high to count in full, -1 where it is too low."""
    reach = delta[:, None]
    return np.asarray((residuals > reach).astype(np.int8) - (residuals < -reach).astype(np.int8))


def _step(H: Array, gram: Array, X: Array, delta: Array, passive: Array, side: Array) -> tuple[Array, Array]:
    """Return the coefficients of the parts in use that fit best while the sets stay, and the slopes."""
    k = len(gram)
    grams = np.repeat(gram[None], len(X), axis=0)
    for row, outside in enumerate(side != 0):
        excluded = H[:, outside]
        grams[row] -= excluded @ excluded.T
    targets = np.where(side == 0, X, delta[:, None] * side) @ H.T
    systems = grams * (passive[:, :, None] & passive[:, None, :])
    diagonal = np.arange(k)
    # Too small to be seen in the result, it decides between parts that are copies of each other.
    systems[:, diagonal, diagonal] += ~passive + 4 * k * np.finfo(np.float64).eps
    coefficients = np.linalg.solve(systems, (targets * passive)[:, :, None])[:, :, 0]
    return coefficients, np.einsum("nij,nj->ni", grams, coefficients) - targets
