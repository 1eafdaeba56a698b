"""`python -m experiments`: see `experiments.cli.command_line`."""

from __future__ import annotations

import sys

from experiments.cli.program import carry_out

if __name__ == "__main__":
    sys.exit(carry_out())
