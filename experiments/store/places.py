"""Where runs are kept: the database, the folder of arrays beside it, and how much may lie there."""

from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from datasets.environment import whole_number
from experiments.store.quota import Quota

DATABASE, DATA = "PARTWISE_DATABASE_URL", "PARTWISE_DATA"
LIMIT, OWNER_LIMIT = "PARTWISE_STORE_MB", "PARTWISE_OWNER_MB"
_DEFAULT_MB, _OWNERS = 2000, 10
_POSTGRES = {"postgres", "postgresql"}
_DRIVERS = {"sqlite", "sqlite+pysqlite", "postgresql+psycopg", *_POSTGRES}


def data_folder() -> Path:
    """Return the folder of this user's data: `PARTWISE_DATA`, or the platform's usual place."""
    chosen = os.environ.get(DATA)
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _platform_folder(sys.platform, Path.home())


def database_url() -> URL:
    """Return the address of the database: `PARTWISE_DATABASE_URL`, or a file in the data folder."""
    address = os.environ.get(DATABASE)
    if not address:
        return URL.create("sqlite", database=str(data_folder() / "runs.sqlite3"))
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    # Others have no driver here; SQLAlchemy would say so with an import that fails.
    if url is None or url.drivername not in _DRIVERS:
        raise ValueError(
            f"{DATABASE} is not an address of a database. It looks like sqlite:////folder/runs.sqlite3 or "
            "postgresql://user:password@host/database."
        )
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


def quota() -> Quota:
    """Return how much runs may take: `PARTWISE_STORE_MB` together, `PARTWISE_OWNER_MB` those of one owner.

    If nothing is said of the owner, it is a tenth of the whole.
    """
    total = whole_number(LIMIT, _DEFAULT_MB)
    return Quota(total * 1_000_000, whole_number(OWNER_LIMIT, max(1, total // _OWNERS)) * 1_000_000)


def _platform_folder(platform: str, home: Path) -> Path:
    if platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Partwise" / "Data"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "Partwise"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "partwise"
