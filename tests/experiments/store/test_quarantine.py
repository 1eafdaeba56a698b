"""A damaged SQLite file: put aside with all that belongs to it, a fresh store in its place, no run lost."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from datasets.locking import held
from experiments.store import RunFilter, RunStore, StoreUnavailableError, open_store, places, quarantine
from experiments.store import database as store_database
from tests.experiments.conftest import Server
from tests.experiments.persistence.kept_runs import ENDLESS, ME, QUICK, own
from tests.waiting import ended, until


def database(place: Path) -> Path:
    return place / "runs.sqlite3"


def aside(place: Path) -> list[str]:
    return sorted(path.name for path in place.glob("runs.sqlite3.damaged-*Z"))


def fill(number: int = 40) -> None:
    """Make a store of several pages and close it, all in its main file."""
    with closing(open_store()) as store:
        for index in range(number):
            store.begin(f"run-{index}", QUICK, ME)
        store._files.path(store.find(RunFilter(ME)).runs[0].id).write_bytes(b"arrays of a run")


def spoil_header(place: Path) -> bytes:
    with database(place).open("r+b") as file:
        file.write(b"not a database any more, but something else altogether")
    return database(place).read_bytes()


def halve(place: Path) -> None:
    """Cut the file in the middle of a page, and leave nothing of its log to mend it from."""
    with closing(sqlite3.connect(database(place))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = database(place).stat().st_size
    os.truncate(database(place), max(4096 + 700, size // 3))


def test_garbage_in_the_header(place: Path, begin: Callable[[], Server]) -> None:
    fill()
    damaged = spoil_header(place)
    service, keeper = begin()
    assert own(keeper) == []
    (name,) = aside(place)
    assert (place / name).read_bytes() == damaged, "nothing of it is lost"
    arrays = place / name.replace("runs.sqlite3", "runs-arrays")
    assert [path.read_bytes() for path in arrays.glob("*.npz")] == [b"arrays of a run"]
    assert keeper.notice == (
        f"The run store was damaged: it has been put aside as {place / name}, with the arrays of its runs "
        "beside it, and a fresh one takes the runs from now on."
    )
    handle = service.submit(QUICK, owner=ME)
    until(handle.persisted.is_set)
    assert [run.id for run in own(keeper)] == [handle.id]
    (place / name).rename(place / "taken away to be repaired")
    assert keeper.notice == ""


def test_a_file_cut_while_in_use_costs_no_run_under_way(place: Path, begin: Callable[[], Server]) -> None:
    fill(200)
    service, keeper = begin()
    under_way = service.submit(ENDLESS, owner=ME, pace=50.0)
    until(lambda: service.get(under_way.id) and under_way.id in {run.id for run in own(keeper)})
    halve(place)

    def noticed() -> bool:
        try:
            own(keeper)
        except StoreUnavailableError:
            return False
        return bool(aside(place)) and bool(keeper.notice)

    until(noticed)
    quick = service.submit(QUICK, owner=ME)
    ended(quick)
    until(lambda: service.get(under_way.id) and under_way.id in {run.id for run in own(keeper)})
    service.command(under_way.id, "stop", owner=ME)
    ended(under_way)
    until(lambda: quick.persisted.is_set() and under_way.persisted.is_set())
    until(lambda: "wait" not in keeper.notice)
    assert {run.id: run.status for run in own(keeper)} == {quick.id: "max_iter", under_way.id: "stopped"}
    assert len(aside(place)) == 1


def test_servers_that_notice_at_once_share_one_fresh_store(place: Path) -> None:
    fill()
    spoil_header(place)
    with ThreadPoolExecutor(8) as threads:
        stores = [future.result() for future in [threads.submit(open_store) for _ in range(8)]]
    for number, store in enumerate(stores):
        store.begin(f"new-{number}", QUICK, ME)
    assert stores[0].find(RunFilter(ME)).total == 8
    assert len(aside(place)) == 1
    for store in stores:
        store.close()


def test_what_it_was_is_asked_once_more_when_nobody_else_is_putting_it_aside(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill()
    spoil_header(place)
    alone: list[bool] = []
    is_store = quarantine.is_store

    def asked(file: Path, arrays: Path) -> bool:
        lock = file.with_name(f"{file.name}.lock")
        if not alone:  # Another server has moved the arrays so far.
            lock.touch()
            alone.append(False)
            return False
        alone.append(held(lock) is None)
        return is_store(file, arrays)

    monkeypatch.setattr(quarantine, "is_store", asked)
    open_store().close()
    assert alone == [False, True]
    assert len(aside(place)) == 1


def test_the_file_may_be_put_aside_while_it_is_being_opened(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill()
    write_ahead, moved = store_database._write_ahead, []

    def late(connection: sqlite3.Connection) -> None:
        if not moved:  # The log goes first, and SQLite misses it before the file has gone.
            moved.append(database(place).rename(place / "aside"))
            raise sqlite3.OperationalError("disk I/O error")
        write_ahead(connection)

    monkeypatch.setattr(store_database, "_write_ahead", late)
    with closing(open_store()) as store:
        store.begin("new", QUICK, ME)
    assert moved


def test_the_file_may_be_put_aside_between_its_making_and_its_closing_to_others(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill()
    chmod, moved = Path.chmod, []

    def late(path: Path, mode: int) -> None:
        if not moved:
            moved.append(path.rename(place / "aside"))
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", late)
    with closing(open_store()) as store:
        store.begin("new", QUICK, ME)
    assert moved
    assert database(place).stat().st_mode & 0o777 == 0o600


def test_who_has_the_old_file_open_moves_to_the_fresh_one(place: Path, begin: Callable[[], Server]) -> None:
    (_, first), (_, second) = begin(), begin()
    assert own(first) == own(second) == []
    held = quarantine.identity(database(place))
    assert held is not None
    with closing(open_store(damaged=held)) as fresh:
        fresh.begin("new", QUICK, ME)
        with pytest.raises(StoreUnavailableError, match="no longer in its place"):
            own(second)
        assert [run.id for run in own(second)] == ["new"]
        # Who comes late with the same news does not put the fresh store aside.
        with closing(open_store(damaged=held)) as late:
            assert late.get("new") is not None
    assert len(aside(place)) == 1


def test_endings_that_wait_are_taken_by_the_fresh_store(place: Path, begin: Callable[[], Server]) -> None:
    fill()
    obstacle = database(place).rename(place / "elsewhere")
    database(place).mkdir()
    service, keeper = begin()
    handle = service.submit(QUICK, owner=ME)
    until(lambda: "One finished run waits in a file" in keeper.notice)
    service.close()
    keeper.close()
    database(place).rmdir()
    obstacle.rename(database(place))
    spoil_header(place)
    _, again = begin()
    until(lambda: [run.id for run in own(again)] == [handle.id])


@pytest.mark.parametrize("trouble", ["newer", "locked", "directory"])
def test_what_is_not_damaged_stays_where_it_is(
    place: Path, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill()
    monkeypatch.setattr("experiments.store.database._BUSY_MILLISECONDS", 50)
    with closing(sqlite3.connect(database(place), isolation_level=None)) as other:
        if trouble == "newer":
            other.execute("UPDATE partwise_schema SET version = 99")
        elif trouble == "locked":
            other.execute("BEGIN EXCLUSIVE")
        else:
            database(place).rename(place / "elsewhere")
            database(place).mkdir()
        with pytest.raises(StoreUnavailableError):
            open_store()
    assert aside(place) == []
    assert list(place.glob("runs-arrays/*.npz"))


def test_a_file_that_never_was_a_store_is_left_alone(place: Path) -> None:
    """Somebody's notes, named by mistake: neither moved nor written to, and no folder is made beside them."""
    place.mkdir()
    database(place).write_text("What I wrote down of a year's measurements.\n" * 200)
    before = sorted(place.iterdir())
    with pytest.raises(StoreUnavailableError, match=r"is no database and was never a run store: it stays"):
        open_store()
    assert database(place).read_text().startswith("What I wrote down")
    assert sorted(place.iterdir()) == before


def test_a_file_that_may_not_be_renamed_is_said_in_a_sentence(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill()
    spoil_header(place)

    def refuse(*_: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(quarantine, "_move_log", refuse)
    with pytest.raises(StoreUnavailableError, match="is damaged and cannot be put aside: Permission denied"):
        open_store()
    assert aside(place) == []


def test_a_store_opened_directly_says_that_it_is_damaged(place: Path) -> None:
    fill()
    spoil_header(place)
    with pytest.raises(StoreUnavailableError, match="damaged"):
        RunStore(places.database_url())
