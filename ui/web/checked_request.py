"""The content of a request, checked before anything is done about it: ids, numbers, words, the theme."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from experiments.engine.handle import Handle

GONE = "This run is no longer kept. Reload the page to start it again."
Theme = Literal["light", "dark"]
_RUN_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_LONGEST_WORD, _MOST_DIGITS, _MOST_NUMBERS = 400, 9, 4000
_COOKIE, _TOKEN = "partwise_owner", re.compile(r"[\w-]{32}", re.ASCII)


class RefusedError(ValueError):
    """A request that is not answered: the status and a sentence that says why."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class CheckedRequest:
    """A checked request: the runs it is about, who asks, and its words and numbers by name."""

    path: Mapping[str, str]
    query: Mapping[str, Sequence[str]]
    visitor: str | None = None
    runs: tuple[Handle, ...] = field(default=())

    @property
    def run(self) -> Handle:
        """The run, where there is one."""
        return self.runs[0]

    @property
    def looker(self) -> str:
        """Who looks; without cookies a visitor for each set of runs that is looked at."""
        return self.visitor or ",".join(run.id for run in self.runs)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The data sets it is about."""
        named = (self.path["dataset"],) if "dataset" in self.path else ()
        return (*(run.request.dataset for run in self.runs), *named)

    @property
    def theme(self) -> Theme:
        """The requested theme of a picture."""
        return "dark" if self.word("theme") == "dark" else "light"

    def words(self, name: str) -> Sequence[str]:
        """Return all values of a name, in their order."""
        values = [self.path[name]] if name in self.path else self.query.get(name, ())
        if any(len(word) > _LONGEST_WORD for word in values):
            raise RefusedError(f"{name} is too long.")
        return values

    def word(self, name: str, default: str = "") -> str:
        """Return one value of a name."""
        return next(iter(self.words(name)), default)

    def number(self, name: str, default: int = 0) -> int:
        """Return a whole number of zero or more."""
        words = self.words(name)
        return _whole(name, words[0]) if words else default

    def optional_number(self, name: str) -> int | None:
        """Return a whole number of zero or more, None if there is none."""
        return self.number(name) if self.words(name) else None

    def numbers(self, name: str) -> list[int]:
        """Return whole numbers that are joined by commas."""
        # Not by `words`: a list may be longer than any word.
        joined = next(iter(self.query.get(name, ())), "")
        if len(joined) > _MOST_NUMBERS * (_MOST_DIGITS + 1) or joined.count(",") >= _MOST_NUMBERS:
            raise RefusedError(f"{name} holds more than {_MOST_NUMBERS} numbers.")
        return [_whole(name, word) for word in joined.split(",") if word]


def run_ids(joined: str, most: int) -> tuple[str, ...]:
    """Return ids that are joined by commas; a RefusedError if they are too many or cannot be ids."""
    if joined.count(",") >= most:
        raise RefusedError("One run at a time, please." if most == 1 else f"At most {most} runs at a time.")
    ids = tuple(joined.split(","))
    if not all(_RUN_ID.fullmatch(id) for id in ids):
        raise RefusedError(GONE, 404)
    return ids


def visitor_of(connection: HTTPConnection) -> str | None:
    """Return the token by which the browser is known, None if it has none."""
    token = connection.cookies.get(_COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


def who_asks(connection: HTTPConnection) -> tuple[str, str | None]:
    """Return where a connection comes from (behind a proxy on this machine, whom that one names), and who."""
    return connection.client.host if connection.client else "", visitor_of(connection)


def _whole(name: str, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS):
        raise RefusedError(
            f"{name} must be a whole number of zero or more with at most {_MOST_DIGITS} digits."
        )
    return int(word)
