"""Folders for temporary files that belong to one server each: gone at the latest with the next start."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from datasets.locking import held

LOCK = "in-use"
# A folder has this name until it is locked, so that no server takes it for a leftover.
_UNFINISHED = "partwise-new-"
# Locking takes milliseconds: what is still called so after this long was left by a server killed meanwhile.
_UNFINISHED_FOR = 60.0


def made(prefix: str) -> tuple[Path, BinaryIO]:
    """Return a new folder and its lock, which is held as long as its server lives."""
    new = Path(tempfile.mkdtemp(prefix=_UNFINISHED))
    lock = held(new / LOCK)
    assert lock is not None
    return new.rename(new.with_name(prefix + new.name.rpartition("-")[2])), lock


def remove_leftovers(prefix: str) -> None:
    """Remove the folders of servers that are no longer there: nobody holds their locks."""
    home = Path(tempfile.gettempdir())
    for folder in (*home.glob(f"{prefix}*"), *home.glob(f"{_UNFINISHED}*")):
        with suppress(OSError):  # Of another user, or removed by somebody else at this moment.
            unfinished = folder.name.startswith(_UNFINISHED)
            if folder.is_symlink() or (unfinished and time.time() - folder.stat().st_mtime < _UNFINISHED_FOR):
                continue
            if (lock := held(folder / LOCK)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()
