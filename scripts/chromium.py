"""Find the Chromium the browser tests and the screenshots drive; with --install, get one.

`PARTWISE_CHROMIUM` names one explicitly; otherwise the usual commands on PATH are tried,
and on Debian and its relatives the missing one is installed with apt-get.

Tests take Chromium's headless shell where there is one: the same engine without the windows, tabs and
settings of a browser, which takes a fifth less of the processor's time.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from scripts import packages

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
SHELL = "chromium-headless-shell"
PACKAGES = ("chromium", SHELL)
MISSING = (
    "No Chromium found. Install Chromium or Google Chrome with your system's package manager "
    "(Debian: apt-get install chromium), or set PARTWISE_CHROMIUM to its path."
)


class ChromiumMissingError(packages.MissingError):
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


def find_headless() -> Path:
    """Return the executable that is quickest where nobody looks."""
    shell = None if os.environ.get("PARTWISE_CHROMIUM") else shutil.which(SHELL)
    return Path(shell) if shell else find()


def _add_shell(found: Path) -> None:
    """Install the headless shell beside a Chromium of Debian's; without it tests only take longer."""
    if found.name != "chromium" or find_headless() != found or os.environ.get("PARTWISE_CHROMIUM"):
        return
    try:
        packages.install("Chromium's headless shell", (SHELL,))
    except packages.NotInstalledError as error:
        print(f"{error} The tests take the whole Chromium.")


def main(arguments: list[str]) -> int:
    """Print where Chromium is, installing it first if asked to and needed."""
    return packages.report(
        "Chromium", find, PACKAGES, MISSING, arguments, after=_add_shell, named="PARTWISE_CHROMIUM"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
