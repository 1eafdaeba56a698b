"""Write runs down, find them again, and keep within bounds."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, delete, func, insert, select, update

from experiments.requests.request import RunRequest
from experiments.store.database import Database, StoreUnavailableError
from experiments.store.files import ArrayFiles, Content
from experiments.store.keepsake_files import KeepsakeFiles
from experiments.store.places import arrays_folder
from experiments.store.presence import Presence
from experiments.store.quarantine import FileIdentity, file_of, latest, notice, renewed_at
from experiments.store.queries import conditions_for, select_runs, stored
from experiments.store.quota import ROW_BYTES, Quota, used_bytes
from experiments.store.rows import (
    RunEnding,
    RunFilter,
    RunPage,
    StoredRun,
    checked_name,
    checked_tags,
    searched,
)
from experiments.store.run_columns import fingerprint, new_row, reached, searchable
from experiments.store.schema import RUNS
from experiments.store.sweep_rows import SweepRows
from experiments.store.trial_rows import TrialRows
from experiments.store.unattended_rows import UnattendedRows
from experiments.store.unsaved import Ending
from experiments.store.watch_marks import WatchMarks

log = logging.getLogger(__name__)
_UNDO_SECONDS = 3600.0
_NO_ROOM_FOR_ARRAYS = (
    "Of this run only its outcome is kept: your named, tagged and shared runs leave no room for its arrays."
)


class RunStore:
    """Runs in a database, their arrays in files.

    An owner is whoever holds a token; the database knows only its fingerprint. Runs are read by
    anybody who has their id, and changed by their owner alone.
    """

    def __init__(self, url: URL, folder: Path | None = None, *, quota: Quota | None = None) -> None:
        self.quota = quota or Quota()
        self._database = Database(url)
        self.trials = TrialRows(self._database)
        self.sweeps = SweepRows(self._database)
        try:
            self._files = ArrayFiles(folder or arrays_folder(url))
            self.keepsakes = KeepsakeFiles(self._files.folder / "keepsakes")
            self._presence = Presence(self._files.folder)
            self.watch_marks = WatchMarks(self._files.folder)
            self.unattended = UnattendedRows(self._database, self._presence.name)
        except OSError as error:
            self._database.close()
            raise StoreUnavailableError(
                f"The folder for the arrays of runs, {folder or arrays_folder(url)}, cannot be used: "
                f"{error.strerror or error}."
            ) from error
        file = file_of(url)
        self._put_aside = latest(file) if file else None
        self._renewed_at = renewed_at(self._put_aside)
        try:
            self._sweep()
        except StoreUnavailableError:
            self._presence.close()
            self._database.close()
            raise

    @property
    def damaged(self) -> FileIdentity | None:
        """Which file this store had, once it has been found to be damaged; its place may be taken then."""
        return self._database.damaged

    @property
    def notice(self) -> str:
        """What visitors should know of a damaged store whose place this one has taken."""
        return notice(self._put_aside)

    @property
    def server(self) -> str:
        """The name of this server process; no other has it."""
        return self._presence.name

    def begin(
        self, id: str, request: RunRequest, owner: str, *, follows: StoredRun | None = None, name: str = ""
    ) -> None:
        """Write down that a run has begun; again does no harm. A NoRoomError says that there is no room.

        A run that `follows` an interrupted one takes its place.
        """
        row = new_row(id, request, fingerprint(owner), self.server)
        row |= {"status": "running", "name": checked_name(name)}
        if follows:
            row |= {"name": follows.name, "tags": " ".join(follows.tags), "shared": follows.shared}
            row["created_at"] = follows.created_at
        with self._database.writing() as connection:
            if not _exists(connection, id):
                if not follows:
                    self.quota.check(connection, row["owner"])
                connection.execute(insert(RUNS).values(**searchable(row)))

    def save(self, id: str, content: Content, outcome: RunEnding) -> None:
        """Keep what a run has reached: on its way if the outcome's status is "running", else its end."""
        content = content.bounded()
        values = reached(content, outcome, self._files.write(id, content))
        if outcome.status != "running":
            values["ended_at"] = time.time()
        with self._database.writing() as connection:
            updated = connection.execute(update(RUNS).where(RUNS.c.id == id).values(**values)).rowcount
            removed = self._make_room(connection, id) if updated else [id]  # Deleted for good meanwhile.
        self._remove_files(removed)

    def finish(self, ending: Ending) -> None:
        """Write down a run that has ended, whether or not its beginning has been; again does no harm.

        A NoRoomError says that its owner has no room for a run that has not been written down yet.
        """
        content = ending.content.bounded()
        values = reached(content, ending.outcome, self._files.write(ending.id, content))
        values["ended_at"] = ending.ended_at
        with self._database.writing() as connection:
            updated = connection.execute(
                update(RUNS).where(RUNS.c.id == ending.id).values(**values)
            ).rowcount  # fmt: skip
            # A fresh store has never had the rows of runs that began before it.
            missing = not ending.begun or ending.created_at < self._renewed_at
            if not updated and missing:
                self.quota.check(connection, ending.owner)
                row = new_row(ending.id, ending.request, ending.owner, self.server) | values
                row |= {"name": ending.name, "tags": " ".join(ending.tags), "shared": ending.shared}
                row["created_at"] = ending.created_at
                connection.execute(insert(RUNS).values(**searchable(row)))
            if ending.passing:
                plain = (RUNS.c.name == "") & (RUNS.c.tags == "") & ~RUNS.c.shared
                connection.execute(delete(RUNS).where(RUNS.c.id == ending.id, plain))
            gone = [ending.replaces] if ending.replaces else []
            connection.execute(delete(RUNS).where(RUNS.c.id.in_(gone)))
            there = _exists(connection, ending.id)
            gone += self._make_room(connection, ending.id) if there else [ending.id]
        self._remove_files(gone)

    def beat(self, ids: Collection[str]) -> None:
        """Say that this server lives, and carries these runs."""
        mine = RUNS.c.id.in_(ids) & (RUNS.c.status == "running")
        with self._database.writing() as connection:
            connection.execute(update(RUNS).where(mine).values(beat_at=time.time()))

    def get(self, id: str, owner: str = "") -> StoredRun | None:
        """Return a run by its id, unless it has been deleted."""
        with self._database.reading() as connection:
            row = connection.execute(
                select_runs().where(RUNS.c.id == id, RUNS.c.deleted_at.is_(None))
            ).first()
        return None if row is None else stored(row, fingerprint(owner))

    def find(self, wanted: RunFilter) -> RunPage:
        """Return one page of the runs that are wanted, newest first."""
        conditions = conditions_for(wanted, fingerprint(wanted.owner))
        query = select_runs().where(*conditions).order_by(RUNS.c.created_at.desc(), RUNS.c.id)
        with self._database.reading() as connection:
            total = connection.execute(select(func.count()).select_from(RUNS).where(*conditions)).scalar_one()
            rows = connection.execute(query.limit(wanted.limit).offset(wanted.offset)).all()
        return RunPage(tuple(stored(row, fingerprint(wanted.owner)) for row in rows), total)

    def occurring(self, wanted: RunFilter) -> tuple[list[str], list[str]]:
        """Return the methods and the data sets there are runs of on a shelf."""
        conditions = conditions_for(RunFilter(wanted.owner, wanted.shelf), fingerprint(wanted.owner))
        with self._database.reading() as connection:
            pairs = connection.execute(
                select(RUNS.c.method, RUNS.c.dataset).where(*conditions).distinct()
            ).all()
        return sorted({pair.method for pair in pairs}), sorted({pair.dataset for pair in pairs})

    def content(self, run: StoredRun) -> Content:
        """Return the curve and the arrays of a run; a KeyError if there are none (any more)."""
        return self._files.content(run.id, run.terms, run.tracked)

    def curve(self, run: StoredRun) -> Any:
        """Return the curve alone, which is quick; a KeyError if there is none (any more)."""
        return self._files.curve(run.id)

    def start_file(self, run: StoredRun) -> Path:
        """Return a new file of a run's arrays for another run to start from; a KeyError if there are none."""
        return self._files.start_file(run.id)

    def rename(self, id: str, owner: str, name: str) -> None:
        """Give a run a name."""
        self._relabel(id, owner, checked_name(name), None)

    def tag(self, id: str, owner: str, tags: Sequence[str]) -> None:
        """Give a run these tags and no others."""
        self._relabel(id, owner, None, checked_tags(tags))

    def share(self, id: str, owner: str, shared: bool) -> None:
        """Put a run on the shelf that everybody sees, or take it away from there."""
        self._change([id], owner, shared=shared)

    def delete(self, ids: Sequence[str], owner: str) -> None:
        """Put runs into the bin, from where `restore` brings them back for an hour."""
        self._change(ids, owner, deleted_at=time.time())
        self._empty_bin(before=time.time() - _UNDO_SECONDS)

    def restore(self, ids: Sequence[str], owner: str) -> None:
        """Bring deleted runs back."""
        self._change(ids, owner, deleted_at=None)

    def forget(self, id: str) -> None:
        """Remove a run at once and for good."""
        with self._database.writing() as connection:
            connection.execute(delete(RUNS).where(RUNS.c.id == id))
        self._files.remove(id)

    def used_bytes(self, owner: str) -> int:
        """Return how much the runs of an owner take."""
        with self._database.reading() as connection:
            return used_bytes(connection, fingerprint(owner))

    def close(self) -> None:
        """Let go of the database; runs of this server that have not ended are interrupted."""
        try:
            self._interrupt(self._presence.name)
            self.unattended.interrupt([self._presence.name])
            self.trials.release(self._presence.name)
        except StoreUnavailableError as error:
            log.warning("%s What ran here is listed as interrupted as soon as it does.", error)
        self._presence.close()
        self._database.close()

    def _relabel(self, id: str, owner: str, name: str | None, tags: Sequence[str] | None) -> None:
        run = self.get(id, owner)
        if run is not None:
            name, tags = run.name if name is None else name, run.tags if tags is None else tags
            search_text = searched(name, tags, run.request.dataset, run.request.method)
            self._change([id], owner, name=name, tags=" ".join(tags), search=search_text)

    def _change(self, ids: Sequence[str], owner: str, **values: Any) -> None:
        own = RUNS.c.id.in_(ids) & (RUNS.c.owner == fingerprint(owner))
        with self._database.writing() as connection:
            connection.execute(update(RUNS).where(own).values(**values))

    def _make_room(self, connection: Connection, id: str) -> list[str]:
        """Make room for what a run has brought; return the runs whose arrays are to be removed."""
        owner = connection.execute(select(RUNS.c.owner).where(RUNS.c.id == id)).scalar_one()
        gone, fits = self.quota.make_room(connection, owner, id)
        if fits:
            return gone
        # Whatever else the owner has is named: of this run the outcome is kept without its arrays.
        details = connection.execute(select(RUNS.c.details).where(RUNS.c.id == id)).scalar_one()
        words = {"message": _NO_ROOM_FOR_ARRAYS, "iteration": -1}
        values = {"details": json.dumps(json.loads(details) | words), "bytes": ROW_BYTES}
        connection.execute(update(RUNS).where(RUNS.c.id == id).values(**values))
        return [*gone, id]

    def _empty_bin(self, before: float) -> None:
        with self._database.writing() as connection:
            ids = connection.execute(select(RUNS.c.id).where(RUNS.c.deleted_at < before)).scalars().all()
            connection.execute(delete(RUNS).where(RUNS.c.id.in_(ids)))
        self._remove_files(ids)

    def _remove_files(self, ids: Sequence[str]) -> None:
        for id in ids:
            self._files.remove(id)

    def _interrupt(self, server: str) -> None:
        carried = (RUNS.c.server == server) & (RUNS.c.status == "running")
        with self._database.writing() as connection:
            connection.execute(update(RUNS).where(carried).values(status="interrupted"))

    def _sweep(self) -> None:
        """Clean up after servers that were killed."""
        gone = self._presence.gone()
        # Before they are buried: their names tell which claims nobody works on any more.
        self.trials.tidy(gone)
        self.unattended.interrupt(gone)
        self.keepsakes.tidy()
        for server in gone:
            self._interrupt(server)
            self._presence.bury(server)
        with self._database.reading() as connection:
            stored_ids = set(connection.execute(select(RUNS.c.id)).scalars())
        self._empty_bin(before=time.time() - _UNDO_SECONDS)
        self._files.sweep(stored_ids.__contains__)


def _exists(connection: Connection, id: str) -> bool:
    return connection.execute(select(RUNS.c.id).where(RUNS.c.id == id)).first() is not None
