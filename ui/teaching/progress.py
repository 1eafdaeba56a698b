"""How far each visitor has come in each lesson: the place, what was predicted, which steps are done.

It belongs to the browser's token, so that leaving and coming back finds the place; it is not in the database.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from ui import owner

# Visitors and lessons remembered; the least recently changed are dropped first.
_MOST_REMEMBERED = 4000


@dataclass(frozen=True)
class Progress:
    """The step somebody is at, the predictions by step, the steps done and those seen."""

    at: int = 0
    guesses: dict[int, Any] = field(default_factory=dict)
    done: frozenset[int] = frozenset()
    seen: frozenset[int] = frozenset()


_by_visitor: OrderedDict[tuple[str, str], Progress] = OrderedDict()
_lock = Lock()


def of(lesson: str) -> Progress | None:
    """Return how far this visitor is in a lesson; None if it has not been opened."""
    with _lock:
        return _by_visitor.get((owner.token(), lesson))


def arrive(lesson: str, step: int) -> None:
    """Remember that a step was opened."""
    before = of(lesson) or Progress()
    _remember(lesson, replace(before, at=step, seen=before.seen | {step}))


def predict(lesson: str, step: int, guess: Any) -> None:
    """Remember a prediction; the first one counts."""
    before = of(lesson) or Progress()
    _remember(lesson, replace(before, guesses={step: guess} | before.guesses))


def finish(lesson: str, step: int) -> None:
    """Remember that a step was done."""
    before = of(lesson) or Progress()
    if step not in before.done:
        _remember(lesson, replace(before, done=before.done | {step}))


def forget(lesson: str) -> None:
    """Let a lesson begin as if it had not been opened."""
    with _lock:
        _by_visitor.pop((owner.token(), lesson), None)


def _remember(lesson: str, progress: Progress) -> None:
    place = owner.token(), lesson
    with _lock:
        _by_visitor[place] = progress
        _by_visitor.move_to_end(place)
        while len(_by_visitor) > _MOST_REMEMBERED:
            _by_visitor.popitem(last=False)
