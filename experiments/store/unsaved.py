"""Endings of runs that could not be written down: files on this machine, until the store takes them.

They lie beside the arrays of the store, or, where its disk is full, in the folder for temporary files.
Another server that starts on the same store finds them there, whatever has become of this one.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from experiments.requests.request import RunRequest
from experiments.store.files import Content, packed, read_arrays, unpacked, write_arrays
from experiments.store.rows import RunEnding

log = logging.getLogger(__name__)
_SUFFIX, _ENDING = ".ending", "ending"
_DRAFT_ABANDONED_AFTER = 3600.0


@dataclass(frozen=True)
class Ending:
    """All that the store needs to know of a run that has ended, its beginning included.

    `owner` is a fingerprint. If the run has been written down when it began (`begun`) and is no longer there,
    it has been deleted since. It may take the place of another run (`replaces`). One that is `passing` is
    remembered only if somebody has named, tagged or shared it.
    """

    id: str
    request: RunRequest
    owner: str
    content: Content
    outcome: RunEnding
    begun: bool = False
    passing: bool = False
    replaces: str = ""
    name: str = ""
    tags: tuple[str, ...] = ()
    shared: bool = False
    created_at: float = field(default_factory=time.time)
    ended_at: float = field(default_factory=time.time)


class UnsavedEndings:
    """The files of endings that wait, in the first of some folders that takes them."""

    def __init__(self, folders: Sequence[Path], most_bytes: int = 2_000_000_000) -> None:
        self._folders, self._most_bytes = folders, most_bytes

    def add(self, ending: Ending) -> None:
        """Write an ending into a file; an OSError if no folder takes it."""
        if sum(path.stat().st_size for path in self.waiting()) + ending.content.nbytes > self._most_bytes:
            raise OSError("Too much waits to be written down already.")
        refused: OSError | None = None
        for folder in self._folders:
            try:
                _make_private(folder)
                write_arrays(folder / f"{ending.id}{_SUFFIX}", _to_arrays(ending))
            except OSError as error:
                refused = refused or error
            else:
                return
        raise refused or OSError("There is no folder for endings.")

    def waiting(self) -> list[Path]:
        """Return the files, those that were written first at the beginning."""
        dated = []
        for folder in self._folders:
            with suppress(OSError):
                _make_private(folder)
                dated += [(path.stat().st_mtime, path) for path in folder.glob(f"*{_SUFFIX}")]
                _sweep(folder)
        return [path for _, path in sorted(dated)]

    def hand_over(self, path: Path, take: Callable[[Ending], None]) -> None:
        """Have an ending taken and remove its file; whatever `take` raises leaves it where it is."""
        try:
            ending = _from_arrays(read_arrays(path))
        except FileNotFoundError:
            return  # Another server has handed it over.
        except (OSError, ValueError, KeyError, TypeError):
            log.warning("The ending in %s cannot be read; it is put aside.", path)
            path.replace(path.with_suffix(".unreadable"))
            return
        take(ending)
        path.unlink(missing_ok=True)


def folders_beside(arrays: Path) -> list[Path]:
    """Return where the endings of a store lie whose arrays are in this folder."""
    name = sha256(str(arrays).encode()).hexdigest()[:12]
    # Not a name that begins like those of the folders of servers, which go with their server.
    return [arrays / "unsaved", Path(tempfile.gettempdir()) / f"unsaved-partwise-{_user()}-{name}"]


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def _make_private(folder: Path) -> None:
    """Make a folder of our own; one that another user has put there is refused."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    foreign = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022)
    if not stat.S_ISDIR(status.st_mode) or foreign:
        raise OSError(f"{folder} belongs to somebody else.")


def _sweep(folder: Path) -> None:
    """Remove what was being written when a server was killed."""
    for path in folder.glob("*.part"):
        if time.time() - path.stat().st_mtime > _DRAFT_ABANDONED_AFTER:
            path.unlink(missing_ok=True)


def _to_arrays(ending: Ending) -> dict[str, Any]:
    outcome = ending.outcome
    plain = {
        **{name: getattr(ending, name) for name in _PLAIN},
        "request": ending.request.as_given(),
        "outcome": {
            "status": outcome.status,
            "message": outcome.message,
            "scores": dict(outcome.scores),
            "snapshots": [[number, dict(scores)] for number, scores in outcome.snapshots],
            "versions": dict(outcome.versions),
            "ending": dict(outcome.ending),
        },
        "terms": list(ending.content.terms),
        "tracked": list(ending.content.tracked),
    }
    return packed(ending.content) | {_ENDING: json.dumps(plain)}


_PLAIN = (
    "id", "owner", "begun", "passing", "replaces", "name", "tags", "shared", "created_at", "ended_at"
)  # fmt: skip


def _from_arrays(arrays: dict[str, Any]) -> Ending:
    plain = json.loads(str(arrays.pop(_ENDING)))
    outcome = plain["outcome"]
    outcome["snapshots"] = [(int(number), scores) for number, scores in outcome["snapshots"]]
    return Ending(
        request=RunRequest.from_json(plain["request"]),
        content=unpacked(arrays, plain["terms"], plain["tracked"]),
        outcome=RunEnding(**outcome),
        **{name: plain[name] for name in _PLAIN} | {"tags": tuple(plain["tags"])},
    )
