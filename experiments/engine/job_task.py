"""A job in a worker: work without pictures, such as a trial, which gets turns when no watched run is due."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from experiments.engine.task import Outbox

_TURN = 0.015


class Job(Protocol):
    """Work in small steps, made from a text and answered by one."""

    def advance(self) -> bool:
        """Take a step and return whether there is more to come."""

    def answer(self) -> str:
        """Return the result, after the last step."""


# Makes a job of its text; the folder takes files that are too large for an answer.
JobKinds = Mapping[str, Callable[[str, Path], Job]]


class JobTask:
    """One job in this worker. It is made at its first turn: what waits takes no memory."""

    def __init__(self, outbox: Outbox, folder: Path, command: dict[str, Any], kinds: JobKinds) -> None:
        self.id: str = command["id"]
        self.owner: str = command["owner"]
        self.priority: int = command["priority"]
        # Nobody knows how long its first step takes: in a thread of its own it holds up no run.
        self.slow, self.awaited, self.stopping, self.ended = True, False, False, False
        self.unseen = False
        self._outbox, self._folder = outbox, folder
        self._make, self._text = kinds[command["kind"]], command["text"]
        self._job: Job | None = None

    def due_in(self, now: float) -> float | None:
        """Return 0: a job never waits."""
        return 0.0

    def take_turn(self) -> None:
        """Take steps for a few milliseconds."""
        begun = perf_counter()
        if self._job is None:
            self._outbox.send(self.id, "job begun")
            self._job = self._make(self._text, self._folder)
        while more := self._job.advance():
            if perf_counter() - begun >= _TURN:
                break
        if not more:
            self.ended = True
            self._outbox.send(self.id, "job answered", text=self._job.answer(), problem="")

    def obey(self, action: str, command: dict[str, Any]) -> None:
        """Stop; a job takes no other command."""
        if action == "stop":
            self.drop()

    def drop(self) -> None:
        """End without an answer: nobody waits for it, or another worker carries it out."""
        self.ended = True

    def give_up(self, error: Exception) -> None:
        """Answer with what went wrong."""
        self.ended = True
        self._outbox.send(self.id, "job answered", text="", problem=f"{type(error).__name__}: {error}")
