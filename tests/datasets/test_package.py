"""The package itself loads nothing: two threads that need different parts never wait for each other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import datasets


def test_parts_are_loaded_when_they_are_used(repository: Path) -> None:
    """A page and the warm-up behind it, importing at once, had each half of the package: no page came."""
    program = "import sys, datasets; print([name for name in sys.modules if name.startswith('datasets.')])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=repository
    )
    assert told.stdout.strip() == "[]"


@pytest.mark.parametrize("name", datasets.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(datasets, name).__name__ == name


def test_others_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = datasets.nothing
