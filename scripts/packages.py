"""Install what the tests need from the system's own packages, on Debian and its relatives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

INSTALL = "--install"


class MissingError(RuntimeError):
    """What the tests need is not there; the message says what to do."""


class NotInstalledError(RuntimeError):
    """The packages could not be installed; the message says why."""


def report(
    title: str,
    find: Callable[[], Any],
    packages: Sequence[str],
    missing: str,
    arguments: Sequence[str],
    *,
    after: Callable[[Any], object] | None = None,
    named: str | None = None,
) -> int:
    """Print what is found, installing it first if asked to and needed; return the exit code of the command.

    What somebody has named (an environment variable) is not installed for them. `after` is called with what
    is there when installing was asked for.
    """
    wanted = list(arguments) == [INSTALL]
    try:
        try:
            place = find()
        except MissingError:
            if not wanted or (named and os.environ.get(named)):
                raise
            install(title, packages)
            place = find()
        if wanted and after is not None:
            after(place)
    except MissingError as error:
        print(error, file=sys.stderr)
        return 1
    except NotInstalledError as error:
        print(f"{error} {missing}", file=sys.stderr)
        return 1
    print(f"{title}: {place}")
    return 0


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
