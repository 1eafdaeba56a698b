"""The service: many runs in few processes, steered at once, bounded, and cleaned up."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic, sleep

import numpy as np
import pytest

import datasets
from experiments import RunRequest
from experiments.engine.run_cache import Room, Rooms
from experiments.engine.service import Handle, Service
from tests.waiting import PATIENCE, ended, until


def endless(seed: int = 0) -> RunRequest:
    return RunRequest("swimmer", "nmf", {"n_components": 4, "max_iter": 10_000_000, "tol": 0.0}, seed=seed)


def short(seed: int = 0, method: str = "nmf") -> RunRequest:
    return RunRequest("swimmer", method, {"n_components": 8, "max_iter": 5, "tol": 0.0}, seed=seed)


def rows(handle: Handle) -> int:
    return handle.version[0]


def running(handle: Handle) -> Handle:
    until(lambda: rows(handle) > 3)
    return handle


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """One process for all tests."""
    service = Service(1, forgotten_after=PATIENCE)
    service.warm_up("swimmer", "nmf")
    yield service
    service.close()


def test_a_run_can_be_watched_to_its_end(service: Service) -> None:
    handle = ended(service.submit(short(method="n2s2l")))
    assert (handle.status, rows(handle)) == ("max_iter", 6)
    assert handle.reader is not None
    assert handle.reader.latest()[0] == 5
    assert [kept for kept, _ in handle.snapshots] == [0, 1, 2, 3, 4, 5]
    assert np.array_equal(handle.snapshot(5)["components"], handle.reader.latest()[1]["components"])
    assert not np.array_equal(handle.snapshot(0)["components"], handle.snapshot(5)["components"])
    assert handle.ending["iterations"] == 5
    assert handle.ending["discriminative"] == 4
    assert handle.scores == handle.ending["scores"]
    assert service.get(handle.id) is handle
    with pytest.raises(KeyError):
        handle.snapshot(17)


def test_commands_are_acknowledged(service: Service) -> None:
    handle = running(service.submit(endless()))
    assert handle.status == "running"
    assert service.command(handle.id, "pause") is handle
    until(lambda: handle.status == "paused")
    before = handle.version
    sleep(0.1)
    assert handle.version == before
    service.command(handle.id, "step", steps=2)
    until(lambda: rows(handle) == before[0] + 2)
    service.command(handle.id, "resume")
    until(lambda: handle.status == "running" and rows(handle) > before[0] + 10)
    service.command(handle.id, "stop")
    assert ended(handle).status == "stopped"
    after = handle.version
    service.command(handle.id, "resume")
    sleep(0.1)
    assert handle.version == after, "what has ended stays ended"
    assert service.command("nobody", "stop") is None
    assert service.get(None) is None


def test_stopping_is_prompt(service: Service) -> None:
    spent = []
    for seed in range(3):
        handle = running(service.submit(endless(seed)))
        begun = monotonic()
        service.command(handle.id, "stop")
        ended(handle)
        spent.append(monotonic() - begun)
    # 0.2 s on an idle machine. The quickest of three counts: others may want the processor, too.
    assert min(spent) < 1


def test_a_run_may_begin_paused_and_at_a_pace(service: Service) -> None:
    handle = service.submit(endless(), paused=True, pace=10)
    until(lambda: rows(handle) == 1 and handle.status == "paused")
    assert handle.pace == 10
    service.command(handle.id, "pace", pace=None)
    assert handle.pace is None
    service.command(handle.id, "resume")
    running(handle)
    service.command(handle.id, "stop")
    ended(handle)


def test_runs_share_a_worker_fairly(service: Service) -> None:
    both = [running(service.submit(endless(seed))) for seed in (0, 1)]
    assert len(service.worker_pids) == 1
    before = [rows(handle) for handle in both]
    until(lambda: min(rows(h) - b for h, b in zip(both, before, strict=True)) > 50)
    made = [rows(handle) - b for handle, b in zip(both, before, strict=True)]
    assert max(made) < 5 * min(made)
    for handle in both:
        service.command(handle.id, "stop")
        ended(handle)


def test_a_preview_goes_on_from_the_run_it_is_shown_instead_of_which_waits(service: Service) -> None:
    run = running(service.submit(endless(), owner="me"))
    preview = service.preview(run.request, of=run.id, turn=1, owner="me")
    until(lambda: preview.turned == 1)
    before = rows(run)
    until(lambda: rows(preview) > 30)
    assert rows(run) == before, "they are in the same worker"
    service.command(preview.id, "stop", owner="me")
    until(lambda: rows(run) > before)
    service.command(run.id, "stop", owner="me")
    ended(run)


def test_what_is_tried_out_on_a_shared_run_changes_nothing_for_others(service: Service) -> None:
    request = endless(seed=77)
    run = running(service.shared(request))
    preview = service.preview(
        replace(request, params={**request.params, "n_components": 9}), of=run.id, turn=1, owner="me"
    )
    until(lambda: preview.turned == 1)
    before = rows(run)
    until(lambda: rows(run) > before + 3, "others wait for it")
    after = service.submit(request, warm_from=run.id, owner="somebody else")
    until(lambda: rows(after) > 1)
    assert after.note == "", "it has gone on from the shared run, which has as many parts"
    for handle, owner in ((preview, "me"), (after, "somebody else"), (run, None)):
        service.command(handle.id, "stop", owner=owner)
        ended(handle)


def test_who_waits_is_told_later_and_hands_on_what_it_was_to_go_on_from() -> None:
    crowded = Service(1, at_once=1, forgotten_after=PATIENCE)
    try:
        first = running(crowded.submit(endless()))
        overtaken = crowded.submit(endless(), warm_from=first.id)
        last = crowded.submit(endless(), warm_from=overtaken.id)
        crowded.command(overtaken.id, "stop")
        crowded.command(last.id, "pause")
        assert last.held
        crowded.command(last.id, "step", steps=3)
        crowded.command(last.id, "until", iteration=40)
        assert (overtaken.status, last.status, last.held) == ("stopped", "waiting", False)
        crowded.command(first.id, "stop")
        until(lambda: last.status == "paused" and rows(last) == 41, "it is not where it was told to go")
        assert last.held
        assert last.note == ""
        assert last.reader is not None
        assert first.reader is not None
        begun, left = last.reader.curve()[0, 0], first.reader.curve()[-1, 0]
        assert begun == pytest.approx(left, rel=1e-3)
    finally:
        crowded.close()


def test_a_request_that_makes_no_sense_is_refused_at_once(service: Service) -> None:
    with pytest.raises(ValueError, match="no method"):
        service.submit(RunRequest("swimmer", "nnmf"))
    with pytest.raises(ValueError, match="no setting"):
        service.shared(RunRequest("swimmer", "nmf", split={"labels": 3}))
    handle = ended(service.submit(RunRequest("swimmer", "pca", {"n_components": 900})))
    assert handle.status == "failed"
    assert "n_components=900" in handle.message


def test_nobody_is_shown_a_shared_run_that_is_about_to_stop(service: Service) -> None:
    first = running(service.shared(endless(7)))
    worker = service._pool.of(first.id)
    assert worker is not None
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        service.command(first.id, "stop", wait=False)
        again = service.shared(endless(7))
        assert again is not first, "its worker is slow to stop it, but will"
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    service.command(again.id, "stop")
    ended(first, again)


def test_everybody_looks_at_the_same_shared_run(service: Service) -> None:
    first = service.shared(endless())
    assert service.shared(RunRequest.from_json(endless().canonical())) is first
    assert service.shared(endless(1)) is not first
    assert service.submit(endless()) is not first, "a run of one's own is one's own"
    service.command(first.id, "stop")
    ended(first)
    again = service.shared(endless())
    assert again is not first, "a stopped run is no demonstration"
    for handle in service.runs:
        service.command(handle.id, "stop")
        ended(handle)
    finished = ended(service.shared(short()))
    assert service.shared(short()) is finished


def test_a_killed_worker_interrupts_its_runs_and_is_replaced(service: Service) -> None:
    handle = running(service.submit(endless(), paused=False))
    done = ended(service.submit(short()))
    [pid] = service.worker_pids
    # What a worker was last heard to be busy with is ended; what it was not begins again elsewhere.
    until(lambda: handle.touch() or handle.id in service._pool.workers[0].busy)
    os.kill(pid, signal.SIGKILL)
    assert ended(handle).status == "interrupted"
    assert "most likely the machine ran out of memory" in handle.message
    assert "Run starts it again" in handle.message
    assert done.status == "max_iter", "what had ended stays as it was"
    assert handle.reader is not None
    assert handle.reader.latest()[0] >= 0, "what it had found can still be seen"
    assert handle.snapshot(1)["components"].shape == (4, 1024)
    again = running(service.submit(endless()))
    assert service.worker_pids != [pid]
    service.command(again.id, "stop")
    ended(again)


def test_a_run_given_to_a_worker_that_has_just_died_begins_again_elsewhere(service: Service) -> None:
    ended(service.submit(short()))
    with service._lock:
        late = service.submit(short())
        worker = service._pool.of(late.id)
        assert worker is not None
        os.kill(worker.pid, signal.SIGKILL)
    assert ended(late).status == "max_iter"
    assert late.restarted
    assert "began again" in late.note
    assert [kept for kept, _ in late.snapshots] == [0, 1, 2, 3, 4, 5]
    assert late.snapshot(5)["components"].shape == (8, 1024)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.fixture(scope="module")
def small() -> Iterator[Service]:
    """A service that keeps little and forgets soon."""
    service = Service(2, rooms=Rooms(common=Room(3, 10**9)), forgotten_after=5)
    yield service
    service.close()


def test_what_is_kept_is_bounded_and_what_nobody_watches_is_stopped(small: Service) -> None:
    watched, lonely = (small.submit(endless(seed), pace=20.0) for seed in (0, 1))

    def look(*handles: Handle) -> bool:
        return None not in [small.get(handle.id) for handle in handles]

    until(lambda: look(watched, lonely) and min(rows(watched), rows(lonely)) > 3)
    until(lambda: look(watched) and lonely.ended)
    assert (lonely.status, watched.ended) == ("stopped", False)
    assert rows(lonely) > 3, "what it had found stays"

    handles = []
    for seed in range(4):
        handles.append(small.submit(short(seed)))
        until(lambda: look(watched) and handles[-1].ended)
    assert len(small.runs) == 3
    assert look(watched), "a run under way is never forgotten"
    assert [small.get(handle.id) for handle in handles] == [None, None, *handles[2:]]
    assert not handles[0].folder.exists()
    assert handles[0].reader is not None
    assert handles[0].reader.latest()[0] == 5, "who still shows it can go on showing it"
    with pytest.raises(KeyError):
        handles[0].snapshot(0)

    assert look(handles[2])
    ended(small.submit(short(9)))
    assert look(handles[2]), "the one looked at least recently makes room"


def test_what_runs_found_in_data_taken_back_is_forgotten(small: Service) -> None:
    id = datasets.keep(datasets.read(b"a,b,label\n" + b"1,2,0\n3,4,1\n" * 9, "small.csv"))
    endless_request = RunRequest(id, "nmf", {"max_iter": 10**6, "tol": 0.0, "n_components": 2})
    under_way = small.submit(endless_request)
    # On a stalling machine it would be taken for one that nobody watches before it has begun.
    until(lambda: small.get(under_way.id) is under_way and rows(under_way) > 3)
    other = ended(small.submit(short()))
    datasets.erase(id)
    small.drop(id)
    assert small.get(under_way.id) is None
    assert not under_way.folder.exists()
    assert small.get(other.id) is other


def test_closing_ends_the_processes_and_removes_the_files(small: Service) -> None:
    handle = running(small.submit(endless(2)))
    folder, pids = handle.folder.parent, small.worker_pids
    assert folder.is_dir()
    assert len(pids) == 2
    small.close()
    assert all(gone(pid) for pid in pids)
    assert not folder.exists()
    small.close()
    with pytest.raises(RuntimeError, match="has been closed"):
        small.submit(endless())
