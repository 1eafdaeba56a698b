"""Labels given by hand: one place for every page where a sample can be named.

They belong to the visitor, whose browser has a token: a reload or a second tab shows them again. They are
stored by data set, turn by turn, so that the last turn can be undone. Options may change which samples a
data set has: with `of`, the number of samples, only labels given for that many samples are returned.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

from experiments.requests.by_hand import checked_labels
from ui import owner

HandLabels = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class _Turn:
    """Labels given at once; with `afresh` they replace all earlier turns."""

    labels: HandLabels
    afresh: bool = False
    of: int | None = None

    def about(self, of: int | None) -> bool:
        """Return whether this turn is about `of` samples; True if either number is not known."""
        return of is None or self.of is None or of == self.of


# Labels of one visitor for a data set: far more than anybody clicks, far less than burdens the server.
MOST = 2000
_MOST_TURNS = 200
_MOST_IN_TURNS = 5 * MOST
# Visitors and data sets stored; the least recently changed are dropped first.
_MOST_STORED = 400

_turns_by_owner: OrderedDict[tuple[str, str], tuple[_Turn, ...]] = OrderedDict()
_lock = Lock()


def given(dataset_id: str, of: int | None = None) -> HandLabels:
    """Return the labels of a data set as (row, class name), sorted by row; the last label of a row counts."""
    return tuple(sorted(_holding(_turns(dataset_id), of).items()))


def assign(dataset_id: str, rows: Iterable[int], name: str, of: int | None = None) -> None:
    """Give rows a class, known or new; a ValueError says in a sentence what is wrong."""
    assign_each(dataset_id, ((row, name) for row in rows), of)


def assign_each(dataset_id: str, labels: Iterable[tuple[int, str]], of: int | None = None) -> None:
    """Give rows a class each, all in one turn; a ValueError says in a sentence what is wrong."""
    checked = checked_labels(labels)
    if not checked:
        raise ValueError("Choose at least one sample to give a class to.")
    _say(dataset_id, _Turn(checked, of=of))


def replace(dataset_id: str, labels: Iterable[tuple[int, str]], of: int | None = None) -> None:
    """Let these labels hold and no others, in one turn; a ValueError says in a sentence what is wrong."""
    _say(dataset_id, _Turn(checked_labels(labels), afresh=True, of=of))


def was_given(dataset_id: str, labels: HandLabels, of: int | None = None) -> bool:
    """Say whether these labels, sorted by row, hold or held before the last turns."""
    turns, names = _turns(dataset_id), dict(labels)
    return any(_holding(turns[: place + 1], of) == names for place in range(len(turns)))


def undo(dataset_id: str, of: int | None = None) -> None:
    """Take back the last turn; nothing happens if there is none."""
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
            names = ({} if turn.afresh else names) | dict(turn.labels)
    return names


def _folded(turns: tuple[_Turn, ...]) -> tuple[_Turn, ...]:
    """Return turns that hold the same but are not too many: the earliest become one and cannot be undone."""
    while len(turns) > _MOST_TURNS or sum(len(turn.labels) for turn in turns) > _MOST_IN_TURNS:
        pairs = enumerate(pairwise(turns))
        place = next((place for place, (first, second) in pairs if first.of == second.of), None)
        if place is None:
            raise ValueError(
                "Labels of too many kinds of samples have been given by hand; take some back first."
            )
        first, second = turns[place : place + 2]
        labels = tuple(sorted(_holding((first, second), None).items()))
        turns = (*turns[:place], _Turn(labels, first.afresh or second.afresh, first.of), *turns[place + 2 :])
    return turns


def _turns(dataset_id: str) -> tuple[_Turn, ...]:
    with _lock:
        return _turns_by_owner.get((owner.token(), dataset_id), ())


def _keep(dataset_id: str, turns: tuple[_Turn, ...]) -> None:
    place = owner.token(), dataset_id
    with _lock:
        _turns_by_owner[place] = turns
        _turns_by_owner.move_to_end(place)
        if not turns:
            del _turns_by_owner[place]
        while len(_turns_by_owner) > _MOST_STORED:
            _turns_by_owner.popitem(last=False)
