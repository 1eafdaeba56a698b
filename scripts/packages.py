"""Install what the tests need from the system's own packages, on Debian and its relatives."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence


class NotInstalledError(RuntimeError):
    """The packages could not be installed; the message says why."""


def install(title: str, packages: Sequence[str]) -> None:
    """Install packages with apt-get; raise if this is another system or the rights are missing."""
    if shutil.which("apt-get") is None:
        raise NotInstalledError("There is no apt-get here.")
    # `env` because sudo would drop a variable set outside it.
    command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            raise NotInstalledError("This needs root, and there is no sudo.")
        command = ["sudo", *command]
    print(f"Installing {title} for the tests ...", flush=True)
    for step in (["update"], ["install", "--no-install-recommends", *packages]):
        done = subprocess.run([*command, *step], stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            raise NotInstalledError(f"'{' '.join([*command, *step])}' failed.")
