"""What takes seconds never holds up a page: it is worked out behind it, and the page runs again then."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st

from experiments.engine.background import Background
from experiments.engine.handle import Handle
from ui.fragments import fragment

_LOOK_EVERY = 0.7
Wish = tuple[Hashable, Callable[[], Any]]


@dataclass(frozen=True)
class Answer:
    """What there is of a wish at this moment: a value, a message that says why there is none, or neither."""

    done: bool
    value: Any = None
    message: str = ""


class Desk:
    """What one run of a page asks for; the same wish has the same answer until the run is over."""

    def __init__(self) -> None:
        self._wishes: dict[Hashable, Wish] = {}
        self._answers: dict[Hashable, Answer] = {}

    def ask(self, key: Hashable, make: Callable[[], Any], *, patience: float = 0.0) -> Answer:
        """Return what is worked out under this key, begun if it is new.

        `patience` is how many seconds the page may stand still for it: what is quick then never flickers.
        """
        if key not in self._answers:
            task = _background().ask(key, make)
            done = task.finished.wait(patience) if patience else task.done
            self._wishes[key] = key, make
            self._answers[key] = Answer(done, task.value, task.message) if done else Answer(False)
        return self._answers[key]

    def watch(self, text: str) -> None:
        """Say what is being worked out; the page runs again with each answer that comes."""
        missing = [self._wishes[key] for key, answer in self._answers.items() if not answer.done]
        if missing:
            until(lambda: _any_done(missing), text)


def _any_done(wishes: list[Wish]) -> bool:
    # All of them are asked for each time: what nobody asks for any more is dropped.
    tasks = [_background().ask(*wish) for wish in wishes]
    return any(task.done for task in tasks)


@lru_cache(maxsize=1)
def _background() -> Background:
    # Nearly all of it is waiting for a worker: somebody's slow wishes hold up nobody else's.
    return Background(threads=32, most=64)


def for_run(handle: Handle, text: str) -> None:
    """Say that a run is under way until it has ended, then run the page again."""
    until(lambda: _ended(handle), text)


def _ended(handle: Handle) -> bool:
    # A run that nobody looks at is stopped after a while.
    handle.touch()
    return handle.ended


@fragment(run_every=_LOOK_EVERY)
def until(ready: Callable[[], bool], text: str) -> None:
    """Say what is under way until it is ready, then run the page again."""
    if ready():
        st.rerun()
    st.caption(text)
