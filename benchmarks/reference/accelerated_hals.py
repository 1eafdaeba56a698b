"""A-HALS: as many sweeps as a product is worth (Gillis and Glineur, Neural Computation 2012)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.reference.alternating import Alternating, swept
from methods.typing import Array

# Those of the paper, section 4.2.
_SHARE, _LEAST_CHANGE = 0.5, 0.1


class AcceleratedHALS(Alternating):
    """At most ⌊1 + ρ/2⌋ sweeps, fewer once they change little; ρ: a product and a sweep against a sweep."""

    def __init__(self, X: Any, W: Array, H: Array) -> None:
        super().__init__(X, W, H)
        (n, m), k = X.shape, len(H)
        entries = X.nnz if hasattr(X, "indptr") else n * m
        self._most = {
            "H": int(1 + _SHARE * (1 + (entries + n * k) / (m * k + m))),
            "W": int(1 + _SHARE * (1 + (entries + m * k) / (n * k + n))),
        }

    def improved(self, name: str, factor: Array, linear: Array, gram: Array) -> Array:
        """Return the factor after sweeps until one changes a tenth of what the first did."""
        first = 0.0
        for turn in range(self._most[name]):
            before = factor.copy()
            swept(factor, linear, gram)
            changed = float(np.linalg.norm(factor - before))
            first = first or changed
            if turn and changed <= _LEAST_CHANGE * first:
                break
        return factor
