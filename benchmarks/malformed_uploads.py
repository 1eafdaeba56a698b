"""What happens to uploads that are damaged, absurd or hostile: ten thousand of them, made from a seed.

    python -m benchmarks.malformed_uploads [--count 10000] [--seed 0] [--seconds 2] [--dry]

Each must end in a sentence (or, where damage left it readable, in a data set that says what it is) within two
seconds; nothing else may be raised, no warning given, and memory may never be 300 MB above its start.
Prints a table, writes results/malformed_uploads.json beside this file, and fails if a promise is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import datasets
from benchmarks import report
from benchmarks.malformed import TROUBLES, prepare

MOST_MEGABYTES = 300
LONGEST_SENTENCE = 700


@dataclass(frozen=True)
class Case:
    """One upload: the kind of trouble, its name and bytes, and whether it can only be refused."""

    trouble: str
    name: str
    data: bytes
    hopeless: bool


@dataclass(frozen=True)
class Outcome:
    """What became of a case, without its bytes: what was said, how long it took, what went wrong.

    `worked` is the time of the processor, in processes started for it too: on a busy machine the clock
    says more.
    """

    trouble: str
    name: str
    said: str
    refused: bool
    seconds: float
    worked: float
    fault: str = ""


def main(argv: Sequence[str] | None = None) -> None:
    """Read them all and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=2.0, help="what one upload may take")
    parser.add_argument("--dry", action="store_true", help="write no file")
    given = parser.parse_args(argv)
    prepare()
    start = resident()
    forget_peak()
    outcomes = [outcome(case) for case in cases(given.count, given.seed)]
    grown = peak() - start
    rows = table(outcomes)
    report.show(f"{given.count} malformed uploads, memory grew by {grown:.0f} MB at most", rows)
    if not given.dry:
        print(f"written to {report.save('malformed_uploads', {'megabytes_grown': grown, 'kinds': rows})}")
    faults = [found for found in outcomes if found.fault or found.seconds > given.seconds]
    for found in faults[:20]:
        print(f"{found.trouble} {found.name}: {found.fault or 'slow'} ({found.seconds:.2f} s)")
    if faults or grown > MOST_MEGABYTES:
        sys.exit(f"{len(faults)} uploads broke a promise; memory grew by {grown:.0f} MB")


def cases(count: int, seed: int) -> Iterator[Case]:
    """Yield so many cases, kinds in turn; the same seed gives the same cases."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        trouble, make = TROUBLES[number % len(TROUBLES)]
        name, data, hopeless = make(rng)
        yield Case(trouble, name, data, hopeless)


def outcome(case: Case) -> Outcome:
    """Read one upload with warnings as errors, and judge what happened."""
    begun, worked = perf_counter(), processor()
    fault = ""
    refused = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            understood = datasets.understand(case.data, name=case.name)
        said, refused = understood.summary, False
        fault = "was accepted" if case.hopeless else foul_names(understood.dataset)
    except datasets.UploadError as error:
        said = str(error)
        if "\n" in said or not said.endswith(".") or not 20 < len(said) < LONGEST_SENTENCE:
            fault = f"not a sentence: {said!r}"
    except BaseException as error:
        said, fault = "", f"{type(error).__name__} escaped: {error}"
    return Outcome(
        case.trouble, case.name, said, refused, perf_counter() - begun, processor() - worked, fault
    )


def processor() -> float:
    """Return the seconds this process and its finished children have computed."""
    return sum(os.times()[:4])


def foul_names(ds: datasets.Dataset) -> str:
    """Return what is wrong with names that came out of an archive: markup or paths."""
    names = [*ds.target_names, *(ds.sample_names or ()), *ds.views, ds.title]
    foul = [
        name for name in names if any(mark in name for mark in ("<", ">", "..", "\\", "`", "\0", "\n", "$"))
    ]
    return f"names {foul[:3]}" if foul else ""


def table(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """Return one row for each kind of trouble."""
    rows = []
    for trouble, _ in TROUBLES:
        mine = [found for found in outcomes if found.trouble == trouble]
        if mine:
            rows.append(
                {
                    "trouble": trouble,
                    "uploads": len(mine),
                    "refused": sum(found.refused for found in mine),
                    "faults": sum(bool(found.fault) for found in mine),
                    "slowest s": max(found.seconds for found in mine),
                    "most worked s": max(found.worked for found in mine),
                    "mean ms": 1000 * sum(found.seconds for found in mine) / len(mine),
                }
            )
    return rows


def resident() -> float:
    """Return the memory of this process in MB."""
    return _status("VmRSS") if _STATUS.is_file() else peak()


def peak() -> float:
    """Return the most memory this process had, in MB."""
    if _STATUS.is_file():
        return _status("VmHWM")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def forget_peak() -> None:
    """Let the peak start anew, where the system can."""
    if _FORGET.exists():
        _FORGET.write_text("5")


_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def _status(name: str) -> float:
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1e3


if __name__ == "__main__":
    main()
