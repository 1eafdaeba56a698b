"""Trials carried out by processes, a Dask cluster and jobs: the same numbers, whoever is lost on the way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest
from joblib.externals.loky import ProcessPoolExecutor
from sqlalchemy import URL

from experiments.engine.record import versions
from experiments.engine.worker_jobs import WorkerLostError
from experiments.requests.request import RunRequest
from experiments.store import RunStore
from experiments.trials import Chain, MeasureRequest, Result, Trial, carry, evaluate
from experiments.trials.carriers import CarrierError, Processes, carrier, chosen, dask, for_visitors
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.trials.carriers.carrier import carry_out
from experiments.trials.carriers.dask import Dask
from experiments.trials.carriers.slurm import Slurm
from experiments.trials.carriers.visitors import UploadsHere
from experiments.trials.result_cache import ResultCache
from tests.experiments.trials.carriers import Here
from tests.waiting import until

ROOT = Path(__file__).parents[3]
IRIS = RunRequest("iris", "nmf", {"n_components": 3, "max_iter": 20})
WANTED = (MeasureRequest("accuracy"), MeasureRequest("iterations"))


def trials(count: int) -> list[Trial]:
    return [Trial(replace(IRIS, seed=seed), WANTED) for seed in range(count)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    opened = RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")))
    yield opened
    opened.close()


def carried(work: Sequence[Trial | Chain], who: Any, cache: ResultCache | None = None) -> dict[str, Result]:
    return dict(carry.carry(work, who, cache or ResultCache()))


def scores(results: dict[str, Result]) -> dict[str, Any]:
    return {key: dict(result.scores) for key, result in results.items()}


def expected(work: Sequence[Trial]) -> dict[str, Any]:
    return {trial.key: dict(evaluate(trial).scores) for trial in work}


def test_what_was_kept_is_not_done_again_when_the_work_was_broken_off(store: RunStore) -> None:
    work, first = trials(6), Here()
    cache = ResultCache(store.trials, store.server)
    arrivals = carry.carry(work, first, cache)
    before = [next(arrivals)[0] for _ in range(3)]
    arrivals.close()
    second = Here()
    assert set(carried(work, second, cache)) == {trial.key for trial in work}
    assert not set(before) & set(second.done)


def test_a_lost_worker_costs_nothing_and_a_deadly_trial_is_given_up() -> None:
    work = trials(6)
    once = Here([work[1].key], times=1)
    assert scores(carried(work, once)) == expected(work)
    always = Here([work[1].key])
    found = carried(work, always)
    given_up = found.pop(work[1].key)
    assert "ended twice" in given_up.message
    assert not given_up.lasting
    assert scores(found) == expected([trial for trial in work if trial is not work[1]])
    assert always.opened == 3  # At first, and after each of the two losses.


def test_page_and_command_at_once_compute_nothing_twice(tmp_path: Path) -> None:
    work = trials(24)
    with ExitStack() as stack:
        stores = []
        for _ in range(2):
            stores.append(RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3"))))
            stack.callback(stores[-1].close)
        them = [Here(), Here()]
        found: list[dict[str, Result]] = []

        def work_on(store: RunStore, who: Here) -> None:
            found.append(carried(work, who, ResultCache(store.trials, store.server)))

        threads = [threading.Thread(target=work_on, args=pair) for pair in zip(stores, them, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 2
    assert scores(found[0]) == scores(found[1])
    assert sorted(them[0].done + them[1].done) == sorted(trial.key for trial in work)


def test_a_chain_is_one_piece_of_work() -> None:
    one, two = trials(2)
    chain, who = Chain((one, two)), Here()
    found = dict(carry.carry([chain], who, ResultCache()))
    assert who.pieces == [chain.keys]
    assert list(found) == list(chain.keys)
    assert found[one.key].scores == evaluate(one).scores


def test_processes_give_the_numbers_of_one_also_when_some_are_killed(store: RunStore) -> None:
    pools: list[Any] = []

    class Watched(Processes):
        def open(self) -> Executor:
            pools.append(super().open())
            return pools[-1]  # type: ignore[no-any-return]

    alone = trials(8)
    work = [*alone, Chain(tuple(trials(10)[8:]))]
    reference = expected(alone) | scores(carried(work[8:], Here()))
    cache = ResultCache(store.trials, store.server)
    found: dict[str, Result] = {}
    for key, result in carry.carry(work, Watched(2), cache):
        found[key] = result
        if len(found) == 3:
            pid = next(iter(pools[-1]._processes))
            os.kill(pid, signal.SIGKILL)
    assert scores(found) == reference
    assert isinstance(pools[0], ProcessPoolExecutor)
    nobody = Here()
    again = carried(work, nobody, cache)
    assert scores(again) == reference
    assert (nobody.opened, nobody.done) == (0, [])
    assert all(result.where for result in again.values())


def test_work_handed_in_a_moment_before_the_end_does_no_harm() -> None:
    # What goes wrong in a thread of loky's fails the test.
    for _ in range(5):
        who = Processes(1)
        pool = who.open()
        for _ in range(2):
            pool.submit(sleep, 60)
        who.close(pool)


def test_no_process_outlives_the_one_that_started_it(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from experiments.trials.carriers import Processes\n"
        "import os, time\n"
        "pool = Processes(2).open()\n"
        "print(*{pool.submit(os.getpid).result() for _ in range(8)}, flush=True)\n"
        "pool.submit(time.sleep, 600)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout as said:
        workers = [int(pid) for pid in said.readline().split()]
        assert workers
        parent.kill()
        parent.wait()
        until(lambda: not any(map(_alive, workers)), "a worker has outlived its starter")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and workers on loopback, each in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"cwd": ROOT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "text": True}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard"]
    work = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    started: list[subprocess.Popen[str]] = []
    try:
        started.append(subprocess.Popen([*dask, "--port", str(port)], **quiet))  # type: ignore[call-overload]
        until(lambda: _listens(port), "the scheduler does not listen")
        for _ in range(workers):
            command = [*work, "--no-dashboard", "--local-directory", str(folder)]
            started.append(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]
        yield address, started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def _workers(address: str) -> int:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return len(client.scheduler_info(n_workers=-1)["workers"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_cluster_gives_the_same_numbers_also_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = trials(24)
    reference = expected(work)
    with cluster(2, tmp_path) as (address, processes):
        until(lambda: _workers(address) == 2, "the workers do not come")
        found: dict[str, Result] = {}
        for key, result in carry.carry(work, Dask(address), ResultCache()):
            found[key] = result
            if len(found) == 4:
                processes[0].kill()
        assert scores(found) == reference
        monkeypatch.setattr(dask, "_ours", lambda: versions() | {"numpy": "1.0"})
        with pytest.raises(CarrierError, match=r"other versions.*numpy"):
            carried(work, Dask(address))
        processes[1].kill()
        until(lambda: _workers(address) == 0, "the workers do not go")
        with pytest.raises(CarrierError, match=r"has no workers\. Start `dask worker"):
            carried(work, Dask(address))


def test_nobody_listens_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(CarrierError, match=rf"Nobody answers at {address}.*Start `dask scheduler`"):
        carried(trials(1), Dask(address))


@pytest.mark.parametrize(
    ("module", "who"), [("distributed", Dask("tcp://127.0.0.1:1")), ("submitit", Slurm(""))]
)
def test_what_is_not_installed_is_named(module: str, who: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(CarrierError, match=r"requirements-cluster\.txt"):
        carried(trials(1), who)


@pytest.mark.slow
def test_jobs_of_submitit_give_the_same_numbers(tmp_path: Path) -> None:
    work = trials(2)
    assert scores(carried(work, Slurm("", cluster="local", folder=tmp_path))) == expected(work)
    assert not list(tmp_path.iterdir())


def test_without_slurm_it_says_where_to_start(tmp_path: Path) -> None:
    with pytest.raises(CarrierError, match=r"There is no SLURM here.*sbatch"):
        carried(trials(1), Slurm("fast", folder=tmp_path))
    assert not list(tmp_path.iterdir())


def test_who_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARTWISE_CLUSTER", raising=False)
    assert isinstance(chosen(), Processes)
    monkeypatch.setenv("PARTWISE_CLUSTER", "tcp://127.0.0.1:8786")
    assert isinstance(chosen(), Dask)
    assert isinstance(chosen(jobs=1), Processes)
    assert isinstance(chosen("slurm:fast"), Slurm)
    for wrong, sentence in (("here", "is not a cluster"), ("tcp://x", "is not a cluster")):
        with pytest.raises(ValueError, match=sentence):
            chosen(wrong)
    with pytest.raises(ValueError, match="not both"):
        chosen("slurm:fast", 2)
    with pytest.raises(ValueError, match="at least 1"):
        Processes(0)


def test_uploads_stay_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARTWISE_CLUSTER", raising=False)
    service: Any = SimpleNamespace(worker_count=2)
    assert isinstance(for_visitors(service), AppWorkers)
    monkeypatch.setenv("PARTWISE_CLUSTER", "tcp://127.0.0.1:8786")
    assert isinstance(for_visitors(service), UploadsHere)
    cluster, here = Here(), Here()
    common, own, local = (
        trials(2)[0],
        *(Trial(RunRequest(f"{kind}-{'0' * 32}", "pca"), WANTED) for kind in ("upload", "local")),
    )
    both = UploadsHere(cluster, here)
    found = carried([common, own, local], both)
    assert (cluster.done, sorted(here.done)) == ([common.key], sorted([own.key, local.key]))
    assert "no longer here" in found[own.key].message
    assert "is not on that machine" in found[local.key].message
    assert UploadsHere(cluster, AppWorkers(service)).loss(WorkerLostError("", begun=True)) == "this one"
    assert both.loss(BrokenProcessPool()) == "all under way"


def test_a_worker_that_cannot_have_the_data_or_no_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(error: Exception) -> Any:
        def fetch(name: str) -> None:
            raise error

        return fetch

    (text,) = (Chain((trial,)).to_json() for trial in trials(1))
    unavailable = carrier.datasets.DataUnavailableError("Nothing came from there.")
    for error, sentence in ((unavailable, "cannot have the data: Nothing"), (MemoryError(), "out of memory")):
        monkeypatch.setattr(carrier.datasets, "fetch", refuse(error))
        (result,) = carrier.understood(carry_out(text))
        assert sentence in result.message
        assert not result.lasting
