"""Run the tests, and look again at the few that failed: `python -m scripts.second_look PYTEST-ARGUMENTS ...`.

Thousands of tests beside each other fill a machine, and on one that others use as well a moment can be missed
that a person would not have missed. A few tests that failed are therefore run again, each by itself and three
times: passed all three times they are named as unsteady, which is a fault to be traced, and the run passes;
failed once more, or more than a few, they have failed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

MOST = 3
TIMES = 3
_LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")
# What pytest returns if tests failed, and nothing worse.
_TESTS_FAILED = 1


def failed() -> list[str]:
    """Return the tests that the last run of pytest in this folder failed."""
    return sorted(json.loads(_LAST_FAILED.read_text())) if _LAST_FAILED.exists() else []


def run(arguments: Sequence[str]) -> int:
    """Run pytest, and once more what failed if that is little; return the exit code."""
    _LAST_FAILED.unlink(missing_ok=True)
    code = _pytest(arguments)
    tests = failed()
    if code != _TESTS_FAILED or not 0 < len(tests) <= MOST:
        return code
    for test in tests:
        print(f"\nfailed beside the others, run {TIMES} times by itself: {test}", flush=True)
        if any(_pytest([test]) for _ in range(TIMES)):
            return code
    print("\nUNSTEADY: failed beside the others, passed every time alone:", *tests, flush=True)
    return 0


def _pytest(arguments: Sequence[str]) -> int:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
