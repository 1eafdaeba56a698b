"""Tests and checks run beside each other, and `make test` fails if either does."""

from __future__ import annotations

import sys

import pytest

from scripts.side_by_side import main, run


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(("first", "second", "code"), [(0, 0, 0), (1, 0, 1), (0, 2, 2), (3, 2, 3)])
def test_it_fails_if_either_does(first: int, second: int, code: int) -> None:
    assert run(python(f"exit({first})"), python(f"exit({second})")) == code


def test_what_the_second_says_is_printed_whole(capfd: pytest.CaptureFixture[str]) -> None:
    second = python("import sys; print('a'); print('b', file=sys.stderr)")
    assert main([*python("print('first')"), "--", *second]) == 0
    told = capfd.readouterr().out
    assert "first" in told
    assert sorted(told.replace("first", "").split()) == ["a", "b"]
