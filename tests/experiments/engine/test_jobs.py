"""Jobs beside runs: done when no run is due, owners in turn, taken back, and given up with their worker."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from experiments.engine.service import Service
from experiments.engine.turns import ATTENDED, UNATTENDED, WATCHED
from experiments.engine.worker_jobs import JobError, WorkerLostError
from tests.experiments.engine import counting_worker
from tests.experiments.engine.test_fairness import endless, iteration
from tests.waiting import PATIENCE, until

PROGRAM = ("-m", counting_worker.__name__)
ENDLESS = -1


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(1, forgotten_after=PATIENCE, program=PROGRAM)
    yield service
    service.close()


def count(
    service: Service, name: str, number: int, owner: str = "me", priority: int = ATTENDED
) -> Future[str]:
    return service.jobs.submit("count", f"{name} {number}", owner=owner, priority=priority)


def begun(service: Service) -> list[str]:
    file = service._folder.parent / "begun"
    return file.read_text().split() if file.exists() else []


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs of a test, and what its jobs write beside them, are in a folder of its own."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_a_job_is_answered_or_says_what_went_wrong(service: Service) -> None:
    assert count(service, "one", 3).result(PATIENCE).startswith("one ")
    with pytest.raises(JobError, match="ZeroDivisionError: no number"):
        count(service, "broken", 1).result(PATIENCE)
    assert count(service, "two", 1).result(PATIENCE).startswith("two ")


def test_a_run_at_full_speed_comes_first_and_a_paced_one_keeps_its_pace(service: Service) -> None:
    run = service.submit(endless())
    until(lambda: iteration(run) > 3)
    job = count(service, "job", 5)
    at = iteration(run)
    until(lambda: iteration(run) > at + 200)
    assert not job.done()
    service.command(run.id, "pause")
    assert job.result(PATIENCE)
    running = count(service, "job", ENDLESS)
    service.command(run.id, "pace", pace=20.0)
    service.command(run.id, "resume")
    at = iteration(run)
    until(lambda: iteration(run) > at + 10, "a job in between holds the run up")
    running.cancel()


def test_no_run_waits_for_the_first_step_of_a_job(service: Service) -> None:
    for priority in (WATCHED, ATTENDED):
        job = service.jobs.submit("beside", "", owner="me", priority=priority)
        assert job.result(PATIENCE) == "beside them"


def test_whoever_has_jobs_that_take_minutes_leaves_a_thread_to_others(service: Service) -> None:
    def ask(kind: str, text: str, owner: str) -> Future[str]:
        return service.jobs.submit(kind, text, owner=owner, priority=WATCHED)

    mine = [ask("hold", "let go", "me") for _ in range(4)]
    assert ask("beside", "", "them").result(PATIENCE) == "beside them"
    assert not any(future.done() for future in mine)
    (service._folder.parent / "let go").touch()
    assert [future.result(PATIENCE) for future in mine] == 4 * ["let go"]


def test_what_is_done_apart_is_done_by_a_process_without_runs_that_stays(service: Service) -> None:
    run = service.submit(endless())
    until(lambda: iteration(run) > 3)
    shared = set(service.worker_pids)

    def apart() -> int:
        future = service.jobs.submit("count", "one 1", owner="me", priority=WATCHED, apart=True)
        return int(future.result(PATIENCE).split()[1])

    other = apart()
    assert other not in shared
    assert set(service.worker_pids) == shared | {other}
    assert apart() == other
    # It is given neither a run nor a job that can be done anywhere.
    second = service.submit(endless())
    until(lambda: iteration(second) > 3)
    assert set(service.worker_pids) == shared | {other}
    service.command(run.id, "stop")
    service.command(second.id, "stop")
    assert int(count(service, "two", 1).result(PATIENCE).split()[1]) in shared
    os.kill(other, signal.SIGKILL)
    until(lambda: other not in service.worker_pids)
    assert apart() not in {other, *shared}


def test_owners_take_turns_and_each_ones_jobs_come_one_after_the_other(service: Service) -> None:
    mine = [count(service, f"mine{number}", 200) for number in range(3)]
    until(lambda: begun(service) == ["mine0"])
    theirs = [count(service, f"theirs{number}", 2, owner="them") for number in range(2)]
    for job in theirs:
        job.result(PATIENCE)
    assert not mine[0].done()
    for job in mine:
        job.result(PATIENCE)
    assert [name for name in begun(service) if name.startswith("mine")] == ["mine0", "mine1", "mine2"]


def test_what_was_left_to_go_on_waits_for_what_somebody_looks_at(service: Service) -> None:
    first = count(service, "first", ENDLESS)
    until(lambda: begun(service) == ["first"])
    left = count(service, "left", 1, owner="them", priority=UNATTENDED)
    looked_at = count(service, "looked-at", 1, owner="her")
    looked_at.result(PATIENCE)
    first.cancel()
    left.result(PATIENCE)
    assert begun(service) == ["first", "looked-at", "left"]


def test_a_job_taken_back_makes_room(service: Service) -> None:
    endless_job = count(service, "endless", ENDLESS)
    until(lambda: begun(service) == ["endless"])
    waiting = count(service, "next", 1)
    assert endless_job.cancel()
    assert waiting.result(PATIENCE)


def test_a_killed_worker_tells_whoever_waits_for_its_jobs(service: Service) -> None:
    job = count(service, "job", ENDLESS)
    until(lambda: begun(service) == ["job"])
    os.kill(service.worker_pids[0], signal.SIGKILL)
    with pytest.raises(WorkerLostError):
        job.result(PATIENCE)
    assert count(service, "again", 1).result(PATIENCE)


def test_a_job_that_gets_no_turn_moves_to_a_worker_with_nothing_to_do() -> None:
    service = Service(2, forgotten_after=PATIENCE, program=PROGRAM)
    try:
        ahead = [count(service, f"ahead{number}", 50) for number in range(2)]
        run = service.submit(endless())
        until(lambda: iteration(run) > 3)
        jobs = [count(service, f"job{number}", 20) for number in range(6)]
        for job in (*ahead, *jobs):
            assert job.result(PATIENCE)
        assert not run.ended
    finally:
        service.close()


def test_closing_the_service_ends_all_waiting(service: Service) -> None:
    job = count(service, "job", ENDLESS)
    service.close()
    with pytest.raises(WorkerLostError):
        job.result(PATIENCE)
    with pytest.raises(WorkerLostError):
        count(service, "late", 1)
