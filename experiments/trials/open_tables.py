"""What visitors have open: the tables they look at or have left to go on, and what was done for them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import monotonic

from experiments.store import UnattendedStatus
from experiments.trials.plan import Plan
from experiments.trials.table import Results
from experiments.trials.trial import Chain, Trial, as_chain

log = logging.getLogger(__name__)
Keys = tuple[str, ...]
# Told how many trials of a table that was left have results, of about how many, and whether it goes on.
Progress = Callable[[int, int, UnattendedStatus], None]


@dataclass
class Left:
    """That a table was left to go on: the plan its work follows from, and who is told how far it is."""

    plan: Plan
    progress: Progress
    status: UnattendedStatus = "going"
    reported: tuple[int, UnattendedStatus] = (-1, "going")
    begun_at: float = field(default_factory=monotonic)

    @property
    def out_of_time(self) -> bool:
        """Whether its minutes are over: nothing more is begun for it then."""
        return 0 < 60 * self.plan.minutes < monotonic() - self.begun_at

    def following(self, results: Results) -> dict[Keys, Chain]:
        """Return all chains that follow from the results, and note if that is the end of it."""
        try:
            chains = chains_of(self.plan.all_work(results))
        except Exception:
            # It would fail again at each round, and hold up the tables of everybody else.
            log.exception("A table that was left cannot go on")
            self.status = "stopped"
            return {}
        if all(key in results for keys in chains for key in keys):
            self.status = "done"
        return chains


@dataclass
class OpenTable:
    """A table that is looked at, or was `left` to go on, in the order of its turns.

    What is missing is computed if it `begins`.
    """

    chains: dict[Keys, Chain]
    begins: bool
    left: Left | None = None
    seen_at: float = field(default_factory=monotonic)

    @property
    def may_begin(self) -> bool:
        """Whether work may be begun for it."""
        return self.begins and not (self.left and self.left.out_of_time)

    @property
    def keys(self) -> Iterator[str]:
        """The keys of all trials."""
        return (key for keys in self.chains for key in keys)


@dataclass
class Visitor:
    """The open tables of a visitor by name, and the seconds of work done for them so far."""

    served: float
    tables: dict[str, OpenTable] = field(default_factory=dict)


def chains_of(work: Iterable[Trial | Chain]) -> dict[Keys, Chain]:
    """Return the chains of some work by their keys, in its order."""
    return {chain.keys: chain for chain in map(as_chain, work)}
