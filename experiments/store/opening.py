"""Opening the store that the environment asks for; a damaged one makes way for a fresh one."""

from __future__ import annotations

import logging

from sqlalchemy import URL

from experiments.store.database import DamagedStoreError, StoreUnavailableError
from experiments.store.places import arrays_folder, database_url, quota
from experiments.store.quarantine import FileIdentity, file_of, latest, put_aside
from experiments.store.run_store import RunStore

log = logging.getLogger(__name__)


def open_store(damaged: FileIdentity | None = None) -> RunStore:
    """Return the store that the environment asks for; a StoreUnavailableError says why there is none.

    A `damaged` file, or one that turns out to be damaged, is put aside, and a fresh store takes its place.
    """
    try:
        url, allowed = database_url(), quota()
    except ValueError as error:
        raise StoreUnavailableError(str(error)) from error
    if damaged:
        _put_aside(url, damaged)
    try:
        return RunStore(url, quota=allowed)
    except DamagedStoreError as damage:
        _put_aside(url, damage.file)
        return RunStore(url, quota=allowed)


def _put_aside(url: URL, damaged: FileIdentity) -> None:
    file = file_of(url)
    assert file is not None
    try:
        was_a_store = put_aside(file, arrays_folder(url), damaged)
    except OSError as error:
        raise StoreUnavailableError(
            f"The run store at {file} is damaged and cannot be put aside: {error.strerror or error}."
        ) from error
    if not was_a_store:
        raise StoreUnavailableError(
            f"{file} is no database and was never a run store: it stays as it is. Name another file."
        )
    log.warning("The run store at %s was damaged: it lies beside it now, as %s.", file, latest(file))
