"""One moment of a fit, as seen by whoever watches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from methods.typing import Array


@dataclass(frozen=True)
class Step:
    """What `iterate` yields: the objective, its named parts, and the arrays as they are now.

    The arrays of `state` are read-only views of the solver's own memory: the next step
    overwrites them. Whoever wants to keep them asks for a `copy`.
    """

    iteration: int
    objective: float
    terms: Mapping[str, float]
    state: Mapping[str, Array]

    def copy(self) -> Step:
        """Return the same step with arrays of its own, which later steps leave alone."""
        kept = {name: freeze(np.array(array)) for name, array in self.state.items()}
        return Step(self.iteration, self.objective, self.terms, MappingProxyType(kept))


def freeze(array: Array) -> Array:
    """Return a read-only view of `array`."""
    view = array.view()
    view.flags.writeable = False
    return view
