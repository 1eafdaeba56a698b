"""Find the Chromium the browser tests and the screenshots drive; with --install, get one.

`PARTWISE_CHROMIUM` names one explicitly; otherwise the usual commands on PATH are tried,
and on Debian and its relatives the missing one is installed with apt-get.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PACKAGES = ("chromium", "chromium-driver")
MISSING = (
    "No Chromium found. Install Chromium or Google Chrome with your system's package manager "
    "(Debian: apt-get install chromium chromium-driver), or set PARTWISE_CHROMIUM to its path."
)


class ChromiumMissingError(RuntimeError):
    """There is no browser to test with."""


def find() -> Path:
    """Return the executable, or raise with a sentence that says what to do."""
    named = os.environ.get("PARTWISE_CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise ChromiumMissingError(f"PARTWISE_CHROMIUM is {named!r}, which is not an executable file.")
        return Path(found)
    for candidate in (*COMMANDS, *MAC_APPS):
        found = shutil.which(candidate)
        if found is not None:
            return Path(found)
    raise ChromiumMissingError(MISSING)


def install() -> None:
    """Install Debian's Chromium; raise if this is another system or the rights are missing."""
    if shutil.which("apt-get") is None:
        raise ChromiumMissingError(MISSING)
    # `env` because sudo would drop a variable set outside it.
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            raise ChromiumMissingError(f"{MISSING} This needs root, and there is no sudo.")
        command = ["sudo", *command]
    print("Installing Chromium for the browser tests ...", flush=True)
    for step in (["update"], ["install", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run([*command, *step], stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise ChromiumMissingError(f"'{' '.join([*command, *step])}' failed. {MISSING}")


def main(arguments: list[str]) -> int:
    """Print where Chromium is, installing it first if asked to and needed."""
    try:
        try:
            path = find()
        except ChromiumMissingError:
            if arguments != ["--install"] or os.environ.get("PARTWISE_CHROMIUM"):
                raise
            install()
            path = find()
    except ChromiumMissingError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Chromium: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
