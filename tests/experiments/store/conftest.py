"""Stores to test with: on SQLite, and on a real PostgreSQL server started for the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, create_engine, make_url, text

from experiments.engine.service import Service
from experiments.persistence.run_keeper import RunKeeper
from experiments.store import RunStore, places
from scripts import postgres
from tests.waiting import PATIENCE

Open = Callable[..., RunStore]
Server = tuple[Service, RunKeeper]


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[URL]:
    """A PostgreSQL server. A machine without one fails here: these tests are not optional."""
    try:
        with postgres.serving() as url:
            yield make_url(url).set(drivername="postgresql+psycopg")
    except postgres.PostgresMissingError as error:
        pytest.fail(str(error))


@pytest.fixture
def empty_postgres(postgres_url: URL) -> URL:
    """An empty database on the server: much quicker than a new one for each test."""
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return postgres_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """The address of an empty database."""
    if request.param == "sqlite":
        return URL.create("sqlite", database=str(tmp_path / "runs.sqlite3"))
    server: URL = request.getfixturevalue("empty_postgres")
    return server


@pytest.fixture
def open_store(database: URL, tmp_path: Path) -> Iterator[Open]:
    """Opens the store as another server process would; what is still open in the end is closed."""
    opened: list[RunStore] = []

    def open_it(**options: Any) -> RunStore:
        opened.append(RunStore(database, tmp_path / "arrays", **options))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Open) -> RunStore:
    """An empty store."""
    return open_store()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder and a folder for temporary files of the test's own."""
    monkeypatch.delenv(places.DATABASE)
    monkeypatch.setenv(places.DATA, str(tmp_path / "data"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / "data"


@pytest.fixture
def begin(place: Path) -> Iterator[Callable[[], Server]]:
    """Starts a server: a service and its keeper."""
    started: list[Server] = []

    def start() -> Server:
        keeper = RunKeeper()
        started.append((Service(1, keeper=keeper, forgotten_after=PATIENCE), keeper))
        return started[-1]

    yield start
    for service, keeper in started:
        service.close()
        keeper.close()
