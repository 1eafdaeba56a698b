"""Copies of the project's packages, for tests that add a file to them."""

from __future__ import annotations

import shutil
from pathlib import Path

# What other processes are just writing, and numba's kernels, which go by the place of their source.
_PASSING = shutil.ignore_patterns("*.pyc.*", "*.nb?*")


def copy_packages(repository: Path, to: Path, *names: str) -> None:
    """Copy packages, with what Python has compiled of them: only what is new has to be compiled."""
    for name in names:
        shutil.copytree(repository / name, to / name, ignore=_PASSING)
