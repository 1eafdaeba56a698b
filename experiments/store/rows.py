"""Runs as the store tells of them, what may be asked of it, and what a run reports when it ends."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from experiments.requests.request import RunRequest
from experiments.store.files import Content

LONGEST_NAME, LONGEST_TAG, MOST_TAGS = 80, 30, 8
Shelf = Literal["mine", "shared", "everything"]


@dataclass(frozen=True)
class RunEnding:
    """What is known of a run besides its arrays: at its end, or on its way with the status "running"."""

    status: str
    message: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    snapshots: Sequence[tuple[int, Mapping[str, float]]] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    ending: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredRun:
    """A run in the store, without its arrays."""

    id: str
    key: str
    # The server process that carries it, or has carried it.
    server: str
    mine: bool
    shared: bool
    name: str
    tags: tuple[str, ...]
    status: str
    created_at: float
    request: RunRequest
    iterations: int
    seconds: float
    objective: float | None
    accuracy: float | None
    bytes: int
    details: Mapping[str, Any]

    @property
    def ended(self) -> bool:
        """Whether no further step will be taken."""
        return self.status != "running"

    @property
    def carried_by(self) -> str:
        """What visitors read of the server that carries it."""
        return self.server.rpartition("-")[0]

    @property
    def paused(self) -> bool:
        """Whether it was paused when it was last written down."""
        return bool(self.details.get("ending", {}).get("paused"))

    @property
    def imported(self) -> bool:
        """Whether it was brought in from a bundle: its numbers are what the bundle says."""
        return bool(self.details.get("ending", {}).get("imported"))

    @property
    def message(self) -> str:
        """What there is to say of how it ended."""
        return str(self.details.get("message", ""))

    @property
    def scores(self) -> dict[str, float]:
        """The scores of the latest iteration scored."""
        return _numbers(self.details.get("scores", {}))

    @property
    def snapshots(self) -> list[tuple[int, dict[str, float]]]:
        """The iterations that were scored, with their scores."""
        entries = self.details.get("snapshots", [])
        return [(int(iteration), _numbers(scores)) for iteration, scores in entries]

    @property
    def terms(self) -> tuple[str, ...]:
        """The names of the parts of the objective."""
        return tuple(self.details.get("terms", ()))

    @property
    def tracked(self) -> tuple[str, ...]:
        """The names of what else has a curve."""
        return tuple(self.details.get("tracked", ()))

    @property
    def resumable(self) -> bool:
        """Whether it was cut off and there is something to go on from."""
        return self.status == "interrupted" and int(self.details.get("iteration", -1)) > 0


@dataclass(frozen=True)
class RunFilter:
    """Which runs to list. `text` is looked for in names, tags (as #tag), data and methods."""

    owner: str = ""
    shelf: Shelf = "mine"
    method: str | None = None
    dataset: str | None = None
    status: str | None = None
    text: str = ""
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True)
class RunPage:
    """A page of runs, newest first, and how many there are in all."""

    runs: tuple[StoredRun, ...]
    total: int


def checked_name(name: str) -> str:
    """Return a name as it is kept: one line, not too long."""
    plain = " ".join(_printable(name).split())
    if len(plain) > LONGEST_NAME:
        raise ValueError(f"A name may have up to {LONGEST_NAME} characters; this one has {len(plain)}.")
    return plain


def checked_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return tags as they are kept: single words in small letters, each once.

    >>> checked_tags(["#Lecture", " orl ", "orl"])
    ('lecture', 'orl')
    """
    words = [word.lstrip("#").lower() for tag in tags for word in _printable(tag).replace(",", " ").split()]
    unique = tuple(dict.fromkeys(word for word in words if word))
    if len(unique) > MOST_TAGS:
        raise ValueError(f"A run may have up to {MOST_TAGS} tags; these are {len(unique)}.")
    for word in unique:
        if len(word) > LONGEST_TAG:
            raise ValueError(f"A tag may have up to {LONGEST_TAG} characters; {word!r} has {len(word)}.")
    return unique


def searched(name: str, tags: Sequence[str], dataset: str, method: str) -> str:
    """Return the text in which a search looks."""
    return " ".join((name, *(f"#{tag}" for tag in tags), dataset, method)).lower()


def details_json(outcome: RunEnding, content: Content) -> str:
    """Return what is read only when a run is opened, as JSON without infinities."""
    plain = {
        "message": outcome.message,
        "scores": dict(outcome.scores),
        "snapshots": [[number, dict(scores)] for number, scores in outcome.snapshots],
        "versions": dict(outcome.versions),
        "ending": dict(outcome.ending),
        "terms": list(content.terms),
        "tracked": list(content.tracked),
        "iteration": content.iteration,
    }
    return json.dumps(_finite(plain), allow_nan=False)


def _numbers(scores: Mapping[str, float | None]) -> dict[str, float]:
    return {name: score for name, score in scores.items() if score is not None}


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _printable(text: str) -> str:
    # PostgreSQL takes no NUL, and nobody reads the other control characters.
    return "".join(letter if letter.isprintable() else " " for letter in text)
