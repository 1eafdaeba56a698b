"""Trials and chains of them: plain data whose keys follow from their content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import methods
from experiments.requests.request import RunRequest
from experiments.trials.catalogue import measure


@dataclass(frozen=True)
class MeasureRequest:
    """A measure with its settings.

    >>> MeasureRequest("accuracy", {"metric": "cosine"}).name
    'accuracy(asked=seen, metric=cosine, reading=own)'
    """

    measure: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def name(self) -> str:
        """The measure and all its settings in words; scores go by it."""
        settings = measure(self.measure).resolved(self.settings)
        text = ", ".join(f"{name}={value}" for name, value in sorted(settings.items()))
        return f"{self.measure}({text})" if text else self.measure

    def plain(self) -> list[Any]:
        """Return measure, its revision and every setting."""
        described = measure(self.measure)
        return [described.id, described.revision, described.resolved(self.settings)]


@dataclass(frozen=True)
class Trial:
    """A run request and what is to be measured of its fit; several measures share one fit.

    If it is `pictured`, its parts and its curve are kept to be looked at (`experiments.trials.keepsake`).
    """

    request: RunRequest
    wanted: tuple[MeasureRequest, ...]
    pictured: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        """Bring the measures into order, each once."""
        if not self.wanted:
            raise ValueError("A trial needs at least one measure.")
        once = {request.name: request for request in self.wanted}
        object.__setattr__(self, "wanted", tuple(once[name] for name in sorted(once)))

    @cached_property
    def key(self) -> str:
        """A short name for everything that decides the result; a ValueError says what makes no sense."""
        decides = {
            "request": json.loads(self.request.canonical()),
            "method": methods.spec(self.request.method).revision,
            "measures": [request.plain() for request in self.wanted],
        }
        return _digest(json.dumps(decides, sort_keys=True, allow_nan=False))

    def to_json(self) -> str:
        """Return the trial as text, from which `from_json` makes it again."""
        measures = [[request.measure, dict(request.settings)] for request in self.wanted]
        plain = {"request": json.loads(self.request.as_given()), "wanted": measures}
        return json.dumps(plain | ({"pictured": True} if self.pictured else {}), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the trial that `to_json` was made from."""
        plain = json.loads(text)
        measures = tuple(MeasureRequest(name, settings) for name, settings in plain["wanted"])
        return cls(RunRequest(**plain["request"]), measures, plain.get("pictured", False))


@dataclass(frozen=True)
class Chain:
    """Trials fitted one from another, in order: each starts from the factors the one before ended with.

    It is one piece of work. What comes out for a trial depends on those before it, and so does its key.
    """

    trials: tuple[Trial, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The key of each trial where it stands. The first one starts cold: its key is its own."""
        keys: list[str] = []
        for trial in self.trials:
            keys.append(_digest(f"{keys[-1]} {trial.key}") if keys else trial.key)
        return tuple(keys)

    def to_json(self) -> str:
        """Return the chain as text, from which `from_json` makes it again."""
        return json.dumps([trial.to_json() for trial in self.trials])

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the chain that `to_json` was made from."""
        return cls(tuple(Trial.from_json(trial) for trial in json.loads(text)))


def as_chain(work: Trial | Chain) -> Chain:
    """Return a chain; a trial is a chain of one."""
    return work if isinstance(work, Chain) else Chain((work,))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
