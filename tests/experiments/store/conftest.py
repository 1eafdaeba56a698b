"""Stores to test with: on SQLite, and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from experiments.store import RunStore

Open = Callable[..., RunStore]


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
