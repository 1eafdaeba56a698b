"""The runs a server has at hand: a bounded number of them, with a bounded amount of files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from experiments.engine.handle import Handle


class Shelf:
    """Runs by their ids, those that came last at the end.

    When they are too many or their files too large, the ended ones that nobody has looked at for
    longest make room, once whoever keeps runs has taken what there is. Not for several threads at once.
    """

    def __init__(self, most_runs: int, most_bytes: int) -> None:
        self._most_runs, self._most_bytes = most_runs, most_bytes
        self._runs: dict[str, Handle] = {}

    def __iter__(self) -> Iterator[Handle]:
        return iter(list(self._runs.values()))

    def __getitem__(self, id: str) -> Handle:
        return self._runs[id]

    def get(self, id: str | None) -> Handle | None:
        """Return the run with this id, if it is at hand."""
        return self._runs.get(id or "")

    def shared(self, key: str) -> Handle | None:
        """Return the run with this key that everybody looks at, unless it was cut off, and look at it."""
        for handle in self:
            lost = handle.status in ("interrupted", "stopped")
            if handle.shared and handle.request.key == key and not lost:
                handle.look()
                return handle
        return None

    def add(self, handle: Handle) -> Handle:
        """Return the run that is kept under this id: this one, unless there was one already."""
        self._make_room()
        return self._runs.setdefault(handle.id, handle)

    def remove(self, handle: Handle) -> None:
        """Forget a run and its files."""
        self._runs.pop(handle.id, None)
        shutil.rmtree(handle.folder, ignore_errors=True)

    def _make_room(self) -> None:
        sizes = {handle.id: handle.bytes for handle in self}
        for handle in sorted(self, key=lambda handle: handle.seen_at):
            if len(self._runs) < self._most_runs and sum(sizes.values()) <= self._most_bytes:
                break
            if handle.taken.is_set():
                del sizes[handle.id]
                self.remove(handle)
