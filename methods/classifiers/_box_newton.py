"""Projected Newton steps for min ½βᵀQβ − 1ᵀβ over 0 ≤ β ≤ 1 (Bertsekas, 1982)."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from methods.typing import Array

_SUFFICIENT = 1e-4


def newton_step(Q: Array, beta: Array) -> Array:
    """Return β after one step that cannot raise the objective.

    Entries held at a bound by the gradient stay there; the others take a Newton step, cut back along the
    projection until the objective falls by a fair share of what its slope promises.
    """
    gradient = Q @ beta - 1
    # How near to a bound counts as being there shrinks as the solution is approached.
    near = min(1e-3, float(np.linalg.norm(beta - np.clip(beta - gradient, 0, 1))))
    held = ((beta <= near) & (gradient > 0)) | ((beta >= 1 - near) & (gradient < 0))
    direction = -gradient
    free = np.flatnonzero(~held)
    if free.size:
        direction[free] = -_solve(Q[np.ix_(free, free)], gradient[free])
    slope = -float(gradient[free] @ direction[free])
    length = 1.0
    while length > 1e-12:
        moved = np.clip(beta + length * direction, 0, 1)
        change = moved - beta
        difference = float(gradient @ change + change @ Q @ change / 2)
        promised = length * slope - float(gradient[held] @ change[held])
        if difference <= -_SUFFICIENT * promised:
            return np.asarray(moved)
        length /= 2
    return beta


def _solve(Q: Array, right: Array) -> Array:
    # Samples that occur twice make Q singular; the ridge is far below what the gap can notice.
    ridge = 1e-12 * float(np.trace(Q)) + np.finfo(np.float64).tiny
    Q = Q + ridge * np.eye(Q.shape[0])
    return np.asarray(linalg.solve(Q, right, assume_a="pos"))
