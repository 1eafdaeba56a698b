"""A lock between processes: held by one at a time, and let go of by the system if its holder is killed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_LOOK_EVERY = 0.1


@contextmanager
def exclusive(path: Path, while_waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of this file; `while_waiting` is called now and then as long as another holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        while not _try_lock(file):
            while_waiting()
            time.sleep(_LOOK_EVERY)
        try:
            yield
        finally:
            _released(file)


def held(path: Path) -> BinaryIO | None:
    """Take the lock of this file until the file returned is closed; None if another process holds it."""
    file = path.open("ab")
    if _try_lock(file):
        return file
    file.close()
    return None


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _released(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _released(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
