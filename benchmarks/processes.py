"""What a process and its children take: memory, processor, open files; as Linux tells it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def processor_seconds(pid: int) -> float:
    """Return the processor time a process has had so far, its children not counted."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family_seconds(pid: int, without: int) -> float:
    """Return the processor time of a process and all its children, one child and its own left out."""
    left_out, total = {process.name for process in family(without)}, 0.0
    for process in family(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # One that has just ended.
            total += 0.0 if process.name in left_out else processor_seconds(int(process.name))
    return total


def memory(pid: int) -> float:
    """Return the megabytes that a process and all its children have for themselves (shares counted once)."""
    total = 0.0
    for process in family(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # One that has just ended.
            for line in (process / "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) / 1000
    return total


def descriptors(pid: int) -> int:
    """Return how many files and connections a process and all its children have open."""
    total = 0
    for process in family(pid):
        with suppress(FileNotFoundError, ProcessLookupError):
            total += sum(1 for _ in (process / "fd").iterdir())
    return total


def family(pid: int) -> Iterator[Path]:
    """Yield the folders in /proc of a process and of all its children."""
    ahead = [pid]
    while ahead:
        process = Path(f"/proc/{ahead.pop()}")
        yield process
        with suppress(FileNotFoundError, ProcessLookupError):
            for task in (process / "task").iterdir():
                with suppress(FileNotFoundError):  # A thread that has just ended.
                    ahead += [int(child) for child in (task / "children").read_text().split()]
