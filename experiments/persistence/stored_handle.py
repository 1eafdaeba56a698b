"""A run from the store as the service knows runs, so that every page can show it without running it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.engine.array_file import write_arrays
from experiments.engine.channel import Reader, Writer
from experiments.engine.handle import Handle

if TYPE_CHECKING:
    from experiments.store import Content, RunStore, StoredRun

_OUTCOME_ALONE = "Of this run only its outcome is still kept."


def handle_of(store: RunStore, run: StoredRun, folder: Path) -> Handle:
    """Return a stored run, with the files that watchers read laid out in a folder."""
    handle = Handle(run.id, run.request, folder, recallable=True)
    if not run.ended:
        handle.elsewhere = run.carried_by
    update(handle, store, run)
    return handle


def update(handle: Handle, store: RunStore, run: StoredRun) -> None:
    """Bring a handle to what the store has of its run."""
    ending = run.details.get("ending", {})
    handle.message, handle.scores = run.message, run.scores
    handle.note, handle.flags = ending.get("note") or "", list(ending.get("flags") or [])
    handle.discriminative, handle.warm = ending.get("discriminative"), bool(ending.get("warm"))
    handle.ending = {"status": run.status, "message": run.message, **ending} if run.ended else {}
    try:
        content = store.content(run)
    except KeyError:
        if run.ended:
            handle.message = handle.message or _OUTCOME_ALONE
            handle.note = f"{_OUTCOME_ALONE} Run makes it again."
    else:
        _show(handle, content, run)
    if run.status == "interrupted" and not handle.message:
        handle.message = "The server ended while this ran. The Runs page can resume it."
    # After all of the above: who sees that it has ended finds everything else in place.
    handle.status = status_of(run)
    if run.ended:
        handle.elsewhere = ""
        handle.persisted.set()


def status_of(run: StoredRun) -> str:
    """Return the status of a stored run as that of a handle."""
    return "paused" if run.paused and not run.ended else run.status


def _show(handle: Handle, content: Content, run: StoredRun) -> None:
    before = [iteration for iteration, _ in handle.snapshots if iteration != content.iteration]
    handle.folder.mkdir(parents=True, exist_ok=True)
    handle.reader = _laid_out(content, handle.folder) or handle.reader
    if content.arrays:
        handle.snapshots = [(content.iteration, dict(run.snapshots).get(content.iteration, run.scores))]
        for iteration in before:
            (handle.folder / f"{iteration}.npz").unlink(missing_ok=True)


def _laid_out(content: Content, folder: Path) -> Reader | None:
    if not len(content.curve):
        return None
    live = folder / "live"
    # Of a run under way there is an earlier one, which may be read at this moment.
    live.unlink(missing_ok=True)
    arrays: dict[str, Any] = dict(content.arrays)
    if arrays:
        write_arrays(folder / f"{content.iteration}.npz", arrays)
    writer = Writer(live, content.terms, len(content.curve), arrays, content.tracked)
    names = (*content.terms, *content.tracked)
    for objective, seconds, *values in content.curve:
        writer.add(objective, seconds, dict(zip(names, values, strict=True)))
    if arrays:
        writer.show(content.iteration, arrays)
    return Reader(live)
