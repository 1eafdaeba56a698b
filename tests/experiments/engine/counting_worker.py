"""A worker whose jobs count to a number, or never stop, and note in which order they were begun.

Other kinds of jobs tell what process they are in, and whether runs wait for their steps.
"""

from __future__ import annotations

import os
import time
import traceback
from pathlib import Path

from experiments.engine.worker import main


class Count:
    """A name and a number to count to."""

    def __init__(self, text: str, folder: Path) -> None:
        self.name, number = text.split()
        self.left = int(number)
        with (folder.parent / "begun").open("a") as file:
            file.write(self.name + " ")

    def advance(self) -> bool:
        """Count one on, in two milliseconds."""
        if self.name == "broken":
            raise ZeroDivisionError("no number")
        time.sleep(0.002)
        self.left -= 1
        return self.left != 0

    def answer(self) -> str:
        """Return who has counted."""
        return f"{self.name} {os.getpid()}"


class Tell:
    """The name of a variable of the environment."""

    def __init__(self, text: str, folder: Path) -> None:
        self.name = text

    def advance(self) -> bool:
        """Return that there is nothing to do."""
        return False

    def answer(self) -> str:
        """Return the value of the variable, and the number of the parent of this process."""
        return f"{os.environ.get(self.name)} {os.getppid()}"


class Hold:
    """A single step that lasts until there is a file."""

    def __init__(self, text: str, folder: Path) -> None:
        self.file = folder.parent / text

    def advance(self) -> bool:
        """Wait for the file."""
        while not self.file.exists():
            time.sleep(0.01)
        return False

    def answer(self) -> str:
        """Return that it is there."""
        return "let go"


class Beside:
    """Whether its step is taken where runs take theirs."""

    def __init__(self, text: str, folder: Path) -> None:
        self.holds_up = True

    def advance(self) -> bool:
        """Look who has called."""
        self.holds_up = any(frame.name == "_go_round" for frame in traceback.extract_stack())
        return False

    def answer(self) -> str:
        """Return what was seen."""
        return "holds up runs" if self.holds_up else "beside them"


if __name__ == "__main__":
    main({"count": Count, "tell": Tell, "beside": Beside, "hold": Hold})
