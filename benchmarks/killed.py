"""What is left of a server that is killed at a random moment: fifty of them, each by SIGKILL.

    python -m benchmarks.killed [--count 50] [--seed 0]

In turn the server alone, one of its workers first, its whole process group, the server while its PostgreSQL
is away, and the server while its disk takes nothing (the system refuses to let its files grow). No run that
was written down may be lost, no process may be left, and after the next start and its first run no
`partwise-*` folder. Prints a table, writes results/killed.json beside this file, and fails if a promise
is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep

from benchmarks import report
from experiments import RunRequest
from experiments.engine.record import ENDED_WELL
from experiments.engine.service import Service
from experiments.persistence.run_keeper import RunKeeper
from experiments.store import RunFilter
from scripts import postgres

KINDS = ("server", "worker", "group", "database", "full disk")
_OWNER = "the token of whoever measures"
_MARK = "PARTWISE_VICTIM"
_PATIENCE = 60.0


class Victim:
    """A server process; `persisted` are the runs it has said it wrote down."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.persisted: list[str] = []
        self._mark = secrets.token_hex(8)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.killed", "--serve"],
            env=environment | {_MARK: self._mark}, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def members(self) -> list[int]:
        """Return the living processes that come from it, itself included: they have its environment."""
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if f"{_MARK}={self._mark}" in (entry / "environ").read_text(errors="replace").split("\0"):
                    found.append(int(entry.name))
        return found

    def wait_for(self, runs: int) -> None:
        """Wait until it has written down so many runs."""
        deadline = monotonic() + _PATIENCE
        while len(self.persisted) < runs:
            if monotonic() > deadline or self._process.poll() is not None:
                raise TimeoutError("The server writes down no runs.")
            sleep(0.02)

    def kill(self, *, group: bool = False) -> None:
        """End it at once."""
        os.killpg(self.pid, signal.SIGKILL) if group else os.kill(self.pid, signal.SIGKILL)
        self._process.wait()

    def orphans(self, within: float = 10.0) -> int:
        """Return how many of its processes are still there after a while; they are ended."""
        deadline = monotonic() + within
        while (left := self.members()) and monotonic() < deadline:
            sleep(0.05)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self._listener.join(_PATIENCE)
        return len(left)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):
                self.persisted.append(line.strip())


def attack(kind: str, chance: random.Random, environment: dict[str, str], server: postgres.Server) -> Victim:
    """Start a server and end it at a random moment in one of the ways."""
    victim = Victim(environment)
    victim.wait_for(2)
    sleep(chance.uniform(0.0, 1.0))
    if kind == "worker":
        others = [pid for pid in victim.members() if pid != victim.pid]
        with suppress(ProcessLookupError):
            os.kill(chance.choice(others), signal.SIGKILL)
        sleep(chance.uniform(0.0, 1.0))
    elif kind == "database":
        server.stop()
        sleep(chance.uniform(0.0, 2.0))
    elif kind == "full disk":
        _, most = resource.prlimit(victim.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(victim.pid, resource.RLIMIT_FSIZE, (1000, most))
        sleep(chance.uniform(0.0, 2.0))
    victim.kill(group=kind == "group")
    if kind == "database":
        server.start()
    return victim


def serve() -> None:
    """Run one small run after the other, and say which have come to their end and been written down.

    What its worker was at when that was killed has failed, and is written down as such.
    """
    keeper = RunKeeper()
    service, number = Service(2, keeper=keeper), 0
    while True:
        number += 1
        params = {"n_components": 5, "max_iter": 20, "tol": 0.0}
        handle = service.submit(RunRequest("swimmer", "nmf", params, seed=number), owner=_OWNER)
        while not handle.persisted.wait(0.02):
            service.get(handle.id)
        if handle.status in ENDED_WELL:
            print(handle.id, flush=True)


def check(expected: int) -> None:
    """Start on what is left as the next server does, and say which runs there are and how they stand."""
    keeper = RunKeeper()
    service = Service(1, keeper=keeper)
    # As any server does: its workers are made with the first run, and with them its folders.
    first = service.submit(RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 1, "tol": 0.0}))
    while not first.persisted.wait(0.02):
        service.get(first.id)
    deadline = monotonic() + _PATIENCE / 2
    while True:
        store = keeper.store
        found = store.find(RunFilter(_OWNER, limit=1_000_000)).runs if store else ()
        complete = sum(run.ended and run.status != "interrupted" for run in found) >= expected
        if (complete and not keeper.notice) or monotonic() > deadline:
            break
        sleep(0.1)
    for run in found:
        print(run.id, run.status, run.message)
    service.close()
    keeper.close()


def _lost(environment: dict[str, str], finished: set[str]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.killed", "--check", str(len(finished))],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    statuses = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    lost = {id for id in finished if statuses.get(id, "gone").split()[0] not in ENDED_WELL}
    for id in lost:
        print(f"{id}: {statuses.get(id, 'gone')}", flush=True)
    return lost


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--check", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve()
    if given.check is not None:
        check(given.check)
        return 0
    chance = random.Random(given.seed)
    rows = {kind: {"killed": 0, "finished": 0, "lost": 0, "orphans": 0, "folders": 0} for kind in KINDS}
    finished: dict[bool, set[str]] = {True: set(), False: set()}
    with ExitStack() as stack:
        server = stack.enter_context(postgres.running())
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="killed-")))
        temporary = home / "tmp"
        temporary.mkdir()
        for number in range(given.count):
            kind = KINDS[number % len(KINDS)]
            row, far = rows[kind], kind == "database"
            environment = os.environ | {"TMPDIR": str(temporary), "PARTWISE_DATA": str(home / "data")}
            environment["PARTWISE_DATABASE_URL"] = server.url if far else f"sqlite:///{home}/runs.sqlite3"
            victim = attack(kind, chance, environment, server)
            row["killed"] += 1
            row["orphans"] += (orphans := victim.orphans())
            row["finished"] += len(victim.persisted)
            finished[far] |= set(victim.persisted)
            lost = _lost(environment, finished[far])
            row["lost"] += len(lost)
            finished[far] -= lost
            row["folders"] += (folders := len(list(temporary.glob("partwise-*"))))
            # Said at once, so that a measurement that is broken off has told what it saw.
            print(
                f"{number + 1}: {kind} killed, {len(lost)} of {len(victim.persisted)} lost, "
                f"{orphans} orphans, {folders} folders",
                flush=True,
            )
    table: list[report.Row] = [{"killed first": kind, **row} for kind, row in rows.items()]
    report.show(f"{given.count} servers killed at random moments", table)
    report.save("killed", table)
    return int(any(row["lost"] or row["orphans"] or row["folders"] for row in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
