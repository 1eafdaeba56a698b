"""The service and the store together: runs are written down, recalled, cut off and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from experiments.persistence import run_keeper
from experiments.persistence.run_keeper import RunKeeper
from experiments.store import RunFilter
from tests.experiments.conftest import Server
from tests.experiments.persistence.kept_runs import ENDLESS, ME, QUICK, own
from tests.waiting import PATIENCE, ended, until

ROOT = Path(__file__).resolve().parents[3]


def test_a_run_is_kept_and_comes_back_with_another_server(
    begin: Callable[[], Server],
) -> None:
    service, keeper = begin()
    handle = service.submit(QUICK, owner=ME)
    until(handle.persisted.is_set)
    (run,) = own(keeper)
    assert (run.id, run.status, run.iterations) == (handle.id, "max_iter", 30)
    assert run.accuracy == handle.scores["accuracy_euclidean"]
    assert [number for number, _ in run.snapshots] == [number for number, _ in handle.snapshots]

    again, _ = begin()
    back = again.get(handle.id)
    assert back is not None
    assert (back.status, back.message, back.scores) == (handle.status, handle.message, handle.scores)
    assert back.request.key == QUICK.key
    assert back.reader is not None
    assert handle.reader is not None
    np.testing.assert_array_equal(back.reader.curve(), handle.reader.curve())
    iteration, arrays = back.reader.latest()
    assert iteration == 30
    np.testing.assert_array_equal(arrays["components"], handle.reader.latest()[1]["components"])
    np.testing.assert_array_equal(back.snapshot(30)["embedding"], handle.snapshot(30)["embedding"])
    assert again.get(handle.id) is back
    further = again.submit(QUICK, owner=ME, warm_from=handle.id)
    ended(further)
    assert not further.note, "a run may go on from one that was recalled"
    assert again.get("unknown") is None


def test_what_nobody_owns_is_not_kept(begin: Callable[[], Server]) -> None:
    service, keeper = begin()
    handles = [service.submit(QUICK), service.shared(QUICK)]
    until(lambda: all(handle.persisted.is_set() for handle in handles))
    assert keeper.store is not None
    assert keeper.store.find(RunFilter(shelf="everything")).total == 0


def test_a_run_may_be_kept_afterwards(begin: Callable[[], Server]) -> None:
    service, keeper = begin()
    handle = service.submit(QUICK)
    until(handle.persisted.is_set)
    keeper.keep(handle, ME, name="mine after all")
    keeper.keep(handle, ME, name="twice")
    (run,) = own(keeper)
    assert (run.name, run.status, run.iterations) == ("mine after all", "max_iter", 30)


def test_progress_is_written_no_faster_than_a_disk_takes_it_and_endings_at_once(
    begin: Callable[[], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_keeper, "_BEGUN_AFTER", 0.0)
    monkeypatch.setattr(run_keeper, "_SAVE_EVERY", 0.0)
    monkeypatch.setattr(run_keeper, "_BYTES_A_SECOND", 1.0)
    service, keeper = begin()
    first = service.submit(ENDLESS, owner=ME)
    until(lambda: first.touch() or keeper._rests_until > monotonic() + PATIENCE)
    second = service.submit(replace(ENDLESS, seed=1), owner=ME)
    until(lambda: first.touch() or second.touch() or len(second.snapshots) > 10)
    assert [run.id for run in own(keeper)] == [first.id], "what the first has written is not paid off"
    service.command(second.id, "stop", owner=ME)
    until(second.persisted.is_set)
    assert {run.id: run.status for run in own(keeper)}[second.id] == "stopped"
    third = service.submit(replace(ENDLESS, seed=2), owner=ME)
    monkeypatch.setattr(run_keeper, "_BYTES_A_SECOND", 1e9)
    keeper._rests_until = 0.0
    until(lambda: first.touch() or third.touch() or len(own(keeper)) == 3, "what waited is not made up for")


def saved(keeper: RunKeeper) -> int:
    """Return how far the one run in the store has come there."""
    [run] = own(keeper)
    assert keeper.store is not None
    return keeper.store.content(run).iteration


def test_how_far_a_run_came_while_the_store_was_away_is_written_when_it_is_back(
    begin: Callable[[], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_keeper, "_BEGUN_AFTER", 0.0)
    service, keeper = begin()
    run = service.submit(ENDLESS, owner=ME)
    until(lambda: run.touch() or own(keeper))
    keeper._pending.outage = "The store is away."
    seen = len(run.snapshots)
    until(lambda: run.touch() or len(run.snapshots) > seen + 5)
    service.command(run.id, "pause", owner=ME)
    until(lambda: run.touch() or run.status == "paused")
    keeper._pending.outage = ""
    until(lambda: run.touch() or saved(keeper) == run.snapshots[-1][0], "it is not caught up with")


def test_a_moving_slider_leaves_one_run(begin: Callable[[], Server]) -> None:
    service, keeper = begin()
    last = service.submit(ENDLESS, owner=ME)
    for seed in range(3):  # What a slider does: a further run goes on from the one it stops.
        before, last = last, service.submit(replace(ENDLESS, seed=seed), owner=ME, warm_from=last.id)
        service.command(before.id, "stop", owner=ME)
        until(before.persisted.is_set)
    service.command(last.id, "stop", owner=ME)
    until(last.persisted.is_set)
    assert [run.id for run in own(keeper)] == [last.id]


def test_a_long_run_stays_though_it_is_overtaken_and_its_worker_did_not_say_how_it_ended(
    begin: Callable[[], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_keeper, "_PASSING", 1e-9)  # Every run that has taken a step counts as a long one.
    service, keeper = begin()
    first = service.submit(ENDLESS, owner=ME, pace=50.0)
    until(lambda: len(own(keeper)) == 1)
    worker = service.worker_pids[0]
    os.kill(worker, signal.SIGSTOP)
    service.submit(replace(ENDLESS, seed=1), owner=ME, warm_from=first.id)
    service.command(first.id, "stop", owner=ME, wait=False)
    until(first.persisted.is_set)
    assert "seconds" not in first.ending, "it was stopped without its worker"
    assert first.id in {run.id for run in own(keeper)}


def test_a_service_works_without_a_store(
    place: Path, begin: Callable[[], Server], caplog: pytest.LogCaptureFixture
) -> None:
    (place / "runs.sqlite3").mkdir(parents=True)
    service, keeper = begin()
    handle = service.submit(QUICK, owner=ME)
    until(handle.persisted.is_set)
    assert handle.status == "max_iter"
    assert keeper.store is None
    assert "cannot be used" in keeper.problem
    assert [record.message for record in caplog.records] == [
        f"{keeper.problem} Runs that end wait in files until it can."
    ]


_SERVER = """
import sys, time
from experiments.persistence import run_keeper
from experiments.persistence.run_keeper import RunKeeper
from experiments.engine.service import Service
from tests.experiments.persistence.kept_runs import ENDLESS, ME, QUICK
run_keeper._BEGUN_AFTER = 1.0
keeper = RunKeeper()
service = Service(1, keeper=keeper)
done = service.submit(QUICK, owner=ME)
done.persisted.wait(60)
endless = service.submit(ENDLESS, owner=ME, pace=200.0)
while (run := keeper.store.get(endless.id)) is None or run.iterations < 100:
    time.sleep(0.05)
    service.get(endless.id)
print(done.id, endless.id, flush=True)
time.sleep(600)
"""


def test_after_sigkill_finished_runs_are_whole_and_the_others_resume(
    place: Path, begin: Callable[[], Server]
) -> None:
    command = [sys.executable, "-c", _SERVER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        done, endless = server.stdout.readline().split()
        server.send_signal(signal.SIGKILL)
    service, keeper = begin()
    runs = {run.id: run for run in own(keeper)}
    assert set(runs) == {done, endless}
    assert (runs[done].status, runs[done].iterations) == ("max_iter", 30)
    cut = runs[endless]
    assert (cut.status, cut.resumable) == ("interrupted", True)
    store = keeper.store
    assert store is not None
    before = store.content(cut)
    assert before.curve.shape[0] > before.iteration >= 64
    recalled = service.get(endless)
    assert recalled is not None
    assert recalled.status == "interrupted"

    store.rename(endless, ME, "the long one")
    resumed = keeper.resume(service, store.get(endless, ME), ME)
    until(lambda: resumed.snapshots and resumed.snapshots[-1][0] >= 8)
    service.command(resumed.id, "stop", owner=ME)
    until(resumed.persisted.is_set)
    assert not resumed.note
    (run, _) = own(keeper)
    assert (run.id, run.name, run.status) == (resumed.id, "the long one", "stopped")
    assert run.request.key == ENDLESS.key
    assert store.get(endless) is None
    after = store.content(run)
    at = before.iteration
    np.testing.assert_array_equal(after.curve[: at + 1], before.curve[: at + 1])
    assert after.iteration == run.iterations == at + resumed.snapshots[-1][0]
    # It goes on from where it was: no worse than where it was cut off, and the clock runs on.
    assert np.all(np.diff(after.curve[:, 0]) <= 1e-5 * after.curve[0, 0])
    assert np.all(np.diff(after.curve[:, 1]) >= 0)
    numbers = [number for number, _ in run.snapshots]
    assert numbers == sorted(set(numbers))
