"""Labels given by hand: one place for every page where a sample can be named.

They belong to the visitor, whose browser keeps a token: a reload or a second tab finds them again. They are
kept by data set, turn by turn, so that the last turn can be taken back. Options may change which samples a
data set has: who says `of` how many samples the rows are gets what was said of as many, and of no others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

from experiments.requests.by_hand import checked_labels
from ui import owner

Given = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class _Turn:
    """What was said at once; with `afresh` it holds instead of everything said before."""

    said: Given
    afresh: bool = False
    of: int | None = None

    def about(self, of: int | None) -> bool:
        """Say whether this was said of these samples, as far as is known."""
        return of is None or self.of is None or of == self.of


# What one visitor may say of a data set: far more than anybody clicks, far less than burdens the server.
MOST = 2000
_MOST_TURNS = 200
_MOST_SAID = 5 * MOST
# Visitors and data sets remembered; those that were heard of least recently are forgotten first.
_MOST_KEPT = 400

_kept: OrderedDict[tuple[str, str], tuple[_Turn, ...]] = OrderedDict()
_lock = Lock()


def given(dataset_id: str, of: int | None = None) -> Given:
    """Return the labels of a data set as (row, class name), sorted by row; the last word on a row counts."""
    return tuple(sorted(_holding(_turns(dataset_id), of).items()))


def assign(dataset_id: str, rows: Iterable[int], name: str, of: int | None = None) -> None:
    """Give rows a class, known or new; a ValueError says in a sentence what is wrong."""
    assign_each(dataset_id, ((row, name) for row in rows), of)


def assign_each(dataset_id: str, labels: Iterable[tuple[int, str]], of: int | None = None) -> None:
    """Give rows a class each, all in one turn; a ValueError says in a sentence what is wrong."""
    said = checked_labels(labels)
    if not said:
        raise ValueError("Choose at least one sample to give a class to.")
    _say(dataset_id, _Turn(said, of=of))


def replace(dataset_id: str, labels: Iterable[tuple[int, str]], of: int | None = None) -> None:
    """Let these labels hold and no others, in one turn; a ValueError says in a sentence what is wrong."""
    _say(dataset_id, _Turn(checked_labels(labels), afresh=True, of=of))


def was_given(dataset_id: str, labels: Given, of: int | None = None) -> bool:
    """Say whether these labels, sorted by row, hold or held before the last turns."""
    turns, wanted = _turns(dataset_id), dict(labels)
    return any(_holding(turns[: place + 1], of) == wanted for place in range(len(turns)))


def undo(dataset_id: str, of: int | None = None) -> None:
    """Take back what was said last; nothing happens if there is nothing."""
    turns = _turns(dataset_id)
    last = max((place for place, turn in enumerate(turns) if turn.about(of)), default=len(turns))
    _keep(dataset_id, turns[:last] + turns[last + 1 :])


def clear(dataset_id: str) -> None:
    """Take back everything; this too can be undone."""
    if given(dataset_id):
        replace(dataset_id, ())


def can_undo(dataset_id: str, of: int | None = None) -> bool:
    """Return whether there is anything to take back."""
    return any(turn.about(of) for turn in _turns(dataset_id))


def _say(dataset_id: str, turn: _Turn) -> None:
    turns = _folded((*_turns(dataset_id), turn))
    if len(_holding(turns, turn.of)) > MOST:
        raise ValueError(f"At most {MOST} labels can be given by hand; take some back first.")
    _keep(dataset_id, turns)


def _holding(turns: tuple[_Turn, ...], of: int | None) -> dict[int, str]:
    names: dict[int, str] = {}
    for turn in turns:
        if turn.about(of):
            names = ({} if turn.afresh else names) | dict(turn.said)
    return names


def _folded(turns: tuple[_Turn, ...]) -> tuple[_Turn, ...]:
    """Return turns that hold the same but are not too many: the earliest become one and cannot be undone."""
    while len(turns) > _MOST_TURNS or sum(len(turn.said) for turn in turns) > _MOST_SAID:
        pairs = enumerate(pairwise(turns))
        place = next((place for place, (one, next_) in pairs if one.of == next_.of), None)
        if place is None:
            raise ValueError(
                "Labels of too many kinds of samples have been given by hand; take some back first."
            )
        one, next_ = turns[place : place + 2]
        said = tuple(sorted(_holding((one, next_), None).items()))
        turns = (*turns[:place], _Turn(said, one.afresh or next_.afresh, one.of), *turns[place + 2 :])
    return turns


def _turns(dataset_id: str) -> tuple[_Turn, ...]:
    with _lock:
        return _kept.get((owner.token(), dataset_id), ())


def _keep(dataset_id: str, turns: tuple[_Turn, ...]) -> None:
    place = owner.token(), dataset_id
    with _lock:
        _kept[place] = turns
        _kept.move_to_end(place)
        if not turns:
            del _kept[place]
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
