"""A damaged SQLite file is put aside with all that belongs to it, so that a fresh one can take its place.

Nothing is deleted: whoever can repair the file has its write-ahead log and the arrays of its runs beside it.
"""

from __future__ import annotations

import sqlite3
import time
from calendar import timegm
from contextlib import suppress
from pathlib import Path

from sqlalchemy import URL

from datasets.locking import exclusive, held

_MARK, _STAMP = ".damaged-", "%Y%m%dT%H%M%SZ"
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
# How every file of SQLite begins.
_HEADER = b"SQLite format 3\0"
# In this order: a fresh database must never meet the log of the old one.
_LOG_FILES = ("-wal", "-shm")
# Putting aside takes milliseconds.
_LOOKS, _LOOK_EVERY = 40, 0.05
FileIdentity = tuple[int, int]


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for one in memory or on a server."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    return Path(url.database).absolute()


def identity(file: Path) -> FileIdentity | None:
    """Return which file this is, whatever it may be called later; None if there is none."""
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def is_damage(error: BaseException) -> bool:
    """Return whether SQLite says that its file is damaged, and not only locked, missing or refused."""
    code = getattr(getattr(error, "orig", None) or error, "sqlite_errorcode", 0)
    return code & 0xFF in _DAMAGE


def is_store(file: Path, arrays: Path) -> bool:
    """Return whether a file is a database, or was one: with arrays of runs beside it, or put aside before.

    Whoever names some other file by mistake finds it as it was.
    """
    if arrays.is_dir() or latest(file) is not None:
        return True
    try:
        with file.open("rb") as opened:
            return opened.read(len(_HEADER)) == _HEADER
    except FileNotFoundError:
        return True  # Another server has just put it aside.


def put_aside(file: Path, arrays: Path, damaged: FileIdentity) -> bool:
    """Rename a damaged database, its log and its arrays; not if another server has done so already.

    Returns False if the file never was a run store: it stays as it is.
    """
    lock = _lock_of(file)
    if not is_store(file, arrays) and not lock.exists():
        return False
    with exclusive(lock, while_waiting=lambda: None):
        if identity(file) != damaged:
            return True
        # Asked once more: another server that was just at it had moved the arrays already.
        if not is_store(file, arrays):
            return False
        aside, aside_arrays = _free_names(file, arrays)
        # The arrays go first: if this is cut short, the fresh store finds none that it would sweep away.
        if arrays.is_dir():
            arrays.rename(aside_arrays)
            _bring_back_endings(aside_arrays, arrays)
        _move_log(file, aside)
        file.rename(aside)
        # Somebody may have opened the damaged file meanwhile and begun another log.
        _move_log(file, aside.with_name(f"{aside.name}-late"))
        return True


def was_put_aside(file: Path, before: FileIdentity) -> bool:
    """Return whether another server has put aside what was here before; waits for one that is just at it."""
    lock = _lock_of(file)
    for _ in range(_LOOKS if lock.exists() else 0):
        if (mine := held(lock)) is not None:
            mine.close()
            break
        time.sleep(_LOOK_EVERY)
    return identity(file) != before


def latest(file: Path) -> Path | None:
    """Return the database that was put aside last and still lies beside this one."""
    return max((path for path in file.parent.glob(f"{file.name}{_MARK}*Z")), default=None)


def renewed_at(aside: Path | None) -> float:
    """Return since when there is a fresh database in the place of this one; 0 if there is none such."""
    if aside is None:
        return 0.0
    try:
        return float(timegm(time.strptime(aside.name.rpartition(_MARK)[2], _STAMP)))
    except ValueError:
        return 0.0  # Somebody else has named it.


def notice(aside: Path | None) -> str:
    """Return what visitors should know of a database put aside, as long as it lies there."""
    if aside is None or not aside.exists():
        return ""
    return (
        f"The run store was damaged: it has been put aside as {aside}, with the arrays of its runs beside "
        "it, and a fresh one takes the runs from now on."
    )


def _lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")


def _free_names(file: Path, arrays: Path) -> tuple[Path, Path]:
    now = time.time()
    while True:
        stamp = time.strftime(_STAMP, time.gmtime(now))
        names = [path.with_name(f"{path.name}{_MARK}{stamp}") for path in (file, arrays)]
        if not any(path.exists() for path in names):
            return names[0], names[1]
        now += 1


def _bring_back_endings(aside: Path, arrays: Path) -> None:
    """Leave the endings that wait to be written down where the fresh store takes them."""
    waiting = aside / "unsaved"
    if waiting.is_dir():
        arrays.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # Another server has just made a new folder for its own.
            waiting.rename(arrays / "unsaved")


def _move_log(file: Path, aside: Path) -> None:
    for suffix in _LOG_FILES:
        with suppress(FileNotFoundError):
            file.with_name(file.name + suffix).rename(aside.with_name(aside.name + suffix))
