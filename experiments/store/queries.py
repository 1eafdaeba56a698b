"""The questions asked of the table of runs, and its rows as runs."""

from __future__ import annotations

import json
import time
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, case, or_, select

from experiments.requests.request import RunRequest
from experiments.store.rows import RunFilter, StoredRun
from experiments.store.schema import RUNS

# A server says every few seconds that it lives; after this silence its runs count as interrupted.
SILENCE = 30.0


def status_now() -> ColumnElement[str]:
    """Return the status of a run, with the running ones of silent servers as interrupted."""
    silent = (RUNS.c.status == "running") & (RUNS.c.beat_at < time.time() - SILENCE)
    return case((silent, "interrupted"), else_=RUNS.c.status)


def select_runs() -> Select[Any]:
    """Return the query for whole rows."""
    return select(RUNS, status_now().label("status_now"))


def conditions_for(wanted: RunFilter, owner: str) -> list[ColumnElement[bool]]:
    """Return what a row must fulfil to be listed; `owner` is a fingerprint, nobody's is empty."""
    required: list[ColumnElement[bool]] = [RUNS.c.deleted_at.is_(None)]
    if wanted.shelf == "shared":
        required.append(RUNS.c.shared)
    elif wanted.shelf == "mine":
        required += [RUNS.c.owner == owner, RUNS.c.owner != ""]
    if wanted.method:
        required.append(RUNS.c.method == wanted.method)
    if wanted.dataset:
        required.append(RUNS.c.dataset == wanted.dataset)
    if wanted.status:
        required.append(status_now() == wanted.status)
    required += [
        RUNS.c.search.contains(word, autoescape=True)
        for word in wanted.text.replace("\0", " ").lower().split()
    ]
    return required


def expendable(owner: str) -> Select[Any]:
    """Return what of an owner's may make room, in this order: what is deleted, then what is old and plain."""
    plain = (RUNS.c.name == "") & (RUNS.c.tags == "") & ~RUNS.c.shared & (status_now() != "running")
    deleted = RUNS.c.deleted_at.is_not(None)
    return (
        select(RUNS.c.id, RUNS.c.bytes)
        .where(RUNS.c.owner == owner, or_(deleted, plain))
        .order_by(case((deleted, 0), else_=1), RUNS.c.created_at)
    )


def stored(row: Row[Any], owner: str) -> StoredRun:
    """Return a row as a run, seen by an owner."""
    return StoredRun(
        id=row.id,
        key=row.key,
        server=row.server,
        mine=bool(owner) and row.owner == owner,
        shared=row.shared,
        name=row.name,
        tags=tuple(row.tags.split()),
        status=row.status_now,
        created_at=row.created_at,
        request=RunRequest.from_json(row.request),
        iterations=row.iterations,
        seconds=row.seconds,
        objective=row.objective,
        accuracy=row.accuracy,
        bytes=row.bytes,
        details=json.loads(row.details),
    )
