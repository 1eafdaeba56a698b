"""Runs by their ids, for whoever may watch them: looked up in threads, for a database takes its time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ui.service import service
from ui.web.checked_request import GONE, RefusedError
from ui.web.threads import BusyError, Threads

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

_PATIENCE = 12.0
# Few, and apart from all others: while a database stands still, only what needs it waits.
_database = Threads(4, name="look-up", patience=_PATIENCE, most_waiting=100)
_memory = Threads(4, name="at-hand", patience=_PATIENCE)


async def runs_of(ids: Sequence[str], who: tuple[str, str | None]) -> tuple[Handle, ...]:
    """Return the runs with these ids; a RefusedError unless who asks may watch every one of them."""
    visitor = who[1]
    try:
        at_hand = await _memory.run(partial(_at_hand, ids, visitor), who)
        candidates = [
            await _database.run(partial(_stored, id, visitor), who) if handle is None else handle
            for id, handle in zip(ids, at_hand, strict=True)
        ]
    except BusyError:
        raise RefusedError("The run store does not answer just now. Try again in a moment.", 503) from None
    handles = tuple(handle for handle in candidates if handle is not None)
    if len(handles) < len(ids):
        raise RefusedError(GONE, 404)
    return handles


def _at_hand(ids: Sequence[str], visitor: str | None) -> list[Handle | None]:
    """Return of each id the run, None if it is not at hand or only the store knows who may watch it."""
    from ui.watching import asks_the_store, may_watch

    runs = [service().at_hand(id) for id in ids]
    return [
        handle if handle and not asks_the_store(handle) and may_watch(handle, visitor) else None
        for handle in runs
    ]


def _stored(id: str, visitor: str | None) -> Handle | None:
    from ui.watching import may_watch

    handle = service().get(id)
    return handle if handle is not None and may_watch(handle, visitor) else None
