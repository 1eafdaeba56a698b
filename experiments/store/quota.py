"""How much of the store one owner may fill, and whose runs make room: never another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from experiments.store.queries import expendable
from experiments.store.schema import RUNS

# What a row takes in the database, roughly.
ROW_BYTES = 4000
_MB = 1_000_000


class NoRoomError(ValueError):
    """A run cannot be written down, for its owner or the whole store has no room; the message says which."""


@dataclass(frozen=True)
class Quota:
    """How many bytes all runs together may take, and how many those of one owner."""

    total: int = 2_000 * _MB
    owner: int = 200 * _MB

    def check(self, connection: Connection, owner: str) -> None:
        """Raise a NoRoomError if nothing of this owner's could ever make room for another run."""
        lasting = used_bytes(connection, owner) - sum(row.bytes for row in _expendable(connection, owner))
        if lasting + ROW_BYTES > self.owner:
            raise NoRoomError(
                "This run is not written down: your named, tagged and shared runs fill the "
                f"{self.owner / _MB:.0f} MB that one visitor may have. Delete one on the Runs page."
            )
        if used_bytes(connection) + ROW_BYTES > self.total and not _expendable(connection, owner):
            raise NoRoomError(
                f"This run is not written down: the run store of this server is full ({self.total / _MB:.0f} "
                "MB). Take away what you need; who runs the server can raise PARTWISE_STORE_MB."
            )

    def make_room(self, connection: Connection, owner: str, id: str) -> tuple[list[str], bool]:
        """Remove the owner's deleted runs, then their oldest that have no name, tag or share, but not `id`.

        Return what was removed, and whether there is room now. A store that is too full as a whole, perhaps
        because its limit was lowered, costs nobody more than they have just brought.
        """
        brought = connection.execute(select(RUNS.c.bytes).where(RUNS.c.id == id)).scalar() or 0
        surplus = max(
            used_bytes(connection, owner) - self.owner, min(brought, used_bytes(connection) - self.total)
        )
        gone: list[str] = []
        for row in _expendable(connection, owner) if surplus > 0 else ():
            if surplus <= 0:
                break
            if row.id != id:
                gone.append(row.id)
                surplus -= row.bytes
        if gone:
            connection.execute(delete(RUNS).where(RUNS.c.id.in_(gone)))
        return gone, surplus <= 0


def used_bytes(connection: Connection, owner: str | None = None) -> int:
    """Return how much the runs of an owner take, or all runs together."""
    total = select(func.coalesce(func.sum(RUNS.c.bytes), 0))
    if owner is not None:
        total = total.where(RUNS.c.owner == owner)
    return int(connection.execute(total).scalar_one())


def _expendable(connection: Connection, owner: str) -> Sequence[Row[Any]]:
    return connection.execute(expendable(owner)).all()
