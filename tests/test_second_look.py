"""A test that failed beside others must pass by itself, several times, or it has failed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
# A test of its own for each number; each counts how often it ran, and fails at the turns it is told.
MODULE = """
from pathlib import Path

def turn(name):
    place = Path(__file__).with_name(name)
    place.write_text(place.read_text() + "." if place.exists() else ".")
    return len(place.read_text())
"""
TEST = """
def test_{number}():
    assert turn("{number}") not in {turns}
"""


def look(folder: Path, *fails_at: tuple[int, ...]) -> subprocess.CompletedProcess[str]:
    tests = [TEST.format(number=number, turns=turns) for number, turns in enumerate(fails_at)]
    (folder / "test_turns.py").write_text(MODULE + "".join(tests))
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "scripts.second_look", "-q"]
    alone = {"PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False)


def turns(folder: Path, number: int) -> int:
    return len((folder / str(number)).read_text())


def test_what_passes_is_run_once(tmp_path: Path) -> None:
    assert look(tmp_path, (), ()).returncode == 0
    assert [turns(tmp_path, number) for number in (0, 1)] == [1, 1]


def test_what_failed_once_must_pass_three_times_alone_and_is_named(tmp_path: Path) -> None:
    done = look(tmp_path, (), (1,))
    assert done.returncode == 0
    assert "UNSTEADY" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("test_turns.py::test_1")
    assert [turns(tmp_path, number) for number in (0, 1)] == [1, 4]


@pytest.mark.parametrize("again", [2, 4])
def test_what_fails_once_more_has_failed(tmp_path: Path, again: int) -> None:
    done = look(tmp_path, (1,), (1, again))
    assert done.returncode == 1
    assert "UNSTEADY" not in done.stdout


def test_many_that_fail_are_not_looked_at_again(tmp_path: Path) -> None:
    assert look(tmp_path, *[(1,)] * 4).returncode == 1
    assert turns(tmp_path, 0) == 1


def test_tests_that_cannot_be_read_have_failed(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_this_name")
    assert look(tmp_path, ()).returncode == 2
