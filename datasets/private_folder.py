"""The folder of a server for what visitors hand over: nobody else's to read, and gone with the server.

The process that serves visitors makes it and names it in the environment, so its worker processes find
what was handed over as well. When the server ends, the folder goes; what a server that was killed has left
behind, the next one removes.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from datasets.locking import held

VARIABLE = "PARTWISE_UPLOADS"
LOCK = "in-use"
_FOLDER = "partwise-uploads-"


def open_folder() -> Path:
    """Return the folder of this server, made when first asked for and named in the environment."""
    with _opening:
        named = os.environ.get(VARIABLE)
        if named is None:
            remove_leftovers()
            _own.append(_Own.made())
            named = os.environ[VARIABLE] = str(_own[-1].folder)
        return Path(named)


@contextmanager
def passing_folder() -> Iterator[Path]:
    """Make a folder in it that lasts as long as the context."""
    made = Path(tempfile.mkdtemp(dir=open_folder()))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def close() -> None:
    """Remove the folder, if this process made it, with everything in it."""
    with _opening:
        while _own:
            mine = _own.pop()
            shutil.rmtree(mine.folder, ignore_errors=True)
            mine.lock.close()
            if os.environ.get(VARIABLE) == str(mine.folder):
                del os.environ[VARIABLE]


def remove_leftovers() -> None:
    """Remove the folders of servers that are no longer there: nobody holds their locks."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*"):
        with suppress(OSError):  # Of another user, or removed by somebody else at this moment.
            if not folder.is_symlink() and (lock := held(folder / LOCK)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()


@dataclass(frozen=True)
class _Own:
    """The folder this process made, and the lock that says so as long as the process lives."""

    folder: Path
    lock: BinaryIO

    @classmethod
    def made(cls) -> _Own:
        # Under another name until it is locked, so that no server takes it for a leftover.
        new = Path(tempfile.mkdtemp(prefix="partwise-new-"))
        lock = held(new / LOCK)
        assert lock is not None
        folder = new.with_name(_FOLDER + new.name.rpartition("-")[2])
        new.rename(folder)
        return cls(folder, lock)


_opening = threading.RLock()
_own: list[_Own] = []
atexit.register(close)
