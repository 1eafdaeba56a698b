"""How servers that share a store tell each other that somebody watches a run of theirs: an empty file.

The server where it is watched leaves the file, the one that carries the run takes it away. No clock is read,
for those of two machines differ.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

WATCHED = ".watched"


class WatchMarks:
    """The marks in the folder of arrays that all servers of a store share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, id: str) -> None:
        """Say that somebody watches a run here."""
        with suppress(OSError):  # A full disk: the run is seen as it was.
            self._path(id).touch(mode=0o600)

    def take(self, id: str) -> bool:
        """Return whether somebody elsewhere has watched a run since this was last asked."""
        try:
            self._path(id).unlink()
        except OSError:
            return False
        return True

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}{WATCHED}"
