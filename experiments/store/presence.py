"""Which server processes live: each holds a lock that the system lets go of when it is killed.

What is written down names the server that carries it; several of them may share a store.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

from datasets.locking import held
from experiments.server_name import server_name

_SUFFIX = ".server"


class Presence:
    """The lock of this server, and a look at those of others."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # A server that cleans up at this moment may take a fresh lock for one left behind: then another name.
        while (lock := held(self._take_name())) is None:
            continue
        self._lock = lock

    def gone(self) -> list[str]:
        """Return the servers that have surely ended. Of those on other machines this cannot be told."""
        servers = []
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with suppress(OSError):
                if path != self._path and (lock := held(path)) is not None:
                    lock.close()
                    servers.append(path.stem)
        return servers

    def bury(self, server: str) -> None:
        """Forget a server that is gone and has been cleaned up after."""
        (self._folder / f"{server}{_SUFFIX}").unlink(missing_ok=True)

    def close(self) -> None:
        """Say that this server has ended."""
        self._path.unlink(missing_ok=True)
        self._lock.close()

    def _take_name(self) -> Path:
        self.name = f"{server_name()}-{secrets.token_hex(8)}"
        self._path = self._folder / f"{self.name}{_SUFFIX}"
        return self._path
