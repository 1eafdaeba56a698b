"""The same table of trials by two processes here and by a Dask cluster on loopback.

    python -m benchmarks.trials

Both carriers fill in 200 trials (ORL 48×48, four methods, fifty splits), in turns and each from nothing; the
numbers must be the same and the times within 15 %. The cluster is there before, as clusters are; processes
here are started by whoever asks, which takes a second. What is lost when workers are killed on the way is
counted by `benchmarks.killed_tables`.
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import URL

from benchmarks.report import Row, save, show
from experiments.requests.request import RunRequest
from experiments.store import RunStore
from experiments.trials import MeasureRequest, Result, Table, Trial
from experiments.trials.carriers import Carrier, Processes
from experiments.trials.carriers.dask import Dask
from experiments.trials.carry import carry
from experiments.trials.result_cache import ResultCache

_ROOT = Path(__file__).parents[1]
_METHODS: dict[str, dict[str, Any]] = {
    "pca": {"n_components": 20}, "lda": {}, "nmf": {"n_components": 20, "max_iter": 60},
    "n2s2l": {"n_components": 50, "max_iter": 40},
}  # fmt: skip
_WANTED = (MeasureRequest("accuracy"), MeasureRequest("sparsity"), MeasureRequest("iterations"))
_SMALL = 16


def main(argv: Sequence[str] | None = None) -> None:
    """Fill in the table both ways and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=50)
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(argv)
    seconds: dict[str, list[float]] = {"two processes": [], "Dask": []}
    found: dict[str, dict[str, Result]] = {}
    with tempfile.TemporaryDirectory() as folder, cluster(2, Path(folder)) as (address, _):
        carriers: dict[str, Carrier] = {"two processes": Processes(2), "Dask": Dask(address)}
        for _ in range(given.rounds):
            for name, carrier in carriers.items():
                begun = time.perf_counter()
                found[name] = dict(carry(faces(given.splits, given.size).in_turn(), carrier, ResultCache()))
                seconds[name].append(time.perf_counter() - begun)
    rows: list[Row] = [
        {"carrier": name, "trials": len(found[name]), "seconds": median(spent)} | _each(spent)
        for name, spent in seconds.items()
    ]
    ours, theirs = (row["seconds"] for row in rows)
    same = scores(found["two processes"]) == scores(found["Dask"])
    rows.append({"carrier": "Dask / processes", "seconds": theirs / ours})
    rows.append({"carrier": "equal numbers" if same else "DIFFERENT NUMBERS"})
    show("The same table by two carriers", rows)
    print(f"\n{save('trials', rows)}")


def _each(spent: Sequence[float]) -> Row:
    return {f"round {number}": seconds for number, seconds in enumerate(spent, 1)}


def faces(splits: int, size: int = _SMALL) -> Table:
    """Return a table of four methods on faces of so many pixels a side."""
    trials = {
        (method,): tuple(
            Trial(RunRequest("orl", method, params, dataset_options={"size": size}, seed=split), _WANTED)
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


def scores(results: dict[str, Result]) -> dict[str, Any]:
    """Return the numbers alone, without the seconds they took."""
    return {key: dict(result.scores) for key, result in results.items()}


if __name__ == "__main__":
    main()
