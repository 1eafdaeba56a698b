"""The run store on SQLite and PostgreSQL: what is written down is found again, and stays in bounds."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import URL, create_engine, make_url, text

from experiments import RunRequest
from experiments.store import (
    Content,
    NoRoomError,
    Quota,
    RunEnding,
    RunFilter,
    RunStore,
    StoredRun,
    StoreUnavailableError,
    database,
    queries,
)
from scripts import postgres

Open = Callable[..., RunStore]
ME, OTHER = "my token", "another's token"


def request(method: str = "nmf", **params: object) -> RunRequest:
    return RunRequest("swimmer", method, {"n_components": 5, **params})


def content(rows: int = 4, size: int = 6) -> Content:
    curve = np.column_stack([np.linspace(9, 3, rows), np.linspace(0, 0.5, rows), np.linspace(9, 3, rows)])
    arrays = {"components": np.arange(2 * size, dtype=np.float32).reshape(2, size), "embedding": np.eye(2)}
    return Content(("reconstruction",), curve, arrays, rows - 1)


def outcome(status: str = "max_iter", accuracy: float = 0.75) -> RunEnding:
    scores = {"accuracy_euclidean": accuracy}
    return RunEnding(
        status, "All made.", scores, [(0, {"accuracy_euclidean": 0.5}), (3, scores)], {"numpy": "2"}
    )


def put(store: RunStore, id: str, owner: str = ME, asked: RunRequest | None = None, **kind: object) -> None:
    store.begin(id, asked or request(), owner)
    store.save(id, content(**kind), outcome())  # type: ignore[arg-type]


def ids(store: RunStore, wanted: RunFilter) -> list[str]:
    return [run.id for run in store.find(wanted).runs]


def got(store: RunStore, id: str, owner: str = ME) -> StoredRun:
    run = store.get(id, owner)
    assert run is not None
    return run


def test_a_run_is_there_from_its_beginning_to_its_end(store: RunStore) -> None:
    store.begin("run-1", request(), ME)
    run = got(store, "run-1")
    assert (run.status, run.ended, run.iterations, run.mine) == ("running", False, 0, True)
    store.save("run-1", content(rows=2), replace(outcome(), status="running"))
    assert got(store, "run-1").iterations == 1
    store.save("run-1", content(), outcome())
    run = got(store, "run-1")
    assert (run.status, run.message, run.iterations) == ("max_iter", "All made.", 3)
    assert (run.objective, run.seconds, run.accuracy) == (3.0, 0.5, 0.75)
    assert run.request.key == request().key == run.key
    assert run.snapshots == [(0, {"accuracy_euclidean": 0.5}), (3, {"accuracy_euclidean": 0.75})]
    kept = store.content(run)
    assert kept.terms == ("reconstruction",)
    assert kept.iteration == 3
    np.testing.assert_array_equal(kept.curve, content().curve)
    assert kept.arrays["components"].dtype == np.float32
    np.testing.assert_array_equal(kept.arrays["components"], content().arrays["components"])


def test_numbers_that_are_none_are_kept_as_such(store: RunStore) -> None:
    store.begin("run-1", request(), ME)
    curve = np.array([[9.0, 0.0, 9.0], [np.inf, 0.1, np.nan]])
    store.save("run-1", Content(("reconstruction",), curve), RunEnding("diverged", scores={"hoyer": np.nan}))
    run = got(store, "run-1")
    assert run.objective is None
    np.testing.assert_array_equal(store.curve(run), curve)


def test_everybody_sees_their_own_and_the_shelf(store: RunStore) -> None:
    put(store, "mine")
    put(store, "theirs", OTHER)
    assert ids(store, RunFilter(ME)) == ["mine"]
    assert ids(store, RunFilter(OTHER)) == ["theirs"]
    assert ids(store, RunFilter("")) == []
    assert ids(store, RunFilter(ME, "shared")) == []
    store.share("theirs", ME, True)
    assert ids(store, RunFilter(ME, "shared")) == [], "only the owner puts a run on the shelf"
    store.share("theirs", OTHER, True)
    assert ids(store, RunFilter(ME, "shared")) == ["theirs"]
    assert not got(store, "theirs").mine
    assert sorted(ids(store, RunFilter(shelf="everything"))) == ["mine", "theirs"]


def test_only_the_owner_changes_a_run(store: RunStore) -> None:
    put(store, "mine")
    for intruder in (OTHER, ""):
        store.rename("mine", intruder, "taken")
        store.tag("mine", intruder, ["taken"])
        store.delete(["mine"], intruder)
    run = got(store, "mine")
    assert (run.name, run.tags) == ("", ())


def test_names_and_tags(store: RunStore) -> None:
    put(store, "run-1")
    store.rename("run-1", ME, "  The\0 one \n for %_the lecture ")
    store.tag("run-1", ME, ["#Lecture", "two words"])
    run = got(store, "run-1")
    assert run.name == "The one for %_the lecture"
    assert run.tags == ("lecture", "two", "words")
    with pytest.raises(ValueError, match="up to 80 characters"):
        store.rename("run-1", ME, "x" * 81)
    with pytest.raises(ValueError, match="up to 8 tags"):
        store.tag("run-1", ME, [str(number) for number in range(9)])


def test_finding(store: RunStore) -> None:
    put(store, "a", asked=request("nmf"))
    put(store, "b", asked=request("pca"))
    put(store, "c", asked=RunRequest("orl", "nmf", {"n_components": 5}))
    store.rename("b", ME, "Whole faces, 100%")
    store.tag("c", ME, ["lecture"])
    assert ids(store, RunFilter(ME)) == ["c", "b", "a"], "newest first"
    assert ids(store, RunFilter(ME, method="nmf")) == ["c", "a"]
    assert ids(store, RunFilter(ME, dataset="swimmer")) == ["b", "a"]
    assert ids(store, RunFilter(ME, status="max_iter", text="nmf")) == ["c", "a"]
    assert ids(store, RunFilter(ME, status="failed")) == []
    assert ids(store, RunFilter(ME, text="WHOLE 100%")) == ["b"]
    assert ids(store, RunFilter(ME, text="1_0")) == [], "signs that mean something to a database do not here"
    assert ids(store, RunFilter(ME, text="#lecture")) == ["c"]
    assert ids(store, RunFilter(ME, text="'; DROP TABLE")) == []
    page = store.find(RunFilter(ME, limit=1, offset=1))
    assert ([run.id for run in page.runs], page.total) == (["b"], 3)
    assert store.occurring(RunFilter(ME, method="pca")) == (["nmf", "pca"], ["orl", "swimmer"])


def test_delete_and_undo(store: RunStore) -> None:
    put(store, "a")
    put(store, "b")
    store.delete(["a", "b"], ME)
    assert ids(store, RunFilter(ME)) == []
    assert store.get("a", ME) is None
    store.restore(["a"], ME)
    assert ids(store, RunFilter(ME)) == ["a"]
    assert store.content(got(store, "a")).iteration == 3


def test_deleted_runs_go_for_good_after_an_hour(
    store: RunStore, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "a")
    path = store._files.path("a")
    store.delete(["a"], ME)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 3700)
    assert path.exists()
    open_store()
    assert not path.exists()
    store.restore(["a"], ME)
    assert store.get("a", ME) is None


def test_old_runs_without_a_name_make_room_whichever_server_wrote_them(open_store: Open) -> None:
    store, other = (open_store(quota=Quota(owner=60_000)) for _ in range(2))
    size = 1000
    for id in ("named", "tagged", "shared", "old"):
        put(store, id, size=size)
    store.rename("named", ME, "keep")
    store.tag("tagged", ME, ["keep"])
    store.share("shared", ME, True)
    for number in range(6):
        put((store, other)[number % 2], f"new-{number}", size=size)
    assert store.used_bytes(ME) == other.used_bytes(ME) <= 60_000
    kept = ids(store, RunFilter(ME))
    assert {"named", "tagged", "shared", "new-5"} <= set(kept)
    assert "old" not in kept
    assert {path.stem for path in store._files.path("named").parent.glob("*.npz")} == set(kept)


def test_nobody_makes_room_with_what_another_owns(open_store: Open) -> None:
    store = open_store(quota=Quota(total=200_000, owner=60_000))
    for number in range(5):
        put(store, f"theirs-{number}", OTHER, size=500)
    theirs = ids(store, RunFilter(OTHER))
    for number in range(30):
        put(store, f"mine-{number}", size=1000)
    put(store, "third", "a third one's", size=1000)
    assert ids(store, RunFilter(OTHER)) == theirs
    assert store.used_bytes(OTHER) < 60_000
    assert 40_000 < store.used_bytes(ME) <= 60_000
    assert ids(store, RunFilter(ME))[0] == "mine-29"
    assert ids(store, RunFilter("a third one's")) == ["third"]


def test_named_runs_count_and_beyond_them_a_sentence_refuses(open_store: Open) -> None:
    store = open_store(quota=Quota(owner=34_000))
    for number in range(2):
        store.begin(f"run-{number}", request(), ME, name=f"number {number}")
        store.save(f"run-{number}", content(size=1000), outcome())
    store.begin("plain", request(), ME)
    store.save("plain", content(size=1000), outcome())
    plain = got(store, "plain")
    assert "leave no room for its arrays" in plain.message
    with pytest.raises(KeyError):
        store.content(plain)
    for number in range(2):
        assert store.content(got(store, f"run-{number}")).iteration == 3
    store.rename("plain", ME, "a third name")
    with pytest.raises(NoRoomError, match="Delete one on the Runs page"):
        store.begin("beyond", request(), ME)
    assert store.get("beyond") is None
    put(store, "theirs", OTHER, size=1000)
    store.delete(["run-0"], ME)
    put(store, "afterwards", size=1000)
    assert store.content(got(store, "afterwards")).iteration == 3
    assert store.used_bytes(ME) <= 34_000


def test_a_full_store_takes_nothing_from_those_who_were_there(open_store: Open) -> None:
    store = open_store(quota=Quota(total=36_000, owner=36_000))
    for number in range(2):
        put(store, f"theirs-{number}", OTHER, size=1000)
    put(store, "mine", size=1000)
    assert set(ids(store, RunFilter(OTHER))) == {"theirs-0", "theirs-1"}
    assert "leave no room" in got(store, "mine").message
    store.begin("more", request(), "another visitor")
    with pytest.raises(NoRoomError, match="PARTWISE_STORE_MB"):
        store.begin("yet more", request(), "newcomer")


def test_a_large_run_keeps_what_pictures_are_made_of() -> None:
    arrays = {"other": np.zeros(500), "components_0": np.zeros(50), "embedding": np.zeros(30)}
    kept = Content((), np.zeros((1, 2)), arrays, 0).bounded(800)
    assert set(kept.arrays) == {"components_0", "embedding"}


def test_many_threads_and_processes_write_at_once(store: RunStore, open_store: Open) -> None:
    stores = [store, open_store(), open_store()]
    problems: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(4):
                put(stores[number % 3], f"run-{number}-{turn}")
                stores[(number + 1) % 3].find(RunFilter(ME))
                stores[number % 3].beat([f"run-{number}-{turn}"])
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert store.find(RunFilter(ME)).total == 32


def test_stores_opened_at_the_same_moment(open_store: Open) -> None:
    with ThreadPoolExecutor(6) as threads:
        opened = [threads.submit(open_store) for _ in range(6)]
    assert len([store.result() for store in opened]) == 6
    put(open_store(), "a")


def test_a_new_file_that_another_process_is_preparing_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself refuses at once to change the journal of a file in use."""
    file = tmp_path / "runs.sqlite3"
    other = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, other.rollback).start()
    before = time.monotonic()
    database.Database(make_url(f"sqlite:///{file}")).close()
    assert time.monotonic() - before > 0.25
    other.close()


def test_runs_of_a_silent_server_are_interrupted(
    store: RunStore, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_store()
    store.begin("run-1", request(), ME)
    assert got(other, "run-1").status == "running"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + queries.SILENCE + 1)
    assert got(other, "run-1").status == "interrupted"
    assert ids(other, RunFilter(ME, status="interrupted")) == ["run-1"]
    store.beat(["run-1"])
    assert got(other, "run-1").status == "running"


def test_closing_interrupts_what_runs(open_store: Open) -> None:
    first, second = open_store(), open_store()
    first.begin("a", request(), ME)
    second.begin("b", request(), ME)
    second.close()
    assert (got(first, "a").status, got(first, "b").status) == ("running", "interrupted")


def test_leftover_files_go(store: RunStore, open_store: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, "a")
    folder = store._files.path("a").parent
    for name in ("half.part", "nobodys.npz"):
        (folder / name).write_bytes(b"x")
    open_store()
    assert (folder / "half.part").exists(), "somebody may be writing it"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 4000)
    open_store()
    assert {path.name for path in folder.glob("*") if path.suffix != ".server"} == {"a.npz"}


def test_a_run_whose_file_is_gone_or_damaged_is_still_listed(store: RunStore) -> None:
    put(store, "a")
    run = got(store, "a")
    store._files.path(run.id).write_bytes(b"damaged")
    with pytest.raises(KeyError):
        store.content(run)
    store._files.path(run.id).unlink()
    with pytest.raises(KeyError):
        store.curve(run)
    assert ids(store, RunFilter(ME)) == ["a"]


@pytest.mark.parametrize("id", ["../a", "a/b", "", "x" * 65])
def test_ids_do_not_lead_out_of_the_folder(store: RunStore, id: str) -> None:
    put(store, "a")
    with pytest.raises(KeyError):
        store.content(replace(got(store, "a"), id=id))


def test_a_store_of_the_future_is_refused(store: RunStore, database: URL, open_store: Open) -> None:
    engine = create_engine(database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE partwise_schema SET version = 99"))
    engine.dispose()
    with pytest.raises(StoreUnavailableError, match="format 99"):
        open_store()


def test_a_database_that_does_not_answer_says_so_without_its_password() -> None:
    url = URL.create("postgresql+psycopg", "me", "secret", "127.0.0.1", 1, "runs")
    with pytest.raises(StoreUnavailableError, match="cannot be used") as caught:
        database.Database(url)
    assert "secret" not in str(caught.value)


def test_a_database_server_that_goes_away_is_told_in_a_sentence(
    tmp_path: Path, postgres_server: postgres.Server, empty_postgres: URL
) -> None:
    store = RunStore(empty_postgres, tmp_path)
    put(store, "a")
    postgres_server.stop()
    try:
        for ask in (lambda: store.get("a"), lambda: store.find(RunFilter(ME)), lambda: put(store, "b")):
            with pytest.raises(StoreUnavailableError, match="does not answer"):
                ask()
        store._database.close()
        store._presence.close()
    finally:
        postgres_server.start()


def test_nobody_else_on_the_machine_may_read_what_is_kept(tmp_path: Path) -> None:
    before = os.umask(0)  # As careless as can be.
    try:
        place = tmp_path / "new" / "runs.sqlite3"
        store = RunStore(URL.create("sqlite", database=str(place)))
        put(store, "a" * 16)
        run = store.get("a" * 16)
        assert run is not None
        store.start_file(run)
        kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size]
        assert {path.suffix for path in kept} >= {".npz", ".part", ".sqlite3", ".sqlite3-wal"}
        assert [path.name for path in kept if path.stat().st_mode & 0o077] == []
        store.close()
    finally:
        os.umask(before)
