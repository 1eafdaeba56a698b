"""What came of trials, by their keys, and who is at work on which: so that nothing is computed twice."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from experiments.store.database import Database
from experiments.store.schema import CLAIMS, SWEEPS, TRIALS, UNATTENDED

# Who has not renewed a claim for so long is taken to be gone.
LEASE = 30.0
MOST_ROWS = 200_000
# An upload lives as long as its session: what a killed server could not remove goes after a day.
_UPLOAD_SECONDS = 86_400.0
# Databases bound how many values a statement may hold.
_AT_ONCE = 500
_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class TrialRow:
    """A trial and its result, both as text; `scope` is the upload they are about, empty for the catalogue."""

    key: str
    trial: str
    result: str
    scope: str = ""


class TrialRows:
    """The results of trials in a database that several processes may write to.

    A `holder` is a process (a name nobody else has). Before it works on trials it claims their keys, and
    renews that claim while it does; whoever dies loses it, at once if its server is known to have ended.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def lookup(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the results there are, by key."""
        results: dict[str, str] = {}
        with self._database.reading() as connection:
            for some in _batches(list(keys)):
                rows = connection.execute(select(TRIALS.c.key, TRIALS.c.result).where(TRIALS.c.key.in_(some)))
                results |= {row.key: row.result for row in rows}
        return results

    def claim(self, keys: Sequence[str], holder: str) -> bool:
        """Take on the trials of these keys, all or none; False if all are known, or one is somebody's."""
        now = time.time()
        try:
            with self._database.writing() as connection:
                # Of a chain some may be known from elsewhere: it is still carried out whole.
                there = connection.execute(select(TRIALS.c.key).where(TRIALS.c.key.in_(keys))).scalars()
                if set(there) >= set(keys):
                    return False
                open_to = or_(CLAIMS.c.until < now, CLAIMS.c.holder == holder)
                connection.execute(delete(CLAIMS).where(CLAIMS.c.key.in_(keys), open_to))
                rows = [{"key": key, "holder": holder, "until": now + LEASE} for key in sorted(keys)]
                connection.execute(insert(CLAIMS), rows)
        except IntegrityError:
            return False  # Somebody else is at one of them.
        return True

    def renew(self, holder: str) -> None:
        """Say that a holder is still at its work."""
        with self._database.writing() as connection:
            mine = CLAIMS.c.holder == holder
            connection.execute(update(CLAIMS).where(mine).values(until=time.time() + LEASE))

    def release(self, holder: str, keys: Iterable[str] | None = None) -> None:
        """Give up claims: those to these keys, or all of them."""
        mine = CLAIMS.c.holder == holder
        with self._database.writing() as connection:
            if keys is None:
                connection.execute(delete(CLAIMS).where(mine))
            else:
                for some in _batches(list(keys)):
                    connection.execute(delete(CLAIMS).where(mine, CLAIMS.c.key.in_(some)))

    def keep(self, rows: Sequence[TrialRow]) -> None:
        """Write results down and give up the claims to them. Who comes second changes nothing."""
        now = time.time()
        with self._database.writing() as connection:
            for some in _batches(rows):
                keys = [row.key for row in some]
                there = set(connection.execute(select(TRIALS.c.key).where(TRIALS.c.key.in_(keys))).scalars())
                new = [
                    {"key": row.key, "scope": row.scope, "trial": row.trial, "result": row.result, "at": now}
                    for row in some
                    if row.key not in there
                ]
                if new:
                    connection.execute(insert(TRIALS), new)
                connection.execute(delete(CLAIMS).where(CLAIMS.c.key.in_(keys)))

    def forget(self, scope: str) -> None:
        """Remove all that came of an upload, and the sweeps over it."""
        with self._database.writing() as connection:
            for table in (TRIALS, SWEEPS, UNATTENDED):
                connection.execute(delete(table).where(table.c.scope == scope, table.c.scope != ""))

    def tidy(self, gone: Sequence[str] = (), most: int = MOST_ROWS) -> None:
        """Drop claims of servers that have ended, results of uploads long gone, the oldest beyond so many."""
        with self._database.writing() as connection:
            connection.execute(
                delete(CLAIMS).where(or_(CLAIMS.c.holder.in_(gone), CLAIMS.c.until < time.time()))
            )
            old = TRIALS.c.at < time.time() - _UPLOAD_SECONDS
            connection.execute(delete(TRIALS).where(old, TRIALS.c.scope != ""))
            unused = SWEEPS.c.opened_at < time.time() - _UPLOAD_SECONDS
            connection.execute(delete(SWEEPS).where(unused, SWEEPS.c.scope != ""))
            surplus = connection.execute(select(func.count()).select_from(TRIALS)).scalar_one() - most
            if surplus > 0:
                last = select(TRIALS.c.at).order_by(TRIALS.c.at).offset(surplus - 1).limit(1)
                connection.execute(delete(TRIALS).where(TRIALS.c.at <= last.scalar_subquery()))


def _batches(entries: Sequence[_Entry]) -> Iterator[Sequence[_Entry]]:
    for start in range(0, len(entries), _AT_ONCE):
        yield entries[start : start + _AT_ONCE]
