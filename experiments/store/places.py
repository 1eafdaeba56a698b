"""Where runs are kept: the database, the folder of arrays beside it, and how much may lie there."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

DATABASE, DATA, LIMIT = "PARTWISE_DATABASE_URL", "PARTWISE_DATA", "PARTWISE_STORE_MB"
_DEFAULT_MB = 2000
_POSTGRES = {"postgres", "postgresql"}


def data_folder() -> Path:
    """Return the folder of this user's data: `PARTWISE_DATA`, or the platform's usual place."""
    chosen = os.environ.get(DATA)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _platform_folder(sys.platform, Path.home())


def database_url() -> URL:
    """Return the address of the database: `PARTWISE_DATABASE_URL`, or a file in the data folder."""
    given = os.environ.get(DATABASE)
    if not given:
        return URL.create("sqlite", database=str(data_folder() / "runs.sqlite3"))
    try:
        url = make_url(given)
    except ArgumentError:
        raise ValueError(
            f"{DATABASE} is not an address of a database. It looks like sqlite:////folder/runs.sqlite3 or "
            "postgresql://user:password@host/database."
        ) from None
    # PostgreSQL has several drivers; the one that is installed with Partwise is meant.
    return url.set(drivername="postgresql+psycopg") if url.drivername in _POSTGRES else url


def arrays_folder(url: URL) -> Path:
    """Return where arrays lie: beside the file of SQLite, in the data folder for a database server."""
    if url.get_backend_name() == "sqlite" and url.database:
        file = Path(url.database).absolute()
        return file.with_name(f"{file.stem}-arrays")
    # Two databases may be used from one account: each has its own folder, whatever the password.
    place = sha256(f"{url.host}:{url.port}/{url.database}".encode()).hexdigest()[:12]
    return data_folder() / f"arrays-{place}"


def byte_limit() -> int:
    """Return how many bytes all runs together may take: `PARTWISE_STORE_MB`, or two gigabytes."""
    text = os.environ.get(LIMIT, str(_DEFAULT_MB))
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"{LIMIT} must be a whole number of megabytes, not {text!r}.")
    return int(text) * 1_000_000


def _platform_folder(platform: str, home: Path) -> Path:
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Partwise" / "Data"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Partwise"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "partwise"
