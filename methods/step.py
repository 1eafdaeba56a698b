"""The state of a fit after one iteration, as `iterate` yields it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from methods.typing import Array


class State(Mapping[str, Array]):
    """Read-only arrays by name; derived ones are computed whenever they are read."""

    def __init__(self, arrays: Mapping[str, Array], derived: Mapping[str, Callable[[], Array]]) -> None:
        self._arrays = {name: freeze(array) for name, array in arrays.items()}
        self._derived = derived

    def __getitem__(self, name: str) -> Array:
        array: Array = freeze(self._derived[name]()) if name in self._derived else self._arrays[name]
        return array

    def __iter__(self) -> Iterator[str]:
        return iter((*self._arrays, *self._derived))

    def __len__(self) -> int:
        return len(self._arrays) + len(self._derived)


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
        copies = {name: freeze(_copied(array)) for name, array in self.state.items()}
        return Step(self.iteration, self.objective, self.terms, MappingProxyType(copies))


def freeze(array: Any) -> Any:
    """Return a read-only view of `array`, or of every array in a list of them (one a mode, or a view)."""
    if isinstance(array, (list, tuple)):
        return tuple(freeze(item) for item in array)
    view = array.view()
    view.flags.writeable = False
    return view


def _copied(array: Any) -> Any:
    return [np.array(item) for item in array] if isinstance(array, tuple) else np.array(array)
