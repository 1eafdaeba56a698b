"""The data a visitor has uploaded: for this visitor alone, and only as long as the visit lasts.

An upload is known by its content and its owner: the same file, handed over again and read in the same way,
is the same data set, and runs kept of it open on it. It belongs to the session that made it. The same
browser keeps it when the page is reloaded; in any other browser a link to it leads nowhere. Once the last
session that holds it has been closed for as long as Streamlit waits for a lost connection to come back, it is
erased.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from experiments.requests import intake
from experiments.requests.library import Dataset, is_here
from ui import owner, state
from ui.service import drop_runs

# A visitor who uploads more loses the oldest.
MOST_A_VISITOR = 5
_MINE, _DRAFT, _VISITOR = "_uploads", "_draft", "_visitor"


@dataclass
class _Upload:
    """The owner of an upload, and the sessions that hold it."""

    owner: str
    holders: set[str] = field(default_factory=set)


# Reading takes memory: so many uploads are read at a time, the others wait.
READING = threading.Semaphore(2)
_uploads: dict[str, _Upload] = {}
_visits: dict[str, int] = {}
_lock = threading.Lock()


def begin(named: str | None) -> None:
    """Note that the visitor is here; `named` is the data set asked for, perhaps an upload of the visitor."""
    visitor = _visitor()
    _present(visitor)
    if named and intake.is_upload(named) and named not in mine():
        with _lock:
            upload = _uploads.get(named)
            if upload is None or upload.owner != owner.token():
                return
            upload.holders.add(visitor)
        state.put(_MINE, (*mine(), named))


def mine() -> tuple[str, ...]:
    """Return the ids of this visitor's uploads, the oldest first."""
    return tuple(id for id in state.get(_MINE, ()) if is_here(id))


def belongs_to(id: str, token: str | None) -> bool:
    """Whether who has this token may see a data set: an upload is its owner's alone."""
    if not intake.is_upload(id):
        return True
    with _lock:
        upload = _uploads.get(id)
    return upload is not None and upload.owner == token


def draft(dataset: Dataset, purpose: str = "") -> str:
    """Keep a data set that the visitor is still looking at; return its id. One at a time, and not listed.

    What is read for a special `purpose`, and has other options, is another data set.
    """
    id = upload_id(dataset.files, {**dataset.reading, **({"purpose": purpose} if purpose else {})})
    if state.get(_DRAFT) != id:
        discard_draft()
    with _lock:
        here = id in _uploads
    if not (here and is_here(id)):
        intake.keep(dataset, id)
    with _lock:
        _uploads.setdefault(id, _Upload(owner.token())).holders.add(_visitor())
    state.put(_DRAFT, id)
    return id


def upload_id(files: Sequence[tuple[str, str]], reading: Mapping[str, Any]) -> str:
    """Return the id that these files, read like this, have with this visitor."""
    return intake.content_id([(name, digest) for name, digest in files], reading, owner.token())


def discard_draft() -> None:
    """Erase what was looked at and not taken."""
    id: str | None = state.get(_DRAFT)
    state.put(_DRAFT, None)
    if id is None or id in mine():
        return
    with _lock:
        upload = _uploads.get(id)
        held = upload is not None and bool(upload.holders - {_visitor()})
        if upload is not None:
            upload.holders.discard(_visitor())
    # Another page of the same visitor may be working on the same file.
    _erase([] if held else [id])


def accept_draft(id: str | None) -> str | None:
    """Make what is looked at one of the visitor's data sets; the oldest makes room if there are many.

    Return its id; None if it is no longer looked at: a button was pressed twice, or the data were erased on
    another page meanwhile.
    """
    if id is None or state.get(_DRAFT) != id or not is_here(id):
        return None
    before = tuple(other for other in mine() if other != id)
    state.put(_DRAFT, None)
    state.put(_MINE, (*before, id))
    for old in before[: max(0, len(before) + 1 - MOST_A_VISITOR)]:
        remove(old)
    return id


def remove(id: str) -> None:
    """Erase an upload of this visitor, for all of the visitor's pages."""
    if id in mine():
        state.put(_MINE, tuple(other for other in mine() if other != id))
        _erase([id])


def _visitor() -> str:
    visitor: str = state.get(_VISITOR) or secrets.token_hex(16)
    state.put(_VISITOR, visitor)
    return visitor


@dataclass(frozen=True)
class _Visit:
    visitor: str
    number: int


def _left(visit: _Visit) -> None:
    """Erase what a visitor leaves behind, unless the visitor comes back in time."""
    patience = float(st.get_option("server.disconnectedSessionTTL"))
    timer = threading.Timer(patience, _clear_up, (visit,))
    timer.daemon = True
    timer.start()


# Streamlit releases what a session has cached whenever its connection ends; the session itself may stay in
# memory long after.
@st.cache_resource(scope="session", on_release=_left, show_spinner=False)
def _present(visitor: str) -> _Visit:
    return _begun(visitor)


def _begun(visitor: str) -> _Visit:
    with _lock:
        _visits[visitor] = _visits.get(visitor, 0) + 1
        return _Visit(visitor, _visits[visitor])


def _clear_up(visit: _Visit) -> None:
    with _lock:
        if _visits.get(visit.visitor) != visit.number:
            return
        del _visits[visit.visitor]
        for upload in _uploads.values():
            upload.holders.discard(visit.visitor)
        abandoned = [id for id, upload in _uploads.items() if not upload.holders]
    _erase(abandoned)


def _erase(ids: Iterable[str]) -> None:
    for id in ids:
        with _lock:
            _uploads.pop(id, None)
        intake.erase(id)
        # A run ends after its step; nobody waits for that.
        threading.Thread(target=drop_runs, args=(id,), daemon=True, name="drop-runs").start()
