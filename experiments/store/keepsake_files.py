"""Small files kept beside the results of trials, by their keys: bounded in bytes, the oldest go first."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from contextlib import suppress
from pathlib import Path
from threading import Lock

from experiments.store.files import open_private

MOST_BYTES = 500_000_000
_SAFE = re.compile(r"[\w-]{1,80}", re.ASCII)
_CATALOGUE = "catalogue"
_UPLOAD_SECONDS = 86_400.0
# Room is made for many at a time: looking through a folder takes a while.
_LOOK_AFTER, _LEFT = 20_000_000, 0.8


class KeepsakeFiles:
    """A folder of files by scope (an upload, or the catalogue) and key."""

    def __init__(self, folder: Path, most: int = MOST_BYTES) -> None:
        self.folder, self._most = folder, most
        self._written = _LOOK_AFTER  # Looked through once, however little is written.
        self._lock = Lock()

    def write(self, key: str, scope: str, content: bytes) -> None:
        """Write a file, as a whole or not at all. One that cannot be written is not missed."""
        target = self._path(key, scope)
        draft = target.with_name(f"{key}.{secrets.token_hex(4)}.part")
        with suppress(OSError):
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with open_private(draft) as file:
                    file.write(content)
                draft.replace(target)
            finally:
                draft.unlink(missing_ok=True)
            self._make_room(len(content))

    def read(self, key: str, scope: str) -> bytes | None:
        """Return a file, None if it is not there (any more)."""
        path = self._path(key, scope)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)  # What is looked at stays longer.
        return content

    def forget(self, scope: str) -> None:
        """Remove all that came of an upload."""
        if scope:
            shutil.rmtree(self._path("x", scope).parent, ignore_errors=True)

    def tidy(self) -> None:
        """Remove what came of uploads long gone."""
        with suppress(OSError):
            for folder in self.folder.iterdir():
                old = folder.stat().st_mtime < time.time() - _UPLOAD_SECONDS
                if folder.name != _CATALOGUE and folder.is_dir() and old:
                    shutil.rmtree(folder, ignore_errors=True)

    def _path(self, key: str, scope: str) -> Path:
        name = scope or _CATALOGUE
        if not (_SAFE.fullmatch(key) and _SAFE.fullmatch(name)):
            raise ValueError("This is no key of a trial.")
        return self.folder / name / f"{key}.npz"

    def _make_room(self, written: int) -> None:
        with self._lock:
            self._written += written
            if self._written < _LOOK_AFTER:
                return
            self._written = 0
            files = [(path.stat(), path) for path in self.folder.glob("*/*.npz")]
            total = sum(status.st_size for status, _ in files)
            if total <= self._most:
                return
            for status, path in sorted(files, key=lambda entry: entry[0].st_mtime):
                if total <= _LEFT * self._most:
                    break
                path.unlink(missing_ok=True)
                total -= status.st_size
