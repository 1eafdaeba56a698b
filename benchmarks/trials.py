"""The same table of trials by two processes here and by a Dask cluster on loopback; and losses on the way.

    python -m benchmarks.trials [--losses 20]

Both carriers fill in 200 trials (ORL 16×16, four methods, fifty splits), each from nothing; the numbers must
be the same and the times within 15 %. With `--losses` a worker is killed in the middle of a smaller table, so
many times with each, and so is the command or the server that fills it in: nothing finished may be computed
again, nothing may be lost, no process may be left.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from benchmarks.report import Row, save, show
from experiments.engine.service import Service
from experiments.requests.request import RunRequest
from experiments.store import RunStore
from experiments.trials import Chain, MeasureRequest, Result, Table, Trial
from experiments.trials.carriers import Carrier, Processes
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.trials.carriers.dask import Dask
from experiments.trials.carry import carry
from experiments.trials.result_cache import ResultCache
from experiments.worker_program import PROGRAM

_ROOT = Path(__file__).parents[1]
_METHODS: dict[str, dict[str, Any]] = {
    "pca": {"n_components": 20}, "lda": {}, "nmf": {"n_components": 20, "max_iter": 60},
    "n2s2l": {"n_components": 50, "max_iter": 40},
}  # fmt: skip
_WANTED = (MeasureRequest("accuracy"), MeasureRequest("sparsity"), MeasureRequest("iterations"))
_FACES = {"size": 16}
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


def main(argv: Sequence[str] | None = None) -> None:
    """Fill in the table both ways, lose workers if asked to, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--losses", type=int, default=0)
    asked = parser.parse_args(argv)
    rows, found = [], {}
    with tempfile.TemporaryDirectory() as folder, cluster(2, Path(folder)) as (address, _):
        carriers: list[tuple[str, Carrier]] = [("two processes", Processes(2)), ("Dask", Dask(address))]
        for name, carrier in carriers:
            # What a carrier loads first is not what is compared.
            list(carry(faces(1).in_turn(), carrier, ResultCache()))
            begun = time.perf_counter()
            found[name] = dict(carry(faces(asked.splits).in_turn(), carrier, ResultCache()))
            seconds = time.perf_counter() - begun
            rows.append({"carrier": name, "trials": len(found[name]), "seconds": seconds})
    same = _scores(found["two processes"]) == _scores(found["Dask"])
    rows.append({"carrier": "equal numbers" if same else "DIFFERENT NUMBERS"})
    show("The same table by two carriers", rows)
    lost = _losses(asked.losses) if asked.losses else []
    if lost:
        show("Losses in the middle of a table of 24 trials", lost)
    print(f"\n{save('trials', {'carriers': rows, 'losses': lost})}")


def faces(splits: int) -> Table:
    """Return a table of four methods on small faces."""
    trials = {
        (method,): tuple(
            Trial(RunRequest("orl", method, params, dataset_options=_FACES, seed=split), _WANTED)
            for split in range(splits)
        )
        for method, params in _METHODS.items()
    }
    return Table(("method",), trials)


@contextmanager
def cache_at(path: str) -> Iterator[ResultCache]:
    """Results in a store of their own."""
    with closing(RunStore(URL.create("sqlite", database=path))) as store:
        yield ResultCache(store.trials, store.server)


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and workers on loopback, each in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, started = f"tcp://127.0.0.1:{port}", list[subprocess.Popen[bytes]]()

    def start(*command: str) -> None:
        line = [sys.executable, "-m", *command]
        quiet = subprocess.DEVNULL
        started.append(subprocess.Popen(line, cwd=_ROOT, stdout=quiet, stderr=quiet))

    try:
        start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        for _ in range(workers):
            start(
                "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                "--local-directory", str(folder),
            )  # fmt: skip
        _wait_for(address, workers)
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _wait_for(address: str, workers: int) -> None:
    from distributed import Client

    while True:
        try:
            client: Any = Client(address, set_as_default=False, timeout=30)  # type: ignore[no-untyped-call]
        except OSError:
            continue
        with client:
            client.wait_for_workers(workers, timeout=120)
        return


def _losses(times: int) -> list[Row]:
    work = faces(6).in_turn()
    reference = _scores(dict(carry(work, Processes(2), ResultCache())))
    ways = {
        "a process here": _lose_process, "a worker of the app": _lose_app_worker,
        "a Dask worker": _lose_dask_worker, "the command": partial(_lose_whole, _COMMAND),
        "the server": partial(_lose_whole, _SERVER),
    }  # fmt: skip
    return [_counted(name, way, times, reference) for name, way in ways.items()]


def _counted(name: str, way: Any, times: int, reference: dict[str, Any]) -> Row:
    counts = {"same numbers": 0, "nothing finished done again": 0, "no process left": 0}
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            found, again, left = way(Path(folder))
        counts["same numbers"] += _scores(found) == reference
        counts["nothing finished done again"] += again == 0
        counts["no process left"] += left == 0
    return {"killed": name, "times": times} | counts


def _lose_process(folder: Path) -> tuple[dict[str, Result], int, int]:
    pools: list[Any] = []

    class Watched(Processes):
        def open(self) -> Executor:
            pools.append(super().open())
            return pools[-1]  # type: ignore[no-any-return]

    def kill() -> None:
        os.kill(next(iter(pools[-1]._processes)), signal.SIGKILL)

    found, again = _carried(folder, Watched(2), kill)
    return found, again, sum(_alive(pid) for pool in pools for pid in (pool._processes or {}))


def _lose_app_worker(folder: Path) -> tuple[dict[str, Result], int, int]:
    service = Service(2, program=PROGRAM)
    pids: set[int] = set()

    def kill() -> None:
        pids.update(service.worker_pids)
        os.kill(service.worker_pids[-1], signal.SIGKILL)

    try:
        found, again = _carried(folder, AppWorkers(service), kill)
        pids.update(service.worker_pids)
    finally:
        service.close()
    return found, again, sum(map(_alive, pids))


def _lose_dask_worker(folder: Path) -> tuple[dict[str, Result], int, int]:
    with cluster(2, folder) as (address, workers):
        found, again = _carried(folder, Dask(address), workers[0].kill)
    return found, again, 0


def _carried(folder: Path, carrier: Carrier, kill: Any) -> tuple[dict[str, Result], int]:
    """Fill in a table, losing something on the way; return it and how much was handed over twice."""
    found: dict[str, Result] = {}
    again = 0
    with cache_at(str(folder / "runs.sqlite3")) as cache:
        for key, result in carry(faces(6).in_turn(), carrier, cache):
            again += key in found
            found[key] = result
            if len(found) == 8:
                kill()
    return found, again


def _lose_whole(program: str, folder: Path) -> tuple[dict[str, Result], int, int]:
    """Kill the process that has a table filled in, with `program`, and fill it in from another."""
    path = str(folder / "runs.sqlite3")
    line = [sys.executable, "-c", program, path, "6"]
    with subprocess.Popen(line, cwd=_ROOT, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        finished = {first.stdout.readline().strip() for _ in range(8)}
        children = _children(first.pid)
        first.kill()
    deadline = time.monotonic() + 10
    while any(map(_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    done: list[str] = []

    class Counting(Processes):
        def open(self) -> Executor:
            pool = super().open()
            submit = pool.submit

            def counted(act: Any, text: str) -> Any:
                done.extend(Chain.from_json(text).keys)
                return submit(act, text)

            pool.submit = counted  # type: ignore[method-assign, assignment]
            return pool

    work = faces(6).in_turn()
    with cache_at(path) as cache:
        found = dict(carry(work, Counting(2), cache))
    again = sum(key in finished for key in done)
    return found, again, sum(map(_alive, children))


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _scores(results: dict[str, Result]) -> dict[str, Any]:
    return {key: dict(result.scores) for key, result in results.items()}


if __name__ == "__main__":
    main()
