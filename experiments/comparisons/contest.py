"""Single views, views side by side and fused, compared over several splits while somebody looks on.

The fits are runs everybody shares, so they are made by the workers; what is measured on them is worked out
behind the page. A contest moves on when it is looked at, a few cells at a time, and stands still otherwise.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial

from experiments.comparisons.fusion import Contender, measured
from experiments.engine.background import Background
from experiments.engine.handle import Handle
from experiments.requests.request import RunRequest

SPLITS = 5
_AT_ONCE = 3
# A run whose process ended is started anew, but not for ever: it may be the one that ends it.
_MOST_LOSSES = 2
Measures = dict[str, float]
Fits = Callable[[RunRequest], Handle]


class Contest:
    """A cell for each contender and split: its measures, or why there are none."""

    def __init__(
        self, like: RunRequest, everybody: Sequence[Contender], fits: Fits, behind: Background
    ) -> None:
        self.like, self.everybody = like, tuple(everybody)
        self._fits, self._behind = fits, behind
        self._found: dict[tuple[int, int], Measures | str] = {}
        self._lost: dict[tuple[int, int], set[str]] = {}
        self._lock = threading.Lock()

    @property
    def whole(self) -> int:
        """How many cells there are."""
        return len(self.everybody) * SPLITS

    @property
    def known(self) -> int:
        """How many cells are filled in."""
        return len(self._found)

    def advance(self) -> None:
        """Start what there is room for and take in what has come to an end."""
        # Several visitors may look at the same time; one of them at a time moves it on.
        if not self._lock.acquire(blocking=False):
            return
        try:
            waiting = 0
            # Split by split, so that everybody soon has a number.
            for split in range(SPLITS):
                for index in range(len(self.everybody)):
                    if (index, split) not in self._found and waiting < _AT_ONCE:
                        waiting += self._try(index, split)
        finally:
            self._lock.release()

    def values(self, index: int, measure: str) -> list[float]:
        """Return what is known of a contender's measure, split by split."""
        cells = (self._found.get((index, split)) for split in range(SPLITS))
        return [cell[measure] for cell in cells if isinstance(cell, dict)]

    def problem(self, index: int) -> str:
        """Return why a contender has no number; nothing if it has, or may still have."""
        cells = (self._found.get((index, split)) for split in range(SPLITS))
        return next((cell for cell in cells if isinstance(cell, str)), "")

    def _try(self, index: int, split: int) -> bool:
        """Fill in a cell if its run has ended, and return whether one must still wait for it."""
        request = self.everybody[index].request(self.like, seed=(self.like.seed + split) % 2**32)
        try:
            handle = self._fits(request)
        except ValueError as refusal:
            self._found[index, split] = str(refusal)
            return False
        if not handle.ended or self._starts_anew(index, split, handle):
            return True
        if handle.status not in ("done", "max_iter"):
            self._found[index, split] = handle.message
            return False
        task = self._behind.ask(("contest", request.key), partial(_measured, handle))
        if not task.done:
            return True
        self._found[index, split] = task.message or task.value
        return False

    def _starts_anew(self, index: int, split: int, handle: Handle) -> bool:
        """Say whether a run ended through no fault of its own: the next look at it finds another."""
        if handle.status == "interrupted":
            lost = self._lost.setdefault((index, split), set())
            lost.add(handle.id)
            return len(lost) < _MOST_LOSSES
        return handle.status == "stopped"  # Nobody had looked at it for a while.


def _measured(handle: Handle) -> Measures:
    return measured(handle.request, handle.scores, handle.final()["embedding"])
