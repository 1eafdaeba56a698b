"""HALS: one sweep over the parts, one over the embedding (Cichocki and Phan, IEICE Trans. 2009)."""

from __future__ import annotations

from benchmarks.reference.alternating import Alternating, swept
from methods.typing import Array


class HALS(Alternating):
    """Every row of a factor once to its minimum, the others as they are."""

    def improved(self, name: str, factor: Array, linear: Array, gram: Array) -> Array:
        """Return the factor after one sweep."""
        return swept(factor, linear, gram)
