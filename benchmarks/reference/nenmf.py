"""NeNMF: each factor by Nesterov's optimal gradient (Guan, Tao, Luo and Yuan, IEEE Trans. SP 2012)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.reference.alternating import Alternating
from methods.typing import Array

# The paper's: steps for a factor at most, and by how much the first tolerance is below the first slope.
_MOST, _TOLERANCE = 500, 1e-3


class NeNMF(Alternating):
    """A factor is left when its projected gradient is small; where it is so at once, sooner ever after."""

    def __init__(self, X: Any, W: Array, H: Array) -> None:
        super().__init__(X, W, H)
        self._tolerance: dict[str, float] = {}

    def improved(self, name: str, factor: Array, linear: Array, gram: Array) -> Array:
        """Return the factor after accelerated projected gradient steps."""
        curvature = factor.dtype.type(max(float(np.linalg.norm(gram, 2)), float(np.finfo(gram.dtype).tiny)))
        tolerance = self._tolerance.setdefault(
            name, _TOLERANCE * max(1.0, projected_slope(factor, gram @ factor - linear))
        )
        beyond, weight = factor, 1.0
        for turn in range(_MOST):
            new = np.maximum(beyond + (linear - gram @ beyond) / curvature, 0)
            grown = (1 + np.sqrt(1 + 4 * weight**2)) / 2
            beyond = new + factor.dtype.type((weight - 1) / grown) * (new - factor)
            factor, weight = new, grown
            if projected_slope(factor, gram @ factor - linear) <= tolerance:
                if turn == 0:
                    self._tolerance[name] = tolerance / 10
                break
        return factor


def projected_slope(factor: Array, slope: Array) -> float:
    """Return the length of the gradient where it can be followed: not downhill from zero."""
    return float(np.linalg.norm(np.where(factor > 0, slope, np.minimum(slope, 0))))
