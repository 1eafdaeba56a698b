"""TITAN: gradient steps with inertia, block by block (Hien, Phan and Gillis, JMLR 2023).

Blocks are W and H; the surrogate is that of a Lipschitz gradient, so that no restart is needed. As in the
authors' experiments a block is improved several times with the products at hand, by the rule of A-HALS.
"""

from __future__ import annotations

import numpy as np

from benchmarks.reference.accelerated_hals import AcceleratedHALS
from methods.typing import Array

_LEAST_CHANGE, _MOST_INERTIA = 0.1, 0.9999


class Titan(AcceleratedHALS):
    """Nesterov's weights, held below √(L_before / L), with which the sequence is known to converge."""

    def improved(self, name: str, factor: Array, linear: Array, gram: Array) -> Array:
        """Return the factor after projected gradient steps from beyond where it was."""
        curvature = max(float(np.linalg.norm(gram, 2)), float(np.finfo(gram.dtype).tiny))
        before, weight, last = self.__dict__.setdefault("_past", {}).get(name, (factor, 1.0, curvature))
        first = 0.0
        for turn in range(self._most[name]):
            grown = (1 + np.sqrt(1 + 4 * weight**2)) / 2
            reach = min((weight - 1) / grown, _MOST_INERTIA * np.sqrt(last / curvature))
            beyond = factor + factor.dtype.type(reach) * (factor - before)
            beyond += (linear - gram @ beyond) / factor.dtype.type(curvature)
            before, factor = factor, np.maximum(beyond, 0, out=beyond)
            weight, last = grown, curvature
            changed = float(np.linalg.norm(factor - before))
            first = first or changed
            if turn and changed <= _LEAST_CHANGE * first:
                break
        self._past[name] = (before, weight, last)
        return factor
