"""Whose turn it is: whoever was served longest ago, by where they come from and by who they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

# Who they are: the address and, behind it, the visitor. Both count, for a visitor can take many names.
Visitor = tuple[Hashable, ...]
_MOST_REMEMBERED = 4096


class Served:
    """Remembers in which order visitors were served."""

    def __init__(self) -> None:
        self._served: OrderedDict[Visitor, int] = OrderedDict()
        self._number = 0

    def rank(self, visitor: Visitor) -> tuple[int, ...]:
        """Return what is smallest for whose address, and then who of it, has waited longest."""
        return tuple(self._served.get(part, 0) for part in _parts(visitor))

    def note(self, visitor: Visitor) -> None:
        """Say that a visitor is served now."""
        self._number += 1
        for part in _parts(visitor):
            self._served[part] = self._number
            self._served.move_to_end(part)
        while len(self._served) > _MOST_REMEMBERED:
            self._served.popitem(last=False)


def _parts(visitor: Visitor) -> list[Visitor]:
    return [visitor[: length + 1] for length in range(len(visitor))]
