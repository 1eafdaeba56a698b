"""The command line as a program: Ctrl-C ends it in a sentence from the first, while everything is loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from experiments.commands import INTERRUPTED, PROGRAM


def carry_out(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Load what commands need, carry one out and return the exit status."""
    try:
        from experiments.cli.command_line import main
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return INTERRUPTED
    return main(arguments, program)
