"""Named sweeps: what is tried, under a name that its owner resumes and shares it by."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from experiments.store.database import Database
from experiments.store.rows import checked_name
from experiments.store.schema import SWEEPS

MOST_OF_ONE_OWNER = 200


@dataclass(frozen=True)
class SweepRow:
    """A sweep as text, and its name; `mine` says whether whoever asks may change it."""

    id: str
    name: str
    key: str
    dataset: str
    method: str
    sweep: str
    shared: bool
    mine: bool
    created_at: float
    opened_at: float


class SweepRows:
    """The sweeps in a database. An owner is a fingerprint; terminals have none and share what they keep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(
        self, name: str, owner: str, *, key: str, dataset: str, method: str, sweep: str, scope: str = ""
    ) -> str:
        """Write a sweep down under a name, in place of the owner's of that name; return its id.

        `scope` is the upload it is about. A ValueError says that the name is no good, or there are too many.
        """
        name = checked_name(name)
        if not name:
            raise ValueError("A sweep is kept under a name: give it one.")
        values: dict[str, str | float] = {
            "key": key,
            "dataset": dataset,
            "method": method,
            "sweep": sweep,
            "scope": scope,
        }
        values["opened_at"] = time.time()
        mine = (SWEEPS.c.owner == owner) & (SWEEPS.c.name == name)
        for _ in range(2):
            try:
                with self._database.writing() as connection:
                    if connection.execute(update(SWEEPS).where(mine).values(**values)).rowcount:
                        return str(connection.execute(select(SWEEPS.c.id).where(mine)).scalar_one())
                    count = select(func.count()).select_from(SWEEPS).where(SWEEPS.c.owner == owner)
                    if connection.execute(count).scalar_one() >= MOST_OF_ONE_OWNER:
                        raise ValueError(f"You keep {MOST_OF_ONE_OWNER} sweeps: delete one to keep another.")
                    id = secrets.token_urlsafe(12)
                    row = {"id": id, "name": name, "owner": owner, "shared": not owner}
                    connection.execute(insert(SWEEPS).values(**row, **values, created_at=time.time()))
                    return id
            except IntegrityError:
                continue  # Another process has begun one of this name at the same moment.
        raise ValueError(f"There is a sweep {name!r} already.")

    def get(self, id: str, owner: str = "") -> SweepRow | None:
        """Return a sweep by its id: whoever has the link may look."""
        return self._one(select(SWEEPS).where(SWEEPS.c.id == id), owner)

    def named(self, name: str, owner: str = "") -> SweepRow | None:
        """Return the owner's sweep of a name, or else the latest one of that name on the shared shelf."""
        open_to = or_(SWEEPS.c.owner == owner, SWEEPS.c.shared)
        ordered = (SWEEPS.c.owner != owner, SWEEPS.c.opened_at.desc())
        return self._one(select(SWEEPS).where(SWEEPS.c.name == name, open_to).order_by(*ordered), owner)

    def find(self, owner: str, *, shared: bool = False, limit: int = 100) -> list[SweepRow]:
        """Return an owner's sweeps, or those on the shared shelf, the latest opened first."""
        where = SWEEPS.c.shared if shared else SWEEPS.c.owner == owner
        query = select(SWEEPS).where(where).order_by(SWEEPS.c.opened_at.desc()).limit(limit)
        with self._database.reading() as connection:
            return [_row(row, owner) for row in connection.execute(query)]

    def touch(self, id: str) -> None:
        """Note that a sweep has been opened."""
        with self._database.writing() as connection:
            connection.execute(update(SWEEPS).where(SWEEPS.c.id == id).values(opened_at=time.time()))

    def share(self, id: str, owner: str, shared: bool) -> None:
        """Put a sweep on the shelf that everybody sees, or take it away from there."""
        with self._database.writing() as connection:
            connection.execute(update(SWEEPS).where(*_mine(id, owner)).values(shared=shared))

    def rename(self, id: str, owner: str, name: str) -> None:
        """Give a sweep another name; a ValueError says that it is taken."""
        try:
            with self._database.writing() as connection:
                changed = update(SWEEPS).where(*_mine(id, owner)).values(name=checked_name(name))
                connection.execute(changed)
        except IntegrityError:
            raise ValueError(f"You have a sweep {name!r} already.") from None

    def delete(self, id: str, owner: str) -> None:
        """Remove a sweep; the results of its trials stay for whoever asks for the same."""
        with self._database.writing() as connection:
            connection.execute(delete(SWEEPS).where(*_mine(id, owner)))

    def _one(self, query: Select[Any], owner: str) -> SweepRow | None:
        with self._database.reading() as connection:
            row = connection.execute(query.limit(1)).first()
        return None if row is None else _row(row, owner)


def _mine(id: str, owner: str) -> tuple[Any, Any]:
    return SWEEPS.c.id == id, SWEEPS.c.owner == owner


def _row(row: Row[Any], owner: str) -> SweepRow:
    return SweepRow(
        row.id,
        row.name,
        row.key,
        row.dataset,
        row.method,
        row.sweep,
        bool(row.shared),
        row.owner == owner,
        row.created_at,
        row.opened_at,
    )
