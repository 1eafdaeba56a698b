"""The folder in which a service has the files of its runs; those of servers that were killed are removed."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from datasets.locking import held

_PREFIX, _LOCK = "partwise-runs-", "in-use"


def make_run_folder() -> tuple[Path, BinaryIO]:
    """Return a new folder and its lock, which is held as long as its server lives."""
    remove_leftovers()
    # Under another name until it is locked, so that no server takes it for a leftover.
    new = Path(tempfile.mkdtemp(prefix="partwise-new-"))
    lock = held(new / _LOCK)
    assert lock is not None
    return new.rename(new.with_name(_PREFIX + new.name.rpartition("-")[2])), lock


def remove_leftovers() -> None:
    """Remove the folders of servers that are no longer there: nobody holds their locks."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # Of another user, or removed by somebody else at this moment.
            if not folder.is_symlink() and (lock := held(folder / _LOCK)) is not None:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()
