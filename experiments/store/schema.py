"""The tables of the run store, and how an older store becomes a present one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    select,
    text,
    update,
)

VERSION = 4
_METADATA = MetaData()
# Any number will do, as long as nobody else locks by it.
_POSTGRES_LOCK = 7_270_131_961

_SCHEMA = Table("partwise_schema", _METADATA, Column("version", Integer, primary_key=True))

RUNS = Table(
    "partwise_runs",
    _METADATA,
    Column("id", String(64), primary_key=True),
    Column("key", String(32), nullable=False, index=True),
    Column("owner", String(64), nullable=False),
    Column("shared", Boolean, nullable=False, default=False),
    Column("name", String(120), nullable=False, default=""),
    Column("tags", Text, nullable=False, default=""),
    Column("dataset", String(80), nullable=False),
    Column("method", String(80), nullable=False),
    Column("request", Text, nullable=False),
    Column("search", Text, nullable=False),
    Column("status", String(16), nullable=False),
    # Seconds since 1970. `beat_at` says when the server of a running run was last known to live.
    Column("created_at", Double, nullable=False),
    Column("ended_at", Double),
    Column("deleted_at", Double),
    Column("beat_at", Double, nullable=False),
    Column("server", String(64), nullable=False),
    Column("iterations", Integer, nullable=False, default=0),
    Column("seconds", Double, nullable=False, default=0.0),
    Column("objective", Double),
    Column("accuracy", Double),
    Column("bytes", BigInteger, nullable=False, default=0),
    # JSON: the message, scores, versions and what else is read only when a run is opened.
    Column("details", Text, nullable=False, default="{}"),
    Index("partwise_runs_by_owner", "owner", "created_at"),
    Index("partwise_runs_by_age", "created_at"),
)

# What came of trials. `scope` is the upload a trial is about, empty where the data are of the catalogue.
TRIALS = Table(
    "partwise_trials",
    _METADATA,
    Column("key", String(64), primary_key=True),
    Column("scope", String(80), nullable=False, default="", index=True),
    Column("trial", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("at", Double, nullable=False, index=True),
)

# Who is at work on which trial, and until when that holds if nothing more is heard.
CLAIMS = Table(
    "partwise_claims",
    _METADATA,
    Column("key", String(64), primary_key=True),
    Column("holder", String(64), nullable=False, index=True),
    Column("until", Double, nullable=False),
)

# Named sweeps. `scope` is the upload a sweep is about, as with trials.
SWEEPS = Table(
    "partwise_sweeps",
    _METADATA,
    Column("id", String(64), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("name", String(120), nullable=False),
    Column("shared", Boolean, nullable=False, default=False),
    Column("key", String(32), nullable=False),
    Column("dataset", String(80), nullable=False),
    Column("method", String(80), nullable=False),
    Column("scope", String(80), nullable=False, default="", index=True),
    Column("sweep", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Column("opened_at", Double, nullable=False),
    UniqueConstraint("owner", "name", name="partwise_sweeps_by_name"),
)

# Tables of trials that go on though nobody looks at them. `scope` is the upload one is about.
UNATTENDED = Table(
    "partwise_unattended",
    _METADATA,
    Column("id", String(64), primary_key=True),
    Column("owner", String(64), primary_key=True),
    Column("title", String(200), nullable=False),
    Column("page", String(40), nullable=False),
    Column("choices", Text, nullable=False),
    Column("scope", String(80), nullable=False, default="", index=True),
    Column("work", Text, nullable=False),
    Column("whole", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("server", String(64), nullable=False),
    Column("created_at", Double, nullable=False),
)


def _add_trials(connection: Connection) -> None:
    for table in (TRIALS, CLAIMS):
        table.create(connection)


def _add_sweeps(connection: Connection) -> None:
    SWEEPS.create(connection)


def _add_unattended(connection: Connection) -> None:
    UNATTENDED.create(connection)


# From each version to the next.
_MIGRATIONS: dict[int, Callable[[Connection], None]] = {
    1: _add_trials, 2: _add_sweeps, 3: _add_unattended,
}  # fmt: skip


class NewerStoreError(ValueError):
    """The store was written by a newer Partwise."""


def prepare(connection: Connection) -> None:
    """Make the tables if there are none, and bring older ones up to date; in one transaction."""
    if connection.dialect.name == "postgresql":
        # Two servers that start at once must not both make the tables. SQLite has locked the file already.
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _POSTGRES_LOCK})
    _SCHEMA.create(connection, checkfirst=True)
    stored_version = connection.execute(select(_SCHEMA.c.version)).scalar()
    if stored_version is None:
        _METADATA.create_all(connection)
        connection.execute(insert(_SCHEMA).values(version=VERSION))
        return
    if stored_version > VERSION:
        raise NewerStoreError(
            f"The run store has format {stored_version}, and this Partwise knows formats up to {VERSION}. "
            "Use the Partwise that wrote it, or another database."
        )
    for version in range(stored_version, VERSION):
        _MIGRATIONS[version](connection)
    if stored_version < VERSION:
        connection.execute(update(_SCHEMA).values(version=VERSION))
