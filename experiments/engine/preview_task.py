"""A fit that follows a hand: with each change of its parameters it goes on from where it is.

What it finds is for looking at alone: no snapshot is stored, and it is never over by itself. The run that is
begun when the hand lets go takes its arrays over (`Service.preview`).
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from experiments.engine.record import Snapshot
from experiments.engine.run import Run
from experiments.engine.task import RunTask, visible
from experiments.requests.request import RunRequest
from methods import Step

# The start and one step from it: what has changed is seen at once, however quickly the next change comes.
_AT_ONCE = 2
# What is solved at once is shown whole, unless showing it takes longer.
_WHOLE_WITHIN = 0.05
_LONGEST_DRAG = 50_000
# Files of the curve before this one that the server may just be opening.
_FILES_LEFT = 4


class PreviewTask(RunTask):
    """One such fit in this worker."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        # The run that waits meanwhile, because this is shown in its place.
        self.instead_of: str = args[2].get("instead_of", "")
        self._wanted: dict[str, Any] | None = None
        self._unsaid: int | None = args[2]["turn"]
        self._released = False
        self._rows, self._files, self._earlier_seconds = 0, 1, 0.0

    @property
    def ended(self) -> bool:
        """Whether the hand has let go."""
        return self._released or self._dropped

    @property
    def awaited(self) -> bool:
        """Whether the hand has moved since it was last answered."""
        return self._wanted is not None or self._unsaid is not None

    def due_in(self, now: float) -> float | None:
        """Return 0 while there is something to do, None when it has settled and waits for the hand."""
        if self._wanted is not None or self._unsaid is not None:
            return 0.0
        return super().due_in(now) if self.run.status is None else None

    def take_turn(self) -> None:
        """Take over what the hand wants, with a step that shows it; else go on for a few milliseconds."""
        if self._wanted is not None:
            self._begin_again(self._wanted)
        if self._unsaid is None:
            super().take_turn()
            return
        begun = perf_counter()
        for _ in range(_AT_ONCE):
            self._advance()
        while self.run.status is None and self.run.closed and perf_counter() - begun < _WHOLE_WITHIN:
            self._advance()
        self._show(perf_counter())
        problem = self.run.message if self.run.status in ("failed", "diverged") else ""
        self._outbox.send(self.id, "turned", turn=self._unsaid, problem=problem)
        self._unsaid = None

    def obey(self, action: str, command: dict[str, Any]) -> None:
        """Note what the hand wants, the latest counting, or that it has let go."""
        if action == "turn":
            self._wanted = command
        elif action == "stop":
            self._released = True
            self._outbox.send(self.id, "ended", status="stopped", message="", scores={})

    def _advance(self) -> None:
        if self.run.advance():
            self._publish_row()

    def _begin_again(self, wanted: dict[str, Any]) -> None:
        self._earlier_seconds += self.run.seconds[-1] if self.run.seconds else 0.0
        request = RunRequest.from_json(wanted["request"])
        self.run = Run(request, keep=self._store_snapshot, earlier=self.run.left())
        self._unsaid, self._wanted = wanted["turn"], None

    def _publish_row(self) -> None:
        step = self.run.step
        assert step is not None
        if self._writer is not None and not self._writer.fits(step.terms, visible(step)):
            self._open_another()
        self._rows += 1
        super()._publish_row()

    def _open_another(self) -> None:
        """Have the next row begin a new curve, in a file for arrays of other sizes."""
        (self._folder / f"live{self._files - _FILES_LEFT}").unlink(missing_ok=True)
        self._live = self._folder / f"live{self._files}"
        self._writer, self._rows = None, 0
        self._files += 1

    def _longest(self) -> int:
        return _LONGEST_DRAG

    def _seconds(self) -> float:
        return self._earlier_seconds + super()._seconds()

    def _iteration(self, step: Step) -> int:
        return self._rows - 1

    def _flag(self) -> None:
        """Say nothing of an objective that rises: it is another one with every change."""

    def _store_snapshot(self, snapshot: Snapshot) -> None:
        """Send what is recognised by it, and keep nothing."""
        self._outbox.send(self.id, "scores", scores=dict(snapshot.scores))

    def _send_ending(self) -> None:
        """Go on waiting for the hand."""
