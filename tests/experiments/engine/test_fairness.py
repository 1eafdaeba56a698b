"""Who is next, who may steer, what is kept, and what a keeper is told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from experiments import RunRequest
from experiments.engine import run_queue
from experiments.engine.fairness import fair_order
from experiments.engine.run_cache import Room, Rooms, RunRefusedError
from experiments.engine.service import Handle, Service
from tests.waiting import PATIENCE, ended, until


def endless(seed: int = 0, **params: object) -> RunRequest:
    usual = {"n_components": 4, "max_iter": 10_000_000, "tol": 0.0}
    return RunRequest("swimmer", "nmf", usual | params, seed=seed)


def iteration(handle: Handle) -> int:
    return handle.version[0] - 1


class Witness:
    """A keeper that notes what it is told, slowly, and breaks once."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []
        self.files: dict[str, int] = {}
        self.service: Service | None = None

    def began(self, handle: Handle) -> None:
        assert self.service is not None
        # Whoever is told may ask back: no lock is held that the service needs.
        asked = threading.Thread(target=self.service.get, args=(handle.id,))
        asked.start()
        asked.join(10)
        assert not asked.is_alive()
        self.heard.append(("began", handle.id))

    def progressed(self, handle: Handle) -> None:
        self.heard.append(("progressed", handle.id))
        if handle.snapshots[-1][0] == 2:
            raise RuntimeError("the disk is full")

    def recall(self, id: str, folder: Path) -> Handle | None:
        return None

    def ended(self, handle: Handle) -> None:
        sleep(0.05)
        self.files[handle.id] = len(list(handle.folder.glob("*.npz")))
        self.heard.append(("ended", handle.id))
        handle.persisted.set()


@pytest.fixture
def service() -> Iterator[Service]:
    """A service in which one run at a time takes steps."""
    service = Service(1, at_once=1, forgotten_after=PATIENCE)
    yield service
    service.close()


def test_who_has_least_comes_first() -> None:
    def handle(id: str, owner: str | None = None) -> Handle:
        return Handle(id, endless(), Path(id), owner=owner)

    greedy = [handle(f"g{i}", "g") for i in range(3)]
    other, nobody = handle("o1", "o"), handle("n1")
    order = fair_order([*greedy, other, nobody], running=[handle("g9", "g")])
    assert [one.id for one in order] == ["o1", "n1", "g0", "g1", "g2"]
    assert [one.id for one in fair_order([*greedy, other], [])] == ["g0", "o1", "g1", "g2"]


def test_many_names_at_one_address_do_not_come_before_one_at_another() -> None:
    def handle(id: str, address: str) -> Handle:
        return Handle(id, endless(), Path(id), owner=id, address=address)

    crowd = [handle(f"c{number}", "far") for number in range(3)]
    order = fair_order([*crowd, handle("one", "near"), handle("local", "")], running=[handle("c9", "far")])
    assert [one.id for one in order] == ["one", "local", "c0", "c1", "c2"]


def test_an_address_never_has_all_places_and_not_more_runs_than_a_few_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who invents a name for each run had the quota of as many visitors."""
    monkeypatch.setattr(run_queue, "_MOST_BY_ADDRESS", 6)
    asks = {"from": "far"}
    service = Service(1, at_once=4, forgotten_after=PATIENCE, address=lambda: asks["from"])
    try:
        crowd = [service.submit(endless(seed), owner=f"name {seed}") for seed in range(6)]
        assert [run.status == "waiting" for run in crowd] == [False] * 3 + [True] * 3
        with pytest.raises(RunRefusedError, match="of your network"):
            service.submit(endless(), owner="another name")
        for asks["from"] in ("near", ""):
            ended(service.submit(endless(max_iter=3), owner=f"from {asks['from']}"))
    finally:
        service.close()


def test_runs_beyond_the_cap_wait_and_are_told_how_long(service: Service) -> None:
    first = service.submit(endless(), owner="a")
    second, third = (service.submit(endless(seed), owner="a") for seed in (1, 2))
    newcomer = service.submit(endless(3), owner="b")
    assert [(h.status, h.before) for h in (second, third, newcomer)] == [("waiting", n) for n in (1, 2, 0)]
    until(lambda: iteration(first) > 3)
    assert iteration(newcomer) == -1

    service.command(third.id, "stop", owner="a")
    assert third.status == "stopped"
    service.command(second.id, "pause", owner="a")
    assert second.status == "waiting"
    service.command(second.id, "pace", owner="a", pace=20)
    service.command(first.id, "stop", owner="a")
    until(lambda: iteration(newcomer) > 3)
    assert (second.status, second.before) == ("waiting", 0)
    service.command(newcomer.id, "pause", owner="b")
    until(lambda: second.status == "paused")
    assert iteration(second) == 0, "it was told to pause while it waited"


def test_a_run_that_is_to_end_holds_no_place(service: Service) -> None:
    """Those that a slider overtakes had kept a class waiting for their ends to be worked out."""
    first = service.submit(endless(), owner="a")
    until(lambda: iteration(first) > 3)
    [worker] = service._pool.workers
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        second = service.submit(endless(1), owner="b")
        assert second.status == "waiting"
        service.command(first.id, "stop", owner="a", wait=False)
        assert (first.ended, second.status) == (False, "preparing")
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    until(lambda: iteration(second) > 3)


def test_a_run_that_is_to_end_is_not_moved_to_a_worker_that_knows_nothing_of_that(service: Service) -> None:
    """It had gone on there for ever, and kept the jobs of that worker waiting."""
    run = service.submit(endless(), owner="a")
    until(lambda: iteration(run) > 3)
    [worker] = service._pool.workers
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        service.command(run.id, "stop", owner="a", wait=False)
        with service._lock:
            assert not run.ended
            service._dispatcher._move(worker, run.id)  # As if it had not been heard of for long.
            assert (run.status, worker.runs) == ("stopped", set())
            assert not service._dispatcher.queue.waits(run.id)
    finally:
        os.kill(worker.pid, signal.SIGCONT)


def test_only_the_owner_steers(service: Service) -> None:
    handle = service.submit(endless(), owner="mine")
    until(lambda: handle.status == "running")
    for token in (None, "other"):
        assert service.command(handle.id, "stop", owner=token) is handle
    sleep(0.1)
    assert handle.status == "running"
    assert handle.may_steer("mine")
    service.command(handle.id, "stop", owner="mine")
    ended(handle)


def test_a_run_goes_on_to_an_iteration_and_waits_there(service: Service) -> None:
    handle = service.submit(endless(), paused=True)
    until(lambda: handle.status == "paused")
    service.command(handle.id, "until", iteration=37)
    until(lambda: handle.status == "paused" and iteration(handle) == 37)
    assert handle.reader is not None
    assert handle.reader.latest()[0] == 37
    service.command(handle.id, "step", steps=10)
    until(lambda: iteration(handle) == 47)
    service.command(handle.id, "until", iteration=5)
    sleep(0.1)
    assert iteration(handle) == 47, "what is past is past"
    service.command(handle.id, "resume")
    until(lambda: iteration(handle) > 60)


def test_a_run_goes_on_from_one_under_way_one_that_ended_and_none(service: Service) -> None:
    source = service.submit(endless(), paused=True)
    service.command(source.id, "step", steps=30)
    until(lambda: iteration(source) == 30)
    assert source.reader is not None
    reached = source.reader.curve()[-1, 0]

    def start(handle: Handle) -> float:
        until(lambda: iteration(handle) >= 0)
        assert handle.reader is not None
        return float(handle.reader.curve()[0, 0])

    # While its worker is held up, a run goes on elsewhere, from what was stored last.
    until(lambda: not any(worker.late for worker in service._pool.workers))
    beside = service.submit(endless(), paused=True, warm_from=source.id)
    assert start(beside) == pytest.approx(reached, rel=1e-5)
    assert (beside.warm_from, beside.note) == (source.id, "")
    service.command(source.id, "stop")
    ended(source)
    after = service.submit(endless(), paused=True, warm_from=source.id)
    assert start(after) == pytest.approx(reached, rel=1e-5)
    kept = service.submit(endless(), paused=True, warm_from=source.folder / "30.npz")
    assert start(kept) == pytest.approx(reached, rel=1e-5)
    lost = service.submit(endless(), paused=True, warm_from="long ago")
    assert start(lost) > reached
    assert "no longer kept" in lost.note


def test_a_keeper_is_told_everything_in_order_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    witness = Witness()
    service = witness.service = Service(
        1, rooms=Rooms(common=Room(2, 10**9)), keeper=witness, forgotten_after=PATIENCE
    )
    handles = []
    for seed in range(3):
        handles.append(service.submit(endless(seed, max_iter=3)))
        until(handles[-1].persisted.is_set)
    for handle in handles:
        told = [event for event, id in witness.heard if id == handle.id]
        assert told == ["began", *4 * ["progressed"], "ended"]
        assert witness.files[handle.id] == 4, "its files were still there"
    assert not handles[0].folder.exists()
    assert "could not be kept" in caplog.text

    unfinished = service.submit(endless())
    until(lambda: iteration(unfinished) > 3)
    service.close()
    assert unfinished.status == "interrupted"
    assert witness.heard[-1] == ("ended", unfinished.id)
    assert witness.files[unfinished.id] > 3


def test_files_are_bounded() -> None:
    service = Service(1, rooms=Rooms(common=Room(64, 400_000)))
    try:
        handles = []
        for seed in range(5):
            handles.append(service.submit(endless(seed, max_iter=8)))
            ended(handles[-1])
        service.submit(endless(9, max_iter=1))
        sizes = [sum(file.stat().st_size for file in handle.folder.glob("*")) for handle in handles]
        assert sizes[:2] == [0, 0], "the oldest made room"
        assert 0 < sum(sizes) <= 400_000
        assert np.all(np.array(sizes)[-1] > 0)
    finally:
        service.close()
