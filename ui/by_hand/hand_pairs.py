"""Must-link and cannot-link pairs given by a visitor: stored for the session, turn by turn."""

from __future__ import annotations

from experiments.requests.by_hand import Pair, checked_pairs
from ui import state

_STORED = "_pairs by hand"
MOST = 500
_Turns = tuple[tuple[Pair, ...], ...]


def given(dataset_id: str, of: int) -> tuple[Pair, ...]:
    """Return the pairs given for data with this many samples; other options may mean other samples."""
    turns = _turns(dataset_id, of)
    return turns[-1] if turns else ()


def say(dataset_id: str, of: int, pair: Pair) -> None:
    """Add a pair; the last entry for two samples counts. A ValueError says in a sentence what is wrong."""
    (checked,) = checked_pairs([pair])
    others = [other for other in given(dataset_id, of) if other[:2] != checked[:2]]
    if len(others) >= MOST:
        raise ValueError(f"At most {MOST} pairs can be given by hand; take some back first.")
    _keep(dataset_id, of, (*_turns(dataset_id, of), checked_pairs([*others, checked])))


def replace(dataset_id: str, of: int, pairs: tuple[Pair, ...]) -> None:
    """Let these pairs hold and no others, in one turn; nothing happens if they hold or held before."""
    if len(pairs) > MOST:
        raise ValueError(f"At most {MOST} pairs can be given by hand.")
    if pairs not in _turns(dataset_id, of):
        _keep(dataset_id, of, (*_turns(dataset_id, of), pairs))


def undo(dataset_id: str, of: int) -> None:
    """Take back the last turn; nothing happens if there is none."""
    _keep(dataset_id, of, _turns(dataset_id, of)[:-1])


def can_undo(dataset_id: str, of: int) -> bool:
    """Return whether there is anything to take back."""
    return bool(_turns(dataset_id, of))


def _turns(dataset_id: str, of: int) -> _Turns:
    stored: dict[tuple[str, int], _Turns] = state.get(_STORED) or {}
    return stored.get((dataset_id, of), ())


def _keep(dataset_id: str, of: int, turns: _Turns) -> None:
    stored: dict[tuple[str, int], _Turns] = state.get(_STORED) or {}
    state.put(_STORED, {**stored, (dataset_id, of): turns})
