"""What is left of a table when something is killed in the middle of it: twenty times each.

    python -m benchmarks.killed_tables [--times 20] [--kill process,worker,dask,command,server]

In turn a process of the command, a worker of the app, a worker of a Dask cluster, the command and the server
get SIGKILL when a third of a table of 24 trials (ORL 16×16, four methods, six splits) is finished; whoever is
left, or the next one, fills it in. No trial that was finished may be handed to anybody again, none may be
lost, every number must be that of an undisturbed table, and no process may be left. Prints a table, writes
results/killed_tables.json beside this file, and fails if a promise is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.report import Row, save, show
from benchmarks.trials import cache_at, cluster, faces, scores
from experiments.engine.service import Service
from experiments.trials import Chain, Result
from experiments.trials.carriers import Carrier, Processes
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.trials.carriers.dask import Dask
from experiments.trials.carry import carry
from experiments.trials.result_cache import ResultCache
from experiments.worker_program import PROGRAM

_ROOT = Path(__file__).parents[1]
_SPLITS, _FINISHED, _PATIENCE = 6, 8, 10.0
_COMMAND = """
import sys
from benchmarks.trials import faces, cache_at
from experiments.trials.carriers import Processes
from experiments.trials.carry import carry
with cache_at(sys.argv[1]) as cache:
    for key, _ in carry(faces(int(sys.argv[2])).in_turn(), Processes(2), cache):
        print(key, flush=True)
"""
_SERVER = """
import sys
from benchmarks.trials import faces, cache_at
from experiments.engine.service import Service
from experiments.trials.tables import Tables
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.worker_program import PROGRAM
service, work, told = Service(2, program=PROGRAM), faces(int(sys.argv[2])).in_turn(), set()
with cache_at(sys.argv[1]) as cache:
    tables = Tables(lambda: AppWorkers(service), lambda: cache)
    while True:
        for key in tables.ask("somebody", "a table", work, patience=0.05).keys() - told:
            told.add(key)
            print(key, flush=True)
"""


@dataclass
class Filled:
    """A table that was filled in with a loss: what is in it, what was begun again, and who worked."""

    found: dict[str, Result]
    again: list[str] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)


Way = Callable[[Path, random.Random], Filled]


def main(argv: Sequence[str] | None = None) -> int:
    """Kill, fill in and count; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--kill", default=",".join(_WAYS))
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    reference = scores(dict(carry(faces(_SPLITS).in_turn(), Processes(2), ResultCache())))
    chance = random.Random(given.seed)
    rows = [counted(name, given.times, reference, chance) for name in given.kill.split(",")]
    show(f"Killed in the middle of a table of {len(reference)} trials", rows)
    print(f"\n{save('killed_tables', rows)}")
    return int(any(row["lost"] or row["other numbers"] or row["again"] or row["left"] for row in rows))


def counted(name: str, times: int, reference: dict[str, Any], chance: random.Random) -> Row:
    """Lose one so many times, and count the tables with something wrong."""
    row: Row = {"killed": name, "times": times, "lost": 0, "other numbers": 0, "again": 0, "left": 0}
    for number in range(times):
        with tempfile.TemporaryDirectory() as folder:
            filled = _WAYS[name](Path(folder), chance)
        found = scores(filled.found)
        seen = {
            "lost": bool(reference.keys() - found.keys()),
            "other numbers": any(found[key] != reference[key] for key in found),
            "again": bool(filled.again),
            "left": bool(_living(filled.pids)),
        }
        for what, wrong in seen.items():
            row[what] += wrong
        # Said at once, so that a measurement that is broken off has told what it saw.
        amiss = ", ".join(what for what, wrong in seen.items() if wrong)
        print(f"{name} {number + 1}: {amiss or 'nothing amiss'}", flush=True)
    return row


def _lose_process(folder: Path, chance: random.Random) -> Filled:
    pools: list[Any] = []

    class Watched(Processes):
        def open(self) -> Executor:
            pools.append(super().open())
            return pools[-1]  # type: ignore[no-any-return]

    def pids() -> list[int]:
        return [pid for pool in pools for pid in (pool._processes or {})]

    return _filled(folder, Watched(2), lambda: _kill(chance.choice(pids())), pids)


def _lose_worker(folder: Path, chance: random.Random) -> Filled:
    service = Service(2, program=PROGRAM)

    def pids() -> list[int]:
        return list(service.worker_pids)

    try:
        return _filled(folder, AppWorkers(service), lambda: _kill(chance.choice(pids())), pids)
    finally:
        service.close()


def _lose_dask_worker(folder: Path, chance: random.Random) -> Filled:
    with cluster(2, folder) as (address, workers):
        return _filled(folder, Dask(address), chance.choice(workers).kill, list)


def _filled(
    folder: Path, carrier: Carrier, kill: Callable[[], None], pids: Callable[[], Iterable[int]]
) -> Filled:
    """Fill in a table and lose somebody on the way."""
    filled = Filled({})
    _note_again(carrier, filled.found, filled.again)
    with cache_at(str(folder / "runs.sqlite3")) as cache:
        for key, result in carry(faces(_SPLITS).in_turn(), carrier, cache):
            filled.found[key] = result
            filled.pids |= set(pids())
            if len(filled.found) == _FINISHED:
                kill()
    return filled


def _lose_whole(program: str, folder: Path, chance: random.Random) -> Filled:
    """Kill the process that has a table filled in, with `program`, and fill it in from another."""
    path = str(folder / "runs.sqlite3")
    line = [sys.executable, "-c", program, path, str(_SPLITS)]
    with subprocess.Popen(line, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        finished = {first.stdout.readline().strip() for _ in range(_FINISHED)}
        time.sleep(chance.uniform(0.0, 0.2))
        pids = set(_children(first.pid))
        first.kill()
        finished |= {line.strip() for line in first.stdout if line.endswith("\n")}
    again: list[str] = []
    carrier = Processes(2)
    _note_again(carrier, finished, again)
    with cache_at(path) as cache:
        found = dict(carry(faces(_SPLITS).in_turn(), carrier, cache))
    return Filled(found, again, pids)


def _note_again(carrier: Carrier, finished: Iterable[str], again: list[str]) -> None:
    """Have a carrier note in `again` what it is given although it is finished at that time."""
    submit = carrier.submit

    def noting(executor: Executor, text: str, owner: str, unattended: bool) -> Future[str]:
        done = set(finished)
        again.extend(key for key in Chain.from_json(text).keys if key in done)
        return submit(executor, text, owner, unattended)

    carrier.submit = noting  # type: ignore[method-assign]


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _living(pids: set[int]) -> set[int]:
    """Return which processes are still there after a while."""
    deadline = time.monotonic() + _PATIENCE
    while (left := set(filter(_alive, pids))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


_WAYS: dict[str, Way] = {
    "process": _lose_process,
    "worker": _lose_worker,
    "dask": _lose_dask_worker,
    "command": partial(_lose_whole, _COMMAND),
    "server": partial(_lose_whole, _SERVER),
}


if __name__ == "__main__":
    sys.exit(main())
