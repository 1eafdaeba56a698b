"""Find the Node.js that checks and tests our scripts; with --install, get it and the tools of `package.json`.

Only `make lint` and `make test` need it. On Debian and its relatives a missing one is installed with apt-get.
What was installed into `node_modules` is remembered by content, like what is in `.venv` (`scripts/venv.sh`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from scripts import packages

REPOSITORY = Path(__file__).resolve().parent.parent
OLDEST = (18, 18)
PACKAGES = ("nodejs", "npm")
PINNED = ("package.json", "package-lock.json", ".npmrc")
MISSING = (
    "The scripts of the pages are checked with Node.js {}.{} or newer and its npm, which were not found. "
    "Install them with your system's package manager (Debian: apt-get install nodejs npm). "
    "Running Partwise needs neither."
).format(*OLDEST)


class NodeMissingError(packages.MissingError):
    """There is no Node.js that is recent enough, or the tools could not be installed."""


def version(command: str = "node") -> tuple[int, ...]:
    """Return the version of a Node.js, () if there is none."""
    if shutil.which(command) is None:
        return ()
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = told.removeprefix("v").split(".")
    return tuple(int(number) for number in numbers) if all(map(str.isdigit, numbers)) else ()


def find() -> tuple[int, ...]:
    """Return the version of Node.js, or raise with a sentence that says what to do."""
    found = version()
    if found < OLDEST or shutil.which("npm") is None:
        raise NodeMissingError(MISSING)
    return found


def contents(folder: Path, node: tuple[int, ...]) -> str:
    """Return what decides whether the tools must be installed anew."""
    return "\n".join([f"node {node[0]}", *(folder.joinpath(name).read_text("utf-8") for name in PINNED)])


def install_tools(folder: Path, node: tuple[int, ...], run: Callable[..., object] = subprocess.run) -> bool:
    """Make `node_modules` hold what `package.json` asks for; return False if it already did."""
    stamp, wanted = folder / "node_modules" / ".installed", contents(folder, node)
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return False
    print("Installing the tools of package.json into node_modules ...", flush=True)
    stamp.unlink(missing_ok=True)
    # No package may run commands of its own while it is installed.
    command = ["npm", "ci", "--ignore-scripts", "--loglevel=error"]
    try:
        run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise NodeMissingError(
            f"'{' '.join(command)}' failed; the lines above say why. The next make tries again."
        ) from None
    stamp.write_text(wanted, "utf-8")
    return True


def main(arguments: list[str]) -> int:
    """Print which Node.js there is; asked to, install it and the tools."""
    return packages.report(
        "Node.js",
        lambda: ".".join(map(str, find())),
        PACKAGES,
        MISSING,
        arguments,
        after=lambda _: install_tools(REPOSITORY, find()),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
