"""Run two commands at once: `python -m scripts.side_by_side FIRST ... -- SECOND ...`.

`make test` does so: the checks of style and types fill the gaps in which the tests wait for something.
The first writes to the terminal as it goes; what the second says is printed whole when it ends. Fails if
either does.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence


def run(first: Sequence[str], second: Sequence[str]) -> int:
    """Run both to their end; return the exit code of one that failed, 0 if none has."""
    beside = subprocess.Popen(
        second, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    printing = threading.Thread(target=_print_when_ended, args=(beside,))
    printing.start()
    try:
        code = subprocess.run(first, stdin=subprocess.DEVNULL, check=False).returncode
        printing.join()
    finally:
        beside.terminate()
        printing.join()
    return code or beside.returncode


def _print_when_ended(process: subprocess.Popen[str]) -> None:
    written, _ = process.communicate()
    sys.stdout.write(f"\n{written}\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Run what stands before and after the dashes."""
    split = arguments.index("--")
    return run(arguments[:split], arguments[split + 1 :])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
