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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from datasets import own_folder

VARIABLE = "PARTWISE_UPLOADS"
FOLDER = "partwise-uploads-"


def open_folder() -> Path:
    """Return the folder of this server, made when first asked for and named in the environment."""
    with _opening:
        named = os.environ.get(VARIABLE)
        if named is None:
            own_folder.remove_leftovers(FOLDER)
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


@dataclass(frozen=True)
class _Own:
    """The folder this process made, and the lock that says so as long as the process lives."""

    folder: Path
    lock: BinaryIO

    @classmethod
    def made(cls) -> _Own:
        folder, lock = own_folder.made(FOLDER)
        return cls(folder, lock)


_opening = threading.RLock()
_own: list[_Own] = []
atexit.register(close)
