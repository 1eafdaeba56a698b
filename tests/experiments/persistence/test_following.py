"""Several servers with one store: a run of one is watched on another, and outlives its server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import URL

from experiments import RunRequest
from experiments.engine.service import Handle, Service
from experiments.persistence import run_keeper
from experiments.persistence.run_keeper import RunKeeper
from experiments.server_name import SERVER_NAME
from experiments.store import places
from tests.waiting import ended, until

ME = "a token of mine"
LONG = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 100_000, "tol": 0.0})
UNSEEN = 3.0


@pytest.fixture
def begin(
    empty_postgres: URL,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    start_server: Callable[..., tuple[Service, RunKeeper]],
) -> Callable[[str], tuple[Service, RunKeeper]]:
    """Starts a server with a name; all share a database and a folder."""
    monkeypatch.setenv(places.DATABASE, empty_postgres.render_as_string(hide_password=False))
    monkeypatch.setenv(places.DATA, str(tmp_path))
    monkeypatch.setattr(run_keeper, "_BEGUN_AFTER", 0.0)

    def start(name: str) -> tuple[Service, RunKeeper]:
        monkeypatch.setenv(SERVER_NAME, name)
        service, keeper = start_server(UNSEEN)
        assert keeper.store is not None
        return service, keeper

    return start


def arrived(run: Handle, there: Service) -> Handle:
    """Return a run of another server as it is seen there, once it is."""
    watched_until(run, lambda: there.get(run.id) is not None)
    seen = there.get(run.id)
    assert seen is not None
    return seen


def watched_until(handle: Handle, holds: Callable[[], object]) -> None:
    """Look at a run until something holds."""

    def look() -> object:
        handle.touch()
        return holds()

    until(look)


def test_a_run_is_followed_from_another_server_until_nobody_watches(
    begin: Callable[[str], tuple[Service, RunKeeper]],
) -> None:
    (here, _), (there, _) = begin("here"), begin("there")
    run = here.submit(LONG, owner=ME, pace=50.0)
    seen = arrived(run, there)
    assert (seen.elsewhere, seen.status) == ("here", "running")
    assert not seen.may_steer(ME), "it is steered where it is"
    there.command(seen.id, "stop", owner=ME)
    assert not there._dispatcher.queue.under_way(), "it takes no place in the queue of this server"

    # From here on only the other server is looked at: the run must neither stand still nor be stopped.
    later = run.version[0] + int(50 * UNSEEN)
    watched_until(seen, lambda: seen.version[0] > later)
    assert not run.ended
    here.command(run.id, "pause", owner=ME)
    watched_until(seen, lambda: seen.status == "paused")

    # Watched nowhere, it is stopped where it is; the other server has it from the store then.
    until(run.persisted.is_set)
    until(lambda: seen not in there.runs)
    again = there.get(run.id)
    assert again is not None
    assert (again.status, again.elsewhere) == ("stopped", "")
    assert again.reader is not None
    assert run.reader is not None
    np.testing.assert_array_equal(again.reader.curve(), run.reader.curve())
    assert again.snapshot(again.snapshots[-1][0]).keys() == run.snapshot(run.snapshots[-1][0]).keys()


def test_a_server_that_ends_leaves_its_runs_to_the_others(
    begin: Callable[[str], tuple[Service, RunKeeper]],
) -> None:
    (here, first), (there, second) = begin("here"), begin("there")
    finished = ended(here.submit(RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 9}), owner=ME))
    run = here.submit(LONG, owner=ME, pace=50.0)
    seen = arrived(run, there)
    watched_until(seen, lambda: seen.version[0] > 20)
    here.close()
    first.close()
    watched_until(seen, lambda: seen.ended)
    assert seen.status == "interrupted"
    recalled = there.get(finished.id)
    assert recalled is not None
    assert (recalled.status, recalled.elsewhere) == ("max_iter", "")
    store = second.store
    assert store is not None
    stored = store.get(run.id, ME)
    assert stored is not None
    resumed = second.resume(there, stored, ME)
    watched_until(resumed, lambda: resumed.version[0] > 1)
    assert not resumed.note, "it goes on from where it was"
