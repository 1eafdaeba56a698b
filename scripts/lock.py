"""Write the lock files: every package that is installed, its version and the hashes of its files.

    python -m scripts.lock            # make them anew from requirements*.txt
    python -m scripts.lock --check    # say whether they hold what requirements*.txt ask for

The readable requirements stay the plain way in; `make` installs from the locks, and pip then refuses any
file that is not one of those named here. The locks hold for Linux, macOS and Windows alike.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("requirements.txt", "requirements-dev.txt")
_UV = "uv==0.13.8"
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)")


def lock_of(source: str) -> Path:
    """Return the lock file that belongs to a requirements file."""
    return ROOT / source.replace(".txt", ".lock")


def requested(source: str) -> dict[str, str]:
    """Return the versions that a requirements file, and those it refers to, ask for."""
    versions: dict[str, str] = {}
    for line in (ROOT / source).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            versions |= requested(line[3:].strip())
        elif match := _PIN.match(line):
            versions[_normalised(match[1])] = match[2]
    return versions


def locked(source: str) -> dict[str, tuple[str, int]]:
    """Return the version of each locked package and how many hashes it has."""
    packages: dict[str, tuple[str, int]] = {}
    name = ""
    for line in lock_of(source).read_text(encoding="utf-8").splitlines():
        if match := _PIN.match(line):
            name = _normalised(match[1])
            packages[name] = match[2], 0
        elif "--hash=sha256:" in line:
            version, hashes = packages[name]
            packages[name] = version, hashes + 1
    return packages


def faults(source: str) -> list[str]:
    """Return what is wrong with a lock, in sentences; nothing if it holds."""
    if not lock_of(source).is_file():
        return [f"{lock_of(source).name} is missing."]
    packages = locked(source)
    wrong = [f"{name} has no hash." for name, (_, hashes) in packages.items() if not hashes]
    for name, version in requested(source).items():
        have = packages.get(name, ("nothing", 0))[0]
        if have != version:
            wrong.append(f"{source} asks for {name} {version}, the lock has {have}.")
    return wrong


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _write(source: str) -> None:
    uv = [sys.executable, "-m", "uv", "pip", "compile", "--universal", "--python-version", "3.11"]
    quiet = ["--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--quiet"]
    subprocess.run([*uv, *quiet, source, "--output-file", lock_of(source).name], cwd=ROOT, check=True)


def main(arguments: list[str]) -> int:
    """Write the locks, or check them."""
    if arguments != ["--check"]:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", _UV]
        subprocess.run(install, cwd=ROOT, check=True)
        for source in SOURCES:
            _write(source)
    wrong = [fault for source in SOURCES for fault in faults(source)]
    print(
        "\n".join(wrong) + "\nRun `make lock`." if wrong else "The locks hold what the requirements ask for."
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
