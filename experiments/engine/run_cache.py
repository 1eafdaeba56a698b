"""The runs a server has cached: a bounded number for every owner, with a bounded size of files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from experiments.engine.handle import Handle

_MB = 1_000_000
# Keys of the runs without an owner, and of those that the store can restore.
_COMMON, _RECALLED = "", "recalled"


class RunRefusedError(ValueError):
    """A run cannot be started just now; the message says why, and what to do."""


@dataclass(frozen=True)
class Room:
    """So many runs, and so many bytes of files."""

    runs: int
    bytes: int


@dataclass(frozen=True)
class Rooms:
    """The room of each owner, of what nobody owns (demonstrations, copies of stored runs), and of all.

    What nobody has looked at for `abandoned_after` seconds counts as left behind; what is in the store,
    overtaken by its owner after a moment, or nobody's, does so after `idle_after` seconds.
    """

    owner: Room = Room(32, 300 * _MB)
    common: Room = Room(96, 1_000 * _MB)
    whole: Room = Room(512, 4_000 * _MB)
    # Shorter than a break between two lessons: a full class leaves hundreds of runs behind.
    idle_after: float = 10.0
    abandoned_after: float = 3600.0


class RunCache:
    """Runs by their ids, those that came last at the end.

    When those of an owner are too many or their files too large, the ended ones of the same owner that
    nobody has looked at for longest are removed, once the keeper no longer needs their files. If the
    cache as a whole is full, abandoned runs are. Otherwise a new run is refused. Not thread-safe.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._runs: dict[str, Handle] = {}
        # Removed, but the keeper still reads their files.
        self._leaving: list[Handle] = []

    def __iter__(self) -> Iterator[Handle]:
        return iter(list(self._runs.values()))

    def __getitem__(self, id: str) -> Handle:
        return self._runs[id]

    def get(self, id: str | None) -> Handle | None:
        """Return the cached run with this id, None if there is none."""
        return self._runs.get(id or "")

    def shared(self, key: str, stopping: Collection[str] = ()) -> Handle | None:
        """Return the shared run with this key, unless it was cut off or is `stopping`; mark it as watched."""
        for handle in self:
            lost = handle.status in ("interrupted", "stopped") or handle.id in stopping
            if handle.shared and handle.request.key == key and not lost:
                handle.touch()
                return handle
        return None

    def add(self, handle: Handle) -> Handle:
        """Return the cached run with this id: this one, unless there was one already.

        A RunRefusedError says that there is no room for it.
        """
        if handle.id not in self._runs:
            self._make_room(_room_of(handle))
        return self._runs.setdefault(handle.id, handle)

    def remove(self, handle: Handle) -> None:
        """Remove a run, and its files as soon as the keeper has stored them."""
        self._runs.pop(handle.id, None)
        self._leaving.append(handle)
        self.tidy()

    def tidy(self) -> None:
        """Delete the files of removed runs that the keeper has stored by now."""
        for handle in [handle for handle in self._leaving if handle.persisted.is_set()]:
            self._leaving.remove(handle)
            shutil.rmtree(handle.folder, ignore_errors=True)

    def _make_room(self, whose: str) -> None:
        self.tidy()
        own = [handle for handle in self if _room_of(handle) == whose]
        room = self._rooms.common if whose in (_COMMON, _RECALLED) else self._rooms.owner
        if not self._shrink(own, room, lambda handle: True):
            raise RunRefusedError(
                "You have as many runs at hand as one visitor may have. Stop one that you no longer need."
                if room is self._rooms.owner
                else "Too many demonstrations run on this server just now. Try again in a minute."
            )
        whole = self._rooms.whole
        if not (self._shrink(list(self), whole, self._left_behind) or self._give_up_own(own)):
            raise RunRefusedError(
                "This server has as many runs at hand as it can hold. Try again in a few minutes."
            )

    def _give_up_own(self, own: Sequence[Handle]) -> bool:
        """Remove ended runs of who asks until one more fits; return whether it does."""
        mine = {handle.id for handle in own}
        return self._shrink(list(self), self._rooms.whole, lambda handle: handle.id in mine)

    def _left_behind(self, handle: Handle) -> bool:
        soon = handle.recallable or handle.passing or not handle.owner
        limit = self._rooms.idle_after if soon else self._rooms.abandoned_after
        return monotonic() - handle.seen_at > limit

    def _shrink(self, runs: Iterable[Handle], room: Room, may_go: Callable[[Handle], bool]) -> bool:
        """Remove ended runs until one more fits; return whether it does."""
        sizes = {handle.id: handle.bytes for handle in runs}
        for handle in sorted(runs, key=lambda handle: handle.seen_at):
            if len(sizes) < room.runs and sum(sizes.values()) <= room.bytes:
                break
            if handle.ended and handle.persisted.is_set() and may_go(handle):
                del sizes[handle.id]
                self.remove(handle)
        return len(sizes) < room.runs and sum(sizes.values()) <= room.bytes


def _room_of(handle: Handle) -> str:
    return handle.owner or (_RECALLED if handle.recallable else _COMMON)
