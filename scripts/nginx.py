"""Find nginx for the tests, and run one of their own before an app; with --install, get one.

It listens on a free port of this machine only, as whoever runs the tests, from a folder that goes afterwards.
The settings it runs with are those that `docs/hosting.md` prints.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts import packages
from scripts.app_server import ROOT, free_port

HOSTING = ROOT / "docs" / "hosting.md"
FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")
MISSING = "No nginx found. Install it with your package manager (Debian: apt-get install nginx-light)."
_START_SECONDS = 60
_FIRST_PORT = 8501
_BLOCK = re.compile(r"```nginx\n(.*?)```", re.DOTALL)


class NginxMissingError(packages.MissingError):
    """There is no nginx to test with, or it did not start."""


def find() -> str:
    """Return where the program is, or raise with a sentence that says what to do."""
    program = shutil.which("nginx") or next(
        (found for folder in FOLDERS if (found := shutil.which("nginx", path=folder))), None
    )
    if program is None:
        raise NginxMissingError(MISSING)
    return program


def settings(title: str) -> str:
    """Return the `server` block that `docs/hosting.md` prints under a heading."""
    _, _, section = HOSTING.read_text(encoding="utf-8").partition(f"\n## {title}\n")
    found = _BLOCK.search(section.partition("\n## ")[0])
    if found is None:
        raise ValueError(f"{HOSTING.name} prints no settings under {title!r}.")
    return found.group(1)


@contextmanager
def before(app_ports: Sequence[int], server: str, port: int | None = None) -> Iterator[str]:
    """Run nginx with a `server` block until the block ends; yields its address.

    The port it listens on is replaced by a free one if none is given, those of the apps (8501, 8502, …) by
    theirs; what needs certificates is left out.
    """
    program, port = find(), port or free_port()
    server = re.sub(r"listen [^;]+;", f"listen 127.0.0.1:{port};", server, count=1)
    for number, app_port in enumerate(app_ports, _FIRST_PORT):
        server = server.replace(f"127.0.0.1:{number};", f"127.0.0.1:{app_port};")
        server = server.replace(f"127.0.0.1:{number} ", f"127.0.0.1:{app_port} ")
    server = re.sub(r"\n *(ssl_|listen \[|server_name)[^\n]*", "", server)
    home = Path(tempfile.mkdtemp(prefix="partwise-nginx-"))
    folders = "".join(
        f"{name}_temp_path {home}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = home / "nginx.conf"
    configuration.write_text(
        f"daemon off; master_process off; pid {home}/pid; error_log {home}/error.log;\n"
        f"events {{ worker_connections 512; }}\n"
        f"http {{ access_log off; types {{ }} {folders}\n"
        f"map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}\n{server}\n}}\n"
    )
    command = [program, "-p", str(home), "-c", str(configuration)]
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(running, port, home / "error.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait(timeout=_START_SECONDS)
        shutil.rmtree(home, ignore_errors=True)


def _wait(running: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and running.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                return
        except urllib.error.HTTPError as answer:
            answer.close()
            return
        except OSError:
            time.sleep(0.05)
    said = log.read_text() if log.exists() else ""
    raise NginxMissingError(f"nginx did not start:\n{said}")


def main(arguments: list[str]) -> int:
    """Print where the program is, installing it first if asked to and needed."""
    return packages.report("nginx", find, ("nginx-light",), MISSING, arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
