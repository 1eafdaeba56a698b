"""What visitors have open: the tables they look at or have left to go on, and what was done for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

from experiments.trials.trial import Chain, Trial, as_chain

Keys = tuple[str, ...]
# Told how many trials of a table that was left have results, and whether those are all.
Progress = Callable[[int, bool], None]


@dataclass
class OpenTable:
    """A table that is looked at, or was left to go on (it has `progress`), in the order of its turns.

    What is missing is computed if it `begins`.
    """

    chains: dict[Keys, Chain]
    begins: bool
    progress: Progress | None = None
    seen_at: float = field(default_factory=monotonic)
    reported: int = -1

    @property
    def keys(self) -> Iterator[str]:
        """The keys of all trials."""
        return (key for keys in self.chains for key in keys)


@dataclass
class Visitor:
    """The open tables of a visitor by name, and the seconds of work done for them so far."""

    served: float
    tables: dict[str, OpenTable] = field(default_factory=dict)


def opened(work: Sequence[Trial | Chain], *, begins: bool, progress: Progress | None = None) -> OpenTable:
    """Return the table of some work."""
    return OpenTable({chain.keys: chain for chain in map(as_chain, work)}, begins, progress)
