"""Nobody waits for another's slow run, Stop is obeyed whatever a run does, and time is shared by owner."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from experiments import RunRequest
from experiments.engine import handle as handle_module
from experiments.engine import run_queue
from experiments.engine import service as service_module
from experiments.engine.service import Handle, RunRefusedError, Service
from tests.experiments.engine import slow_worker
from tests.experiments.engine.test_service import endless, rows, running, short
from tests.waiting import PATIENCE, ended, until


@pytest.fixture
def service() -> Iterator[Service]:
    """A service of one worker in which some methods never come to an end of a step."""
    service = Service(1, forgotten_after=PATIENCE, program=("-m", slow_worker.__name__))
    service.warm_up("swimmer", "nmf")
    yield service
    service.close()


def slow(method: str) -> RunRequest:
    return RunRequest("swimmer", method, {"n_components": 4, "max_iter": 1000})


def carried(service: Service, handle: Handle) -> None:
    """Wait until a worker is busy with a run for longer than a slice."""

    def late() -> bool:
        handle.touch()
        worker = service._pool.of(handle.id)
        return worker is not None and worker.late and handle.id in worker.busy

    until(late)


def test_others_go_on_beside_a_slow_run_in_the_same_worker_and_in_a_spare_one(service: Service) -> None:
    beside = running(service.submit(endless(), owner="polite"))
    stuck = [service.submit(slow(method), owner="greedy") for method in ("lnmf", "semi_nmf")]
    for handle in stuck:
        carried(service, handle)
    assert len(service.worker_pids) == 1
    before = rows(beside)
    until(lambda: beside.touch() or rows(beside) > before + 20)
    elsewhere = running(service.submit(endless(2), owner="another"))
    assert len(service.worker_pids) == 2, "who comes now does not share a worker with them"
    following = service.submit(endless(1), owner="polite", warm_from=beside.id)
    assert running(following).note == ""
    for handle in (beside, following, elsewhere, *stuck):
        service.command(handle.id, "stop", owner=handle.owner)
    ended(beside, following, elsewhere, *stuck)
    until(lambda: len(service.worker_pids) == 1, "the spare worker is not sent home")


@pytest.mark.parametrize("method", ["lnmf", "semi_nmf", "poly_nmf"])
def test_stop_is_obeyed_whatever_a_run_does_and_costs_no_other_its_end(service: Service, method: str) -> None:
    finishing = service.submit(
        RunRequest("swimmer", "nmf", {"n_components": 8, "max_iter": 400, "tol": 0.0}), pace=100, owner="b"
    )
    running(finishing)
    handle = service.submit(slow(method), owner="a")
    carried(service, handle)
    begun = monotonic()
    service.command(handle.id, "stop", owner="a")
    until(lambda: handle.ended)
    assert handle.status == "stopped"
    spent = monotonic() - begun
    assert spent < 10, "within one second on a machine with nothing else to do"
    assert ended(finishing).status == "max_iter"
    assert rows(finishing) == 401
    again = ended(service.submit(short(), owner="a"))
    assert again.status == "max_iter"


def test_an_interruption_that_python_loses_is_repeated(service: Service) -> None:
    ended(service.submit(short(), owner="a"))
    [pid] = service.worker_pids
    threads = Path(f"/proc/{pid}/task")
    before = len(list(threads.iterdir()))
    handle = service.submit(slow("nge"), owner="a")
    carried(service, handle)
    service.command(handle.id, "stop", owner="a")
    until(lambda: handle.ended)
    assert service.worker_pids == [pid]
    until(lambda: len(list(threads.iterdir())) <= before, "it is computed for nobody")


def test_a_worker_that_stands_still_is_replaced_and_its_run_says_so(service: Service) -> None:
    handle = running(service.submit(endless(), owner="a"))
    paused = service.submit(endless(1), owner="b")
    running(paused)
    service.command(paused.id, "pause", owner="b")
    until(lambda: paused.status == "paused")
    at = rows(paused)
    [pid] = service.worker_pids
    os.kill(pid, signal.SIGSTOP)
    until(
        lambda: paused.touch() or handle.touch() or (paused.restarted and (handle.ended or handle.restarted))
    )
    # Stopped in the middle of a turn it is interrupted; between two turns it begins again, too.
    if handle.ended:
        assert handle.status == "interrupted"
        assert "stood still and was replaced" in handle.message
    else:
        assert "began again" in handle.note
        service.command(handle.id, "stop", owner="a")
    assert pid not in service.worker_pids
    until(lambda: paused.touch() or (paused.status == "paused" and rows(paused) == at))
    assert "began again" in paused.note
    assert ended(service.submit(short(), owner="a")).status == "max_iter"


def test_a_run_that_has_paused_is_never_lost_with_its_worker(service: Service) -> None:
    paused = running(service.submit(endless(), owner="a"))
    service.command(paused.id, "pause", owner="a")
    until(lambda: paused.status == "paused")
    at = rows(paused)
    worker = service._pool.of(paused.id)
    assert worker is not None
    [pid] = service.worker_pids
    os.kill(pid, signal.SIGSTOP)

    def taken_over() -> bool:
        # The last thing heard of the worker may be that the run's turn has not ended.
        worker.busy = [paused.id]
        return paused.touch() or paused.restarted or paused.ended

    until(taken_over)
    until(lambda: paused.touch() or (paused.status == "paused" and rows(paused) == at))
    service.command(paused.id, "resume", owner="a")
    until(lambda: paused.touch() or rows(paused) > at)
    service.command(paused.id, "stop", owner="a")
    assert ended(paused).status == "stopped"


def test_commands_to_a_worker_that_does_not_read_keep_nobody_waiting(service: Service) -> None:
    handle = running(service.submit(endless(), owner="a"))
    [pid] = service.worker_pids
    os.kill(pid, signal.SIGSTOP)
    begun = monotonic()
    for _ in range(3000):
        service.command(handle.id, "pace", owner="a", wait=False, pace=30.0)
        assert service.at_hand(handle.id) is handle
    # A pipe holds 64 KB, these are four times as much: today the 700th waits until the worker reads.
    assert monotonic() - begun < PATIENCE / 4
    # Stopped in the middle of a turn it is interrupted; between two turns it begins again elsewhere.
    until(lambda: handle.touch() or handle.ended or handle.restarted)


def test_time_is_shared_by_owner_and_not_by_run(service: Service) -> None:
    many = [running(service.submit(endless(seed), owner="greedy")) for seed in range(9)]
    one = running(service.submit(endless(99), owner="polite"))
    before = {handle.id: rows(handle) for handle in (*many, one)}
    until(lambda: [h.touch() for h in (*many, one)] and rows(one) > before[one.id] + 400)
    made = {id: service.at_hand(id).version[0] - count for id, count in before.items()}  # type: ignore[union-attr]
    theirs = sum(made[handle.id] for handle in many)
    assert made[one.id] > 0.6 * theirs, "a half is fair; by run it would be a ninth"
    for handle in (*many, one):
        service.command(handle.id, "stop", owner=handle.owner)
    ended(*many, one)


def test_an_owner_has_so_many_runs_and_never_all_places() -> None:
    service = Service(1, at_once=4, most_by_owner=5, forgotten_after=PATIENCE)
    try:
        own = [service.submit(endless(seed), owner="greedy") for seed in range(5)]
        assert [handle.status for handle in own] == ["preparing"] * 3 + ["waiting"] * 2
        with pytest.raises(RunRefusedError, match="5 of your runs are under way or wait"):
            service.submit(endless(9), owner="greedy")
        other = service.submit(endless(10), owner="polite")
        assert other.status == "preparing", "there is a place for whoever else comes"
        service.command(own[4].id, "stop", owner="greedy")
        assert service.submit(endless(9), owner="greedy").status == "waiting"
    finally:
        service.close()


def going(handle: Handle) -> bool:
    """Look at a run, and say whether it has begun."""
    handle.touch()
    return handle.status == "running"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A service with two places and memory for three runs, that soon takes a run for one nobody looks at."""
    monkeypatch.setattr(service_module, "_UNSEEN_SECONDS", 0.3)
    monkeypatch.setattr(service_module, "_CROWDED_SECONDS", 0.6)
    monkeypatch.setattr(run_queue, "_MOST_UNDER_WAY", 4)
    service = Service(1, at_once=2, forgotten_after=PATIENCE)
    yield service
    service.close()


def test_a_run_that_nobody_looks_at_takes_no_place_and_goes_on(hasty: Service) -> None:
    left = [running(hasty.submit(endless(seed), owner=f"left {seed}")) for seed in range(2)]
    newcomer = hasty.submit(endless(2), owner="here")
    until(lambda: going(newcomer), "it waits for places that nobody uses")
    assert [handle.status for handle in left] == ["running"] * 2
    assert left[0].unseen
    assert hasty.at_hand(left[0].id) is left[0]
    assert not left[0].unseen, "whoever comes back finds it as it was"
    at = rows(left[0])
    until(lambda: newcomer.touch() or (hasty.at_hand(left[0].id) and rows(left[0]) > at))


def test_a_run_that_nobody_looks_at_gives_its_memory_to_one_that_waits(hasty: Service) -> None:
    left = [running(hasty.submit(endless(seed), owner=f"left {seed}")) for seed in range(3)]
    until(lambda: all(handle.unseen for handle in left))
    assert not hasty._dispatcher.queue.crowded
    here = [hasty.submit(endless(seed), owner=f"here {seed}") for seed in (3, 4)]
    until(lambda: sum(going(handle) for handle in here) == 2, "they wait for what nobody looks at")
    until(lambda: any(handle.status == "stopped" for handle in left))


def test_a_machine_that_stood_still_takes_nobody_for_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = 0.0
    for module in (service_module, handle_module):
        monkeypatch.setattr(module, "monotonic", lambda: monotonic() + slept)
    service = Service(1, forgotten_after=PATIENCE)
    try:
        handle = running(service.submit(endless(), owner="a"))
        handle.touch()
        slept = 10 * PATIENCE
        until(lambda: handle.seen_at > monotonic() + 9 * PATIENCE, "nobody has noticed that it slept")
        assert not handle.ended
    finally:
        service.close()
