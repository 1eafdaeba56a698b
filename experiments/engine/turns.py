"""Whose turn it is among the pieces of work of a worker: what matters more first, then each owner alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Protocol, TypeVar

# Runs that somebody watches come first, then what is worked out for somebody who looks at a table, then what
# was left to go on by itself. Work of a larger number gets what is left.
WATCHED, ATTENDED, UNATTENDED = 0, 1, 2


class Work(Protocol):
    """What a worker carries out in turns of milliseconds; a run is one kind of it."""

    id: str
    owner: str
    priority: int
    # Whether its last turn took far too long.
    slow: bool
    # Whether its next turn is to end it.
    stopping: bool
    # Whether nobody has looked at it for a while.
    unseen: bool

    @property
    def awaited(self) -> bool:
        """Whether somebody waits for the first it has to show, or for the answer to a hand."""

    def due_in(self, now: float) -> float | None:
        """Return the seconds until it can go on, None if it waits for a command."""

    def take_turn(self) -> None:
        """Go on for a few milliseconds, if its steps are that short."""

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to do."""


W = TypeVar("W", bound=Work)
# What is awaited goes first until it has had so many seconds more than it may, and it may have this many
# times as much as what is seen already: a curve that falls more slowly for a moment harms nobody.
_MOST_LEAD, _TIMES_AS_MUCH = 0.5, 4


class Lead:
    """Whether what somebody waits for may go before everything else, which keeps its share of the time.

    It may until it has had `most` seconds more than `times` as much as the others. What it had while
    nobody else wanted to go on counts no further.
    """

    def __init__(self, most: float, times: float) -> None:
        self._most, self._times = most, times
        self._seconds = 0.0

    @property
    def free(self) -> bool:
        """Whether it may go first."""
        return self._seconds < self._most

    def charge(self, seconds: float, *, awaited: bool) -> None:
        """Note that something awaited, or something else, has had so much time."""
        change = seconds if awaited else -self._times * seconds
        self._seconds = min(self._most, max(0.0, self._seconds + change))


class Turns:
    """Gives each owner the same processor time, and each owner's runs the same of that.

    Works that nobody watches are done one after the other instead, in the order in which they came. An
    owner without work does not save up time. What is awaited goes before what is seen already, up to four
    fifths of the time: else whoever has just moved a slider would wait until everybody else has had what
    the preparation of the new run took. Next comes what is to end, and last what nobody looks at. What
    owners have used in other workers counts as well, so that somebody whose runs are in all workers leaves
    one of them to somebody with a single run.
    """

    def __init__(self) -> None:
        self._owners: dict[str, float] = {}
        self._works: dict[str, float] = {}
        self._numbers: dict[str, int] = {}
        self._count = count()
        self._clock = 0.0
        self._spent: dict[str, float] = {}
        self._awaited: set[str] = set()
        self._lead = Lead(_MOST_LEAD, _TIMES_AS_MUCH)

    def choose(self, due: Iterable[W]) -> W:
        """Return the work whose turn it is."""
        first = min(work.priority for work in due)
        rivals = [work for work in due if work.priority == first]
        rivals = [work for work in rivals if work.stopping or not work.unseen] or rivals
        awaited = [work for work in rivals if work.awaited]
        if 0 < len(awaited) < len(rivals):
            rivals = awaited if self._lead.free else [work for work in rivals if not work.awaited]
        self._awaited = {work.id for work in awaited}
        for work in rivals:
            self._owners[work.owner] = max(self._owners.get(work.owner, 0.0), self._clock)
        for work in rivals:
            self._numbers.setdefault(work.id, next(self._count))
        standing: Mapping[str, float] = self._works if first == WATCHED else self._numbers
        chosen = min(rivals, key=lambda w: (not w.stopping, self._owners[w.owner], standing.get(w.id, 0.0)))
        self._clock = self._owners[chosen.owner]
        own = [self._works[w.id] for w in rivals if w.owner == chosen.owner and w.id in self._works]
        # A new work of somebody's begins level with the others.
        self._works.setdefault(chosen.id, min(own, default=0.0))
        return chosen

    def charge(self, work: Work, seconds: float) -> None:
        """Note that a work has had so much time."""
        self._lead.charge(seconds, awaited=work.id in self._awaited)
        self._owners[work.owner] = self._owners.get(work.owner, self._clock) + seconds
        self._works[work.id] = self._works.get(work.id, 0.0) + seconds
        self._spent[work.owner] = self._spent.get(work.owner, 0.0) + seconds

    def charge_elsewhere(self, used: Mapping[str, float]) -> None:
        """Note what owners have used in other workers."""
        for owner, seconds in used.items():
            if owner in self._owners:
                self._owners[owner] += seconds

    def spent(self) -> dict[str, float]:
        """Return what owners have used since the last call."""
        spent, self._spent = self._spent, {}
        return spent

    def forget(self, work: Work, others: Iterable[Work]) -> None:
        """Note that a work has ended."""
        self._works.pop(work.id, None)
        self._numbers.pop(work.id, None)
        if all(other.owner != work.owner for other in others):
            self._owners.pop(work.owner, None)
