"""A run from the store as the service knows runs, so that every page can show it without running it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.engine.channel import Reader, Writer
from experiments.engine.handle import Handle

if TYPE_CHECKING:
    from experiments.store import Content, RunStore, StoredRun

_OUTCOME_ALONE = "Of this run only its outcome is still kept."


def handle_of(store: RunStore, run: StoredRun, folder: Path) -> Handle:
    """Return a stored run, with the files that watchers read laid out in a folder."""
    handle = Handle(run.id, run.request, folder)
    ending = run.details.get("ending", {})
    handle.message, handle.scores = run.message, run.scores
    handle.note, handle.flags = ending.get("note") or "", list(ending.get("flags") or [])
    handle.discriminative = ending.get("discriminative")
    handle.ending = {"status": run.status, "message": run.message, **ending}
    try:
        content = store.content(run)
    except KeyError:
        handle.message = handle.message or _OUTCOME_ALONE
        handle.note = f"{_OUTCOME_ALONE} Run makes it again."
    else:
        folder.mkdir(parents=True, exist_ok=True)
        handle.reader = _laid_out(content, folder)
        if content.arrays:
            handle.snapshots = [(content.iteration, dict(run.snapshots).get(content.iteration, run.scores))]
    if run.status == "interrupted" and not handle.message:
        handle.message = "The server ended while this ran. The Runs page can resume it."
    handle.status, handle.recallable = run.status, True
    handle.persisted.set()
    return handle


def _laid_out(content: Content, folder: Path) -> Reader | None:
    if not len(content.curve):
        return None
    arrays: dict[str, Any] = dict(content.arrays)
    if arrays:
        np.savez(folder / f"{content.iteration}.npz", **arrays)
    writer = Writer(folder / "live", content.terms, len(content.curve), arrays, content.tracked)
    names = (*content.terms, *content.tracked)
    for objective, seconds, *values in content.curve:
        writer.add(objective, seconds, dict(zip(names, values, strict=True)))
    if arrays:
        writer.show(content.iteration, arrays)
    return Reader(folder / "live")
