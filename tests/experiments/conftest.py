"""Methods made up for one test, a real PostgreSQL, and servers with a store of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import URL, create_engine, make_url, text

from experiments.engine.service import Service
from experiments.persistence.run_keeper import RunKeeper
from experiments.store import RunStore, UnattendedRow, places
from experiments.trials.carriers.carrier import Carrier
from experiments.trials.result_cache import ResultCache
from experiments.trials.tables import Tables
from experiments.trials.unattended import Readers, Unattended
from experiments.worker_program import PROGRAM
from methods import registry
from methods.progress import report
from methods.spec import MAX_ITER, Spec
from methods.stepwise import Solver, StepwiseTransformer
from scripts import postgres
from tests.waiting import PATIENCE

Invent = Callable[[Callable[[int], float]], str]
Server = tuple[Service, RunKeeper]
Serve = Callable[..., Unattended]


@pytest.fixture
def invent(monkeypatch: pytest.MonkeyPatch) -> Invent:
    """Register a method whose objective after step i is what a function says, and return its id.

    The function may as well raise, or take its time.
    """
    real = registry.specs()

    def register(objective: Callable[[int], float]) -> str:
        class InventedSolver(Solver):
            def __init__(self, X: Any) -> None:
                self.made, self.value = 0, 1000.0
                self.H, self.W = X[:2].copy(), np.ones((X.shape[0], 2), X.dtype)

            def step(self) -> None:
                self.made += 1
                self.value = objective(self.made)
                self.W[:] = self.made

            def terms(self) -> dict[str, float]:
                return {"reconstruction": self.value}

            def arrays(self) -> dict[str, Any]:
                return {"components": self.H, "embedding": self.W}

        class Invented(StepwiseTransformer):
            def __init__(self, max_iter: int = 500) -> None:
                self.max_iter = max_iter

            def _solver(self, X: Any, y: Any, warm_start: Any) -> Solver:
                report("neighbours", 0.4)
                return InventedSolver(X)

            def transform(self, X: Any) -> Any:
                return X @ self.components_.T

        spec = Invented.spec = Spec(
            id="invented", title="Invented", family="tests", summary="", objective="", update="",
            references=(), params=(MAX_ITER,), estimator=Invented,
        )  # fmt: skip
        monkeypatch.setattr(registry, "specs", lambda: real | {"invented": spec})
        return "invented"

    return register


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A PostgreSQL server. A machine without one fails here: these tests are not optional."""
    try:
        with postgres.running() as server:
            yield server
    except postgres.PostgresMissingError as error:
        pytest.fail(str(error))


@pytest.fixture
def empty_postgres(postgres_server: postgres.Server) -> URL:
    """An empty database on the server: much quicker than a new one for each test."""
    postgres_url = make_url(postgres_server.url).set(drivername="postgresql+psycopg")
    engine = create_engine(postgres_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return postgres_url


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """One worker of the app, which also answers questions."""
    service = Service(1, forgotten_after=PATIENCE, program=PROGRAM)
    yield service
    service.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder and a folder for temporary files of the test's own."""
    monkeypatch.delenv(places.DATABASE)
    monkeypatch.setenv(places.DATA, str(tmp_path / "data"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path / "data"


@pytest.fixture
def start_server() -> Iterator[Callable[..., Server]]:
    """Starts a server, a service and its keeper, with the store that the environment names."""
    started: list[Server] = []

    def start(forgotten_after: float = PATIENCE) -> Server:
        keeper = RunKeeper()
        started.append((Service(1, keeper=keeper, forgotten_after=forgotten_after), keeper))
        return started[-1]

    yield start
    for service, keeper in started:
        service.close()
        keeper.close()


@pytest.fixture
def begin(place: Path, start_server: Callable[..., Server]) -> Callable[[], Server]:
    """Starts a server in the test's own folder."""
    return start_server


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serves tables left to go on, with the store of the server before, which is closed unless `beside`."""
    monkeypatch.setattr("experiments.trials.tables._REPORT_EVERY", 0.05)
    opened: list[RunStore | Tables] = []

    def close() -> None:
        while opened:
            opened.pop().close()

    def served(carrier: Carrier, readers: Readers, *, beside: bool = False) -> Unattended:
        if not beside:
            close()
        store = RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")))
        tables = Tables(lambda: carrier, lambda: ResultCache(store.trials, store.server))
        opened.extend([store, tables])
        return Unattended(tables, store.unattended, readers)

    yield served
    close()


def only(left: Unattended, owner: str = "me") -> UnattendedRow:
    """Return the one table that an owner has left."""
    (row,) = left.listed(owner)
    return row
