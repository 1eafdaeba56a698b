"""A run on its way into the store: what is to be written down of it, and how it goes on from another."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from experiments.engine.handle import ENDED, Handle
from experiments.engine.record import versions

if TYPE_CHECKING:
    # SQLAlchemy takes a third of a second to load: not before the first run is kept.
    from experiments.store import Content, RunEnding, RunStore, StoredRun
    from experiments.store.unsaved import Ending


@dataclass
class RunEntry:
    """The entry of a run in the store of its owner, as it is written; `begun` once the store has a row of it.

    It may go on from an interrupted run (`before`, with what was kept of that) and take its place. One that
    is `passing` leaves no trace unless somebody has named, tagged or shared it meanwhile.
    """

    handle: Handle
    owner: str
    saved_at: float
    # Whether it has come further than what was saved.
    behind: bool = False
    name: str = ""
    begun: bool = False
    passing: bool = False
    saved_version: tuple[Any, ...] = ()
    before: tuple[Content, StoredRun] | None = None
    created_at: float = field(default_factory=time.time)

    def begin(self, store: RunStore) -> None:
        """Write down that it has begun, if that has not been done."""
        if self.begun:
            return
        request, follows = self.handle.request, None
        if self.before is not None:
            request, follows = self.before[1].request, self.before[1]
        store.begin(self.handle.id, request, self.owner, follows=follows, name=self.name)
        self.begun = True
        if self.before is not None and follows is not None:
            # From here on the new run stands for the old one, even if it is cut off at once.
            store.save(self.handle.id, self.before[0], _outcome_of(follows))
            store.forget(follows.id)

    def reached(self) -> tuple[Content, RunEnding]:
        """Return how far it has come."""
        content, outcome = content_of(self.handle), outcome_of(self.handle)
        return (content, outcome) if self.before is None else _joined(*self.before, content, outcome)

    def ending(self) -> Ending:
        """Return all there is to write down of it, now that it has ended."""
        from experiments.store.run_columns import fingerprint
        from experiments.store.unsaved import Ending

        content, outcome = self.reached()
        ending = Ending(
            self.handle.id, self.handle.request, fingerprint(self.owner), content, outcome,
            begun=self.begun, passing=self.passing, name=self.name, created_at=self.created_at,
        )  # fmt: skip
        if self.before is None:
            return ending
        run = self.before[1]
        return replace(
            ending, request=run.request, replaces=run.id, name=run.name, tags=run.tags, shared=run.shared,
            created_at=run.created_at,
        )  # fmt: skip

    def let_go(self, *, stored: bool = False) -> None:
        """Say that the files of the run are needed no more, perhaps because they are in the store."""
        self.handle.recallable = stored and not self.passing
        self.handle.passing = self.passing
        if self.before is not None and self.handle.warm_from is not None:
            Path(self.handle.warm_from).unlink(missing_ok=True)
        self.handle.persisted.set()


def content_of(handle: Handle, *, arrays: bool = True) -> Content:
    """Return the curve of a run and the arrays it kept last, or the curve alone, which is quick."""
    from experiments.store import Content

    if handle.reader is None:
        return Content((), np.empty((0, 2)))
    layout = handle.reader.layout
    curve = np.array(handle.reader.curve())
    for iteration, _ in reversed(handle.snapshots) if arrays else ():
        try:
            state = handle.snapshot(iteration)
        except (KeyError, OSError, ValueError):
            continue  # Its file is gone, or not whole yet: the one before will do.
        return Content(layout.terms, curve, state, iteration, layout.tracked)
    return Content(layout.terms, curve, tracked=layout.tracked)


def outcome_of(handle: Handle) -> RunEnding:
    """Return what is known of a run besides its arrays."""
    from experiments.store import RunEnding

    return RunEnding(
        status=handle.status if handle.status in ENDED else "running",
        message=handle.message,
        scores=handle.scores,
        snapshots=list(handle.snapshots),
        versions=handle.ending.get("versions") or versions(),
        ending={
            "elapsed": handle.ending.get("elapsed"),
            "paused": handle.status == "paused",
            "discriminative": handle.discriminative,
            "note": handle.note,
            "flags": list(handle.flags),
            "warm": handle.warm,
            "reading": handle.ending.get("reading", {}),
            "files": handle.ending.get("files", ()),
        },
    )


def _outcome_of(run: StoredRun) -> RunEnding:
    """Return what is known of an interrupted run, as that of one under way."""
    from experiments.store import RunEnding

    details = run.details
    return RunEnding(
        "running", "", run.scores, run.snapshots, details.get("versions", {}), details.get("ending", {})
    )


def _joined(
    before: Content, run: StoredRun, content: Content, outcome: RunEnding
) -> tuple[Content, RunEnding]:
    """Return a resumed run as one: what it had found until it was cut off, and what it found since."""
    at = before.iteration
    earlier = [(number, scores) for number, scores in run.snapshots if number <= at]
    later = [(number + at, scores) for number, scores in outcome.snapshots if number > 0]
    outcome = replace(outcome, snapshots=earlier + later, ending={**outcome.ending, "resumed_at": at})
    curve = before.curve[: at + 1]
    if len(content.curve) > 1 and content.curve.shape[1] == curve.shape[1]:
        rest = content.curve[1:].copy()
        rest[:, 1] += curve[-1, 1]
        curve = np.concatenate([curve, rest])
    arrays, iteration = content.arrays or before.arrays, at + max(0, content.iteration)
    return replace(before, curve=curve, arrays=arrays, iteration=iteration), outcome
