"""Finished runs that the database or the disk refuses: kept, tried again, and there in the end."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from experiments.store import files, places, unsaved
from scripts import postgres
from tests.experiments.conftest import Server
from tests.experiments.persistence.kept_runs import ENDLESS, ME, own, six, statuses
from tests.waiting import until

ROOT = Path(__file__).resolve().parents[3]


def test_a_disk_that_is_full_for_a_while_costs_no_run(
    begin: Callable[[], Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    service, keeper = begin()
    assert own(keeper) == []

    def refuse(*_: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(files, "write_arrays", refuse)
        full.setattr(unsaved, "write_arrays", refuse)
        ids = six(service)
        until(lambda: "6 finished runs wait in the memory" in keeper.notice)
        assert "No space left on device" in keeper.notice
        for id in ids:
            handle = service.get(id)
            assert handle is not None
            assert not handle.persisted.is_set()
            assert handle.snapshot(30), "its files stay until it is written down"
    until(lambda: not keeper.notice)
    assert statuses(keeper) == dict.fromkeys(ids, "max_iter")
    until(lambda: all(handle.persisted.is_set() for handle in service.runs))


_ON_A_FULL_DISK = """
import json, resource, sys
from experiments.engine.service import Service
from experiments.persistence import run_keeper
from experiments.persistence.run_keeper import RunKeeper
from tests.experiments.persistence.kept_runs import ENDLESS, ME, statuses
from tests.waiting import until
run_keeper._BEGUN_AFTER = 0.0
keeper = RunKeeper()
service = Service(1, keeper=keeper)
handles = [service.submit(ENDLESS, owner=ME, pace=20.0) for _ in range(6)]
until(lambda: [service.get(h.id) for h in handles] and len(statuses(keeper)) == 6)
# From here on this process can make no file larger than this: neither the database nor arrays grow.
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
for handle in handles:
    service.command(handle.id, "stop", owner=ME)
until(lambda: "6 finished runs wait" in keeper.notice)
notice = keeper.notice
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
until(lambda: not keeper.notice)
print(json.dumps([notice, statuses(keeper)]))
service.close()
keeper.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of this kind")
def test_what_the_system_refuses_to_write_is_written_later(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ON_A_FULL_DISK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    notice, found = json.loads(done.stdout.splitlines()[-1])
    assert "in the memory of this server" in notice
    assert list(found.values()) == ["stopped"] * 6


_CUT_OFF = """
import sys, time
from experiments.engine.service import Service
from experiments.persistence.run_keeper import RunKeeper
from tests.experiments.persistence.kept_runs import six
from tests.waiting import until
keeper = RunKeeper()
service = Service(1, keeper=keeper)
ids = six(service)
until(lambda: "6 finished runs wait in a file" in keeper.notice)
print(*ids, flush=True)
time.sleep(600)
"""


def test_endings_in_files_survive_the_server(place: Path, begin: Callable[[], Server]) -> None:
    obstacle = place / "runs.sqlite3"
    obstacle.mkdir(parents=True)
    with subprocess.Popen(
        [sys.executable, "-c", _CUT_OFF], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        ids = server.stdout.readline().split()
        server.send_signal(signal.SIGKILL)
    waiting = places.arrays_folder(places.database_url()) / "unsaved"
    assert len(list(waiting.glob("*.ending"))) == 6
    (waiting / "half.ending").write_bytes(b"PK half a file")
    obstacle.rmdir()
    service, keeper = begin()
    until(lambda: len(own(keeper)) == 6)
    assert statuses(keeper) == dict.fromkeys(ids, "max_iter")
    until(lambda: not list(waiting.glob("*.ending")))
    assert [path.name for path in waiting.iterdir()] == ["half.unreadable"]
    back = service.get(ids[0])
    assert back is not None
    assert back.reader is not None
    assert back.reader.latest()[0] == 30


@pytest.mark.parametrize("how", ["stopped", "frozen"])
def test_a_database_server_that_is_away_for_a_while_costs_no_run(
    begin: Callable[[], Server],
    monkeypatch: pytest.MonkeyPatch,
    postgres_server: postgres.Server,
    empty_postgres: URL,
    how: str,
) -> None:
    away, back = (
        (postgres_server.stop, postgres_server.start)
        if how == "stopped"
        else (postgres_server.freeze, postgres_server.thaw)
    )
    monkeypatch.setenv(places.DATABASE, postgres_server.url)
    service, keeper = begin()
    under_way = service.submit(ENDLESS, owner=ME, pace=20.0)
    until(lambda: service.get(under_way.id) and statuses(keeper) == {under_way.id: "running"})
    away()
    try:
        ids = six(service)
        service.command(under_way.id, "stop", owner=ME)
        until(lambda: "7 finished runs wait in a file" in keeper.notice)
    finally:
        back()
    until(lambda: not keeper.notice)
    assert statuses(keeper) == dict.fromkeys(ids, "max_iter") | {under_way.id: "stopped"}


def test_another_users_folder_is_not_written_to(tmp_path: Path) -> None:
    theirs = tmp_path / "unsaved"
    theirs.mkdir(mode=0o777)
    theirs.chmod(0o777)
    assert unsaved.UnsavedEndings([theirs]).waiting() == []
    with pytest.raises(OSError, match="belongs to somebody else"):
        unsaved._make_private(theirs)
