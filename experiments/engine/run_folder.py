"""The folder in which a service has the files of its runs; those of servers that were killed are removed."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from datasets.own_folder import made, remove_leftovers

_PREFIX = "partwise-runs-"


def make_run_folder() -> tuple[Path, BinaryIO]:
    """Return a new folder and its lock, which is held as long as its server lives."""
    remove_leftovers(_PREFIX)
    return made(_PREFIX)
