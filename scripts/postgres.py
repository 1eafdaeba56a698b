"""Find a PostgreSQL server for the tests, and run one of their own; with --install, get one.

`PARTWISE_POSTGRES` names the folder of its programs explicitly; otherwise PATH and the usual folders
are looked through, and on Debian and its relatives the missing one is installed with apt-get.
The server listens on a socket in a folder of its own: no port, no password, nothing that stays.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts import packages

PROGRAMS = ("initdb", "postgres")
FOLDERS = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin")
MISSING = (
    "No PostgreSQL server found. Install one with your system's package manager "
    "(Debian: apt-get install postgresql), or set PARTWISE_POSTGRES to the folder with its initdb."
)
_START_SECONDS = 60
_QUICK = ("-c", "fsync=off")


class PostgresMissingError(packages.MissingError):
    """There is no database server to test with."""


def find() -> Path:
    """Return the folder of the server's programs, or raise with a sentence that says what to do."""
    named = os.environ.get("PARTWISE_POSTGRES")
    if named:
        if not _complete(Path(named)):
            raise PostgresMissingError(f"PARTWISE_POSTGRES is {named!r}, which has no {PROGRAMS[0]}.")
        return Path(named)
    on_path = shutil.which(PROGRAMS[0])
    folders = [Path(on_path).resolve().parent] if on_path else []
    for pattern in FOLDERS:
        folders += sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
    for folder in folders:
        if _complete(folder):
            return folder
    raise PostgresMissingError(MISSING)


class Server:
    """A database server in a folder of its own, which can be taken away and brought back."""

    def __init__(self, home: Path) -> None:
        self.url = f"postgresql://partwise@/postgres?host={home}"
        self._home, self._programs, self._someone = home, find(), _someone(home)
        self._process: subprocess.Popen[bytes] | None = None
        make = [self._programs / "initdb", "-D", home / "data", "-U", "partwise", "-A", "trust", "--no-sync"]
        subprocess.run(
            [*make, "-E", "UTF8", "--no-locale"],
            check=True, stdout=subprocess.DEVNULL, cwd=home, **self._someone,
        )  # fmt: skip

    def start(self) -> None:
        """Start the server and wait until it takes connections."""
        home, data = self._home, self._home / "data"
        with (home / "log").open("wb") as output:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", data, "-k", home, "-c", "listen_addresses=", *_QUICK],
                stdout=output, stderr=output, stdin=subprocess.DEVNULL, cwd=home, **self._someone,
            )  # fmt: skip
        _wait(self._process, data, home / "log")

    def stop(self) -> None:
        """End the server, if it runs."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # A fast end: it does not wait for those connected.
            self._process.wait(timeout=_START_SECONDS)
            self._process = None

    def freeze(self) -> None:
        """Have the server and all its processes stand still: it takes connections and answers nothing."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let them go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        listed = ["ps", "-o", "pid=", "--ppid", str(self._process.pid)]
        children = subprocess.run(listed, check=True, capture_output=True, text=True).stdout
        for pid in [self._process.pid, *map(int, children.split())]:
            os.kill(pid, number)


@contextmanager
def running() -> Iterator[Server]:
    """Run a fresh server until the block ends."""
    home = Path(tempfile.mkdtemp(prefix="partwise-pg-", dir="/tmp"))  # Sockets need a short path.
    try:
        server = Server(home)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def serving() -> Iterator[str]:
    """Run a fresh server until the block ends; yields the address of an empty database."""
    with running() as server:
        yield server.url


def _complete(folder: Path) -> bool:
    return all((folder / program).is_file() for program in PROGRAMS)


def _someone(home: Path) -> dict[str, Any]:
    """Return as whom the server runs: it refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(home, user.pw_uid, user.pw_gid)
    home.chmod(0o755)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _wait(server: subprocess.Popen[bytes], data: Path, log: Path) -> None:
    # The last line of this file says "ready" once connections are taken.
    status = data / "postmaster.pid"
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        if status.exists() and status.read_text().rstrip().endswith("ready"):
            return
        time.sleep(0.05)
    raise PostgresMissingError(f"PostgreSQL did not start:\n{log.read_text()}")


def main(arguments: list[str]) -> int:
    """Print where the server's programs are, installing them first if asked to and needed."""
    return packages.report("PostgreSQL", find, ("postgresql",), MISSING, arguments, named="PARTWISE_POSTGRES")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
