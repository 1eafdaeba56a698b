"""Labels given by hand in this session: one place for every page where a sample can be named.

They are kept by data set, in the order they were given, until they are taken back or the session
ends; they are not written to the address, which is for choices and not for data.
"""

from __future__ import annotations

from collections.abc import Iterable

from experiments.by_hand import checked_labels
from ui import state

Given = tuple[tuple[int, str], ...]
_KEPT = "_labels by hand"
# What one session may give: far more than anybody clicks, far less than would burden the server.
MOST = 2000
_MOST_TURNS = 100

# One turn is what was said at once; taking it back is one step, whatever it changed.
_Turns = tuple[Given, ...]


def given(dataset_id: str) -> Given:
    """Return the labels of a data set as (row, class name), sorted by row; the last word on a row counts."""
    turns = _turns(dataset_id)
    return turns[-1] if turns else ()


def assign(dataset_id: str, rows: Iterable[int], name: str) -> None:
    """Give rows a class, known or new; a ValueError says in a sentence what is wrong."""
    said = checked_labels((row, name) for row in rows)
    if not said:
        raise ValueError("Choose at least one sample to give a class to.")
    after = tuple(sorted((dict(given(dataset_id)) | dict(said)).items()))
    if len(after) > MOST:
        raise ValueError(f"At most {MOST} labels can be given by hand; take some back first.")
    _keep(dataset_id, (*_turns(dataset_id), after))


def undo(dataset_id: str) -> None:
    """Take back what was said last; nothing happens if there is nothing."""
    _keep(dataset_id, _turns(dataset_id)[:-1])


def clear(dataset_id: str) -> None:
    """Take back everything; this too can be undone."""
    if given(dataset_id):
        _keep(dataset_id, (*_turns(dataset_id), ()))


def can_undo(dataset_id: str) -> bool:
    """Return whether there is anything to take back."""
    return bool(_turns(dataset_id))


def _turns(dataset_id: str) -> _Turns:
    kept: dict[str, _Turns] = state.get(_KEPT) or {}
    return kept.get(dataset_id, ())


def _keep(dataset_id: str, turns: _Turns) -> None:
    kept: dict[str, _Turns] = state.get(_KEPT) or {}
    state.put(_KEPT, {**kept, dataset_id: turns[-_MOST_TURNS:]})
