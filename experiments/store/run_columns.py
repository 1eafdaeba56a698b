"""The columns of a run in the database: when it begins, and as far as it has come."""

from __future__ import annotations

import time
from hashlib import sha256
from typing import Any

from experiments.requests.request import RunRequest
from experiments.store.files import Content
from experiments.store.quota import ROW_BYTES
from experiments.store.rows import RunEnding, details_json, searched


def fingerprint(owner: str) -> str:
    """Return what the database knows of an owner: not the token itself. Nobody has none.

    >>> fingerprint("")
    ''
    """
    return sha256(owner.encode()).hexdigest()[:40] if owner else ""


def new_row(id: str, request: RunRequest, owner: str, server: str) -> dict[str, Any]:
    """Return the row of a run that has just begun on a server; `owner` is a fingerprint."""
    now = time.time()
    return {
        "id": id,
        "key": request.key,
        "owner": owner,
        "shared": False,
        "name": "",
        "tags": "",
        "dataset": request.dataset,
        "method": request.method,
        "request": request.canonical(),
        "created_at": now,
        "beat_at": now,
        "server": server,
        "bytes": ROW_BYTES,
    }


def searchable(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the text in which a search looks."""
    words = searched(row["name"], row["tags"].split(), row["dataset"], row["method"])
    return row | {"search": words}


def reached(content: Content, outcome: RunEnding, size: int) -> dict[str, Any]:
    """Return the columns that say how far a run has come; its arrays take so many bytes."""
    last = content.curve[-1] if len(content.curve) else (float("nan"), 0.0)
    accuracy = outcome.scores.get("accuracy_euclidean")
    return {
        "status": outcome.status,
        "iterations": max(0, len(content.curve) - 1),
        "objective": float(last[0]) if abs(last[0]) < float("inf") else None,
        "seconds": float(last[1]),
        "accuracy": None if accuracy is None else float(accuracy),
        "bytes": size + ROW_BYTES,
        "details": details_json(outcome, content),
        "beat_at": time.time(),
    }
