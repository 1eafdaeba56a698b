"""What happens to uploads that are damaged, absurd or hostile: ten thousand of them, made from a seed.

    python -m benchmarks.malformed_uploads [--count 10000] [--seed 0] [--keep FILE] [--only 17 4711] [--dry]

What was read is kept in FILE, a line each, and not read again: a measurement that was broken off goes on
where it was. `--only` reads these numbers alone, five times each, to see whether a wait comes again. The
tests have it read `--once` what comes under many numbers, and every costly file.

Each must end in a sentence (or, where damage left it readable, in a data set that says what it is); nothing
else may be raised. The process that decodes it may take two seconds of the processor and 300 MB (more if the
file is large), and a thread of this process, which stands for everything else in a server, may never wait
for more than 250 ms. Prints a table, writes results/malformed_uploads.json beside this file, and fails if a
promise is broken.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import datasets
from benchmarks import report
from benchmarks.malformed import COSTLY, TROUBLES, costly, prepare
from benchmarks.malformed.heart import Heart
from datasets.reading import sandbox

MOST_SECONDS, MOST_MEGABYTES, MOST_GROWN, LONGEST_WAIT = 2.0, 300.0, 150.0, 0.25
# The system ends a process some time after its time is over.
_SECONDS_OVER = 0.1
LONGEST_SENTENCE = 700
_AGAIN = 5


@dataclass(frozen=True)
class Case:
    """One upload: the kind of trouble, its name and bytes, and whether it can only be refused."""

    trouble: str
    name: str
    data: bytes
    hopeless: bool
    number: int = -1


@dataclass(frozen=True)
class UploadOutcome:
    """What became of a case, without its bytes: what was said, what it cost, what went wrong.

    `worked` is the processor time of the process that decoded it and `megabytes` its memory: `seconds`, by
    the clock, says more of a busy machine. `waited` is the longest another thread had to wait for.
    """

    trouble: str
    name: str
    size: int
    said: str
    refused: bool
    seconds: float
    worked: float
    megabytes: float
    waited: float
    fault: str = ""
    number: int = -1
    load: float = 0.0
    grown: float = 0.0

    @property
    def problem(self) -> str:
        """What promise was broken, if any."""
        if self.fault:
            return self.fault
        if self.worked > MOST_SECONDS + _SECONDS_OVER:
            return f"took {self.worked:.2f} s of the processor"
        if self.megabytes > MOST_MEGABYTES:
            return f"took {self.megabytes:.0f} MB"
        return ""


def main(argv: Sequence[str] | None = None) -> None:
    """Read them all and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dry", action="store_true", help="write no file")
    parser.add_argument("--keep", type=Path, help="file of what was read already")
    parser.add_argument("--only", type=int, nargs="*", default=[], help="numbers to read five times each")
    parser.add_argument("--once", action="store_true", help="read what many numbers have in common once")
    parser.add_argument("--longest-wait", type=float, default=LONGEST_WAIT, help="seconds others may wait")
    given = parser.parse_args(argv)
    prepare()
    sandbox.prepare()
    before = kept(given.keep)
    wanted = [number for number in given.only for _ in range(_AGAIN)] or [
        number for number in range(given.count) if number not in before
    ]
    outcomes = [*(found for number, found in before.items() if number < given.count and not given.only)]
    made = each_once(wanted, given.seed) if given.once else cases(wanted, given.seed)
    outcomes += measured(made, given.keep)
    sys.exit(judge(outcomes, given.longest_wait, dry=given.dry))


def measured(made: Iterable[Case], keep: Path | None) -> Iterator[UploadOutcome]:
    """Yield what became of each, written down at once where that is asked for."""
    start = resident()
    forget_peak()
    with Heart() as heart:
        for case in made:
            found = replace(
                outcome(case, heart), number=case.number, load=os.getloadavg()[0], grown=peak() - start
            )
            if keep is not None:
                with keep.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(found)) + "\n")
            yield found


def kept(path: Path | None) -> dict[int, UploadOutcome]:
    """Return by number what an earlier measurement has written down."""
    if path is None or not path.exists():
        return {}
    found = (UploadOutcome(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return {each.number: each for each in found}


def judge(outcomes: Sequence[UploadOutcome], longest_wait: float, *, dry: bool) -> str | None:
    """Print the table and every broken promise; return a sentence if there is one."""
    grown = max((found.grown for found in outcomes), default=0.0)
    rows = table(outcomes)
    report.show(
        f"{len(outcomes)} malformed uploads, memory of the server grew by {grown:.0f} MB at most", rows
    )
    if not dry:
        print(f"written to {report.save('malformed_uploads', {'megabytes_grown': grown, 'kinds': rows})}")
    broken = [found for found in outcomes if found.problem]
    for found in broken[:20]:
        print(f"{found.number} {found.trouble} {found.name} ({found.size} bytes): {found.problem}")
    late = [found for found in outcomes if found.waited > longest_wait]
    for found in late[:20]:
        print(
            f"{found.number} {found.trouble} {found.name}: held up others for {1000 * found.waited:.0f} ms "
            f"at a load of {found.load:.0f}"
        )
    if broken or late or grown > MOST_GROWN:
        return f"{len(broken) + len(late)} uploads broke a promise; memory grew by {grown:.0f} MB"
    return None


def cases(numbers: Iterable[int], seed: int) -> Iterator[Case]:
    """Yield the cases of these numbers, kinds in turn; the same seed gives the same cases."""
    for number in numbers:
        rng = random.Random(f"{seed}/{number}")
        trouble, make = TROUBLES[number % len(TROUBLES)]
        name, data, hopeless = make(rng)
        yield Case(trouble, name, data, hopeless, number)


def each_once(numbers: Iterable[int], seed: int) -> Iterator[Case]:
    """Yield the cases of these numbers without those that come again, and every costly file."""
    read = set()
    for case in cases(numbers, seed):
        if case.trouble != COSTLY and (case.name, case.data) not in read:
            read.add((case.name, case.data))
            yield case
    for name, make, hopeless in costly.CASES:
        yield Case(COSTLY, name, make(), hopeless)


class _Costs(logging.Handler):
    """Hears what the reading of a file has cost."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.seconds = self.megabytes = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple):
            self.seconds, self.megabytes = (float(str(cost)) for cost in record.args[1:])


def outcome(case: Case, heart: Heart | None = None) -> UploadOutcome:
    """Read one upload and judge what happened."""
    costs, refused, fault = _Costs(), True, ""
    sandbox.log.addHandler(costs)
    sandbox.log.setLevel(logging.DEBUG)
    if heart is not None:
        heart.longest()
    begun = perf_counter()
    try:
        understood = datasets.understand(case.data, name=case.name)
        said, refused = understood.summary, False
        fault = "was accepted" if case.hopeless else foul_names(understood.dataset)
    except datasets.UploadError as error:
        said = str(error)
        if "\n" in said or not said.endswith(".") or not 20 < len(said) < LONGEST_SENTENCE:
            fault = f"not a sentence: {said!r}"
    except BaseException as error:
        said, fault = "", f"{type(error).__name__} escaped: {error}"
    finally:
        sandbox.log.removeHandler(costs)
    seconds, waited = perf_counter() - begun, 0.0 if heart is None else heart.longest()
    return UploadOutcome(
        case.trouble, case.name, len(case.data), said, refused, seconds, costs.seconds, costs.megabytes,
        waited, fault,
    )  # fmt: skip


def foul_names(ds: datasets.Dataset) -> str:
    """Return what is wrong with names that came out of an archive: markup or paths."""
    names = [*ds.target_names, *(ds.sample_names or ()), *ds.views, ds.title]
    foul = [
        name for name in names if any(mark in name for mark in ("<", ">", "..", "\\", "`", "\0", "\n", "$"))
    ]
    return f"names {foul[:3]}" if foul else ""


def table(outcomes: Sequence[UploadOutcome]) -> list[dict[str, Any]]:
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
                    "faults": sum(bool(found.problem) for found in mine),
                    "most worked s": max(found.worked for found in mine),
                    "most MB": max(found.megabytes for found in mine),
                    "others waited ms": 1000 * max(found.waited for found in mine),
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
