"""The README tells the truth: its tables are those of the registry, its pictures exist.

Its example is run by `tests/browser/test_wheel.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.cli.command_line import main


@pytest.fixture
def text(repository: Path) -> str:
    return (repository / "README.md").read_text(encoding="utf-8")


def test_tables_are_up_to_date(tmp_path: Path, text: str) -> None:
    copy = tmp_path / "README.md"
    copy.write_text(text, encoding="utf-8")
    assert main(["list", "--write-readme", str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == text, "run `make docs`"


def test_pictures_and_links_exist(repository: Path, text: str) -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    assert any(target.endswith("first-light.webp") for target in targets)
    missing = [target for target in targets if not (repository / target).exists()]
    assert not missing


def test_both_commands_are_shown(text: str) -> None:
    assert "make run" in text
    assert "make test" in text
