"""Short transactions on SQLite or PostgreSQL, by many processes and threads at once."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from experiments.store.quarantine import FileIdentity, file_of, identity, is_damage, was_put_aside
from experiments.store.schema import NewerStoreError, prepare

_BUSY_MILLISECONDS = 15_000
_CONNECT_SECONDS = 3
_STATEMENT_SECONDS = 4
_WRITES = "partwise_writes"
_NOT_IN_PLACE = "The file of the run store is no longer in its place."


class StoreUnavailableError(RuntimeError):
    """The run store cannot be used; the message says why in a sentence."""


class DamagedStoreError(StoreUnavailableError):
    """The file of the run store is damaged, or another has taken its place; `file` says which it was."""

    def __init__(self, message: str, file: FileIdentity) -> None:
        super().__init__(message)
        self.file = file


class Database:
    """The database of a run store, its tables made if there were none.

    `damaged` is the identity of its file once that has been found to be damaged or put aside.
    """

    def __init__(self, url: URL) -> None:
        self.damaged: FileIdentity | None = None
        self._engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _server(url)
        self._file = file_of(url)
        self._identity = identity(self._file) if self._file else None
        try:
            with self.writing() as connection:
                prepare(connection)
        except NewerStoreError as error:
            self.close()
            raise StoreUnavailableError(str(error)) from error
        except DamagedStoreError:
            self.close()
            raise
        except (StoreUnavailableError, SQLAlchemyError, OSError) as error:
            self.close()
            place, reason = url.render_as_string(hide_password=True), _reason(error.__cause__ or error)
            raise StoreUnavailableError(f"The run store at {place} cannot be used: {reason}.") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self._answering(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes: kept whole or not at all. It should be over in milliseconds."""
        with (
            self._answering(),
            self._engine.connect().execution_options(**{_WRITES: True}) as connection,
            connection.begin(),
        ):
            yield connection

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Say in a sentence that the database has gone, or that the disk is full."""
        if self._file and self._identity and identity(self._file) != self._identity:
            # What is written now would go to the file that another server has put aside.
            raise self._damage(_NOT_IN_PLACE)
        try:
            yield
        except (DataError, IntegrityError):
            raise  # It answers: what it was asked makes no sense.
        except SQLAlchemyError as error:
            if is_damage(error):
                raise self._damage(f"The run store is damaged: {_reason(error)}.") from error
            if self._file and self._identity and was_put_aside(self._file, self._identity):
                raise self._damage(_NOT_IN_PLACE) from error
            raise StoreUnavailableError(f"The run store does not answer: {_reason(error)}.") from error

    def _damage(self, message: str) -> StoreUnavailableError:
        if self._identity is None:
            return StoreUnavailableError(message)
        self.damaged = self._identity
        return DamagedStoreError(message, self._identity)

    def close(self) -> None:
        """Give back all connections."""
        self._engine.dispose()


def _reason(error: BaseException) -> str:
    # Not the whole text: SQLAlchemy adds the statement, drivers the address with its password.
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0].rstrip(".")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers not wait for the writer. When a file is new, SQLite does not wait to set this: we do."""
    deadline = time.monotonic() + _BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        else:
            return


def _server(url: URL) -> Engine:
    arguments: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS}
    if "options" not in url.query:
        arguments["options"] = f"-c statement_timeout={_STATEMENT_SECONDS * 1000}"
    engine = create_engine(
        url,
        pool_pre_ping=True,  # A database server may have been restarted since.
        pool_size=2,
        max_overflow=6,
        pool_timeout=_CONNECT_SECONDS,
        connect_args=arguments,
    )

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, positional: list[Any], named: dict[str, Any]) -> Any:
        # The driver is loaded by those alone who have a database server.
        from experiments.store.postgres import ImpatientConnection

        return ImpatientConnection.connect(*positional, **named)

    return engine


def _make_private(file: Path) -> None:
    """Make a file that nobody else on this machine may read; those SQLite puts beside it follow this one."""
    while True:
        file.touch(mode=0o600)
        with suppress(FileNotFoundError):  # Another server has just put aside what was damaged here.
            file.chmod(0o600)
            return


def _sqlite(url: URL) -> Engine:
    if url.database and url.database != ":memory:":
        try:
            file = Path(url.database).absolute()
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make_private(file)
        except OSError as error:
            raise StoreUnavailableError(
                f"The folder of the run store, {Path(url.database).parent}, cannot be made: {error.strerror}."
            ) from error
    # Connections stay open: with the last one that is closed, SQLite tidies up the whole file.
    engine = create_engine(url, pool_size=2, max_overflow=6)

    @event.listens_for(engine, "connect")
    def prepare_connection(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # We begin transactions ourselves, below.
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A writer takes its turn at once: one that read first could find that it may not write any more.
        writes = connection.get_execution_options().get(_WRITES)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
