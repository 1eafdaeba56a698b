"""Tables of trials that were left to go on by themselves: whose, what for, and how far they are."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row, delete, func, insert, select, update

from experiments.store.database import Database
from experiments.store.schema import UNATTENDED

UnattendedStatus = Literal["going", "done", "stopped", "interrupted"]
MOST_LISTED, MOST_GOING = 20, 3
_LISTED = [
    UNATTENDED.c[name] for name in ("id", "title", "page", "choices", "whole", "done", "status", "created_at")
]


@dataclass(frozen=True)
class UnattendedRow:
    """A table of about so many trials; `choices` are what leads back to its `page`, as text."""

    id: str
    title: str
    page: str
    choices: str
    whole: int
    done: int = 0
    status: UnattendedStatus = "going"
    created_at: float = 0.0


class UnattendedRows:
    """The tables in a database. An owner is a fingerprint; `server` is the process that carries them on."""

    def __init__(self, database: Database, server: str) -> None:
        self._database, self._server = database, server

    def save(self, row: UnattendedRow, owner: str, work: str, scope: str = "") -> None:
        """Write a table down as going on here; a ValueError says that there are too many.

        `work` is what its trials follow from, as text; `scope` is the upload it is about.
        """
        values = {"status": "going", "server": self._server, "created_at": time.time(), "work": work}
        mine = UNATTENDED.c.owner == owner
        with self._database.writing() as connection:
            going = select(func.count()).select_from(UNATTENDED).where(
                mine, UNATTENDED.c.status == "going", UNATTENDED.c.id != row.id
            )  # fmt: skip
            if connection.execute(going).scalar_one() >= MOST_GOING:
                raise ValueError(
                    f"{MOST_GOING} of your tables go on without you, as many as one visitor may have: "
                    "stop one on Runs, or wait until one is done."
                )
            connection.execute(delete(UNATTENDED).where(mine, UNATTENDED.c.id == row.id))
            details = {name: getattr(row, name) for name in ("id", "title", "page", "choices")}
            numbers = {"whole": row.whole, "done": row.done, "owner": owner, "scope": scope}
            connection.execute(insert(UNATTENDED).values(**details, **numbers, **values))
            listed = select(UNATTENDED.c.id).where(mine, UNATTENDED.c.status != "going")
            old = connection.execute(
                listed.order_by(UNATTENDED.c.created_at.desc()).offset(MOST_LISTED - MOST_GOING)
            ).scalars()
            connection.execute(delete(UNATTENDED).where(UNATTENDED.c.id.in_(list(old))))

    def find(self, owner: str) -> list[UnattendedRow]:
        """Return an owner's tables, the latest first."""
        query = select(*_LISTED).where(UNATTENDED.c.owner == owner)
        with self._database.reading() as connection:
            return [_row(row) for row in connection.execute(query.order_by(UNATTENDED.c.created_at.desc()))]

    def work(self, id: str, owner: str) -> str | None:
        """Return what a table takes, as it was saved; None if it is gone."""
        with self._database.reading() as connection:
            return connection.execute(select(UNATTENDED.c.work).where(*_mine(id, owner))).scalar()

    def note(
        self,
        id: str,
        owner: str,
        *,
        done: int | None = None,
        whole: int | None = None,
        status: UnattendedStatus | None = None,
    ) -> None:
        """Note how far a table is, of about how many trials, or another status of it."""
        changes = {"done": done, "whole": whole, "status": status}
        values = {name: value for name, value in changes.items() if value is not None}
        with self._database.writing() as connection:
            connection.execute(update(UNATTENDED).where(*_mine(id, owner)).values(**values))

    def delete(self, id: str, owner: str) -> None:
        """Take a table off the list; its results stay."""
        with self._database.writing() as connection:
            connection.execute(delete(UNATTENDED).where(*_mine(id, owner)))

    def interrupt(self, servers: Collection[str]) -> None:
        """Note that these servers have ended with what they carried on."""
        going = (UNATTENDED.c.status == "going") & UNATTENDED.c.server.in_(list(servers))
        with self._database.writing() as connection:
            connection.execute(update(UNATTENDED).where(going).values(status="interrupted"))


def _mine(id: str, owner: str) -> tuple[Any, Any]:
    return UNATTENDED.c.id == id, UNATTENDED.c.owner == owner


def _row(row: Row[Any]) -> UnattendedRow:
    return UnattendedRow(
        row.id, row.title, row.page, row.choices, row.whole, row.done, row.status, row.created_at
    )
