"""Start the app as a reader starts it, on a free port, for tests, benchmarks and screenshots to look at."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLAS_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# In it a process names its folder for uploads to its own workers (`datasets.private_folder`).
UPLOADS = "PARTWISE_UPLOADS"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
# Streamlit says so when the script has run to its end.
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"]'
_START_SECONDS = 60


class ServerFailedError(RuntimeError):
    """The app did not start; the message holds its log."""


@dataclass(frozen=True)
class Server:
    """A running app."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]


@contextmanager
def serving(folder: Path, script: str = "app.py", *, root: Path = ROOT, **settings: str) -> Iterator[Server]:
    """Run the app, or another script, until the block ends; its log and its run store lie in `folder`.

    `settings` are variables of the environment, such as those of Streamlit. Under another path than / the
    address of the server ends with that path. It is the app of the checkout at `root`.
    """
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
    with started(command, port, folder, root=root, **settings) as running:
        yield running


@contextmanager
def started(
    command: list[str], port: int, folder: Path, *, root: Path = ROOT, **settings: str
) -> Iterator[Server]:
    """Run a command that serves the app on a port until the block ends, with log and store in `folder`."""
    # The threads a reader would have, not the one that tests are held to, and its own folder for uploads.
    left_out = (*BLAS_THREADS, UPLOADS)
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment |= {
        "PARTWISE_DATABASE_URL": f"sqlite:///{folder}/runs.sqlite3",
        "PYTHONUNBUFFERED": "1",
        **settings,
    }
    log = folder / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        path = settings.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
        running = Server(f"http://127.0.0.1:{port}/{path}".rstrip("/"), log, process)
        _wait_until_healthy(running)
        yield running
    finally:
        _end(process)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def _wait_until_healthy(server: Server) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
    raise ServerFailedError(f"The app did not start within {_START_SECONDS} s:\n{server.log.read_text()}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server and whatever it started, politely first."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
