"""What is done to single parts on the way of a run: one is kept as it is, let go again, or taken away.

An edit is (after, what, part): that many iterations after the start, or after the edit before, the part with
that number is kept, freed or erased. Parts count from 0 and as they lie then: those that are kept come
first, and what is erased leaves no gap. A run with edits is the fit that goes on after the last of them; all
that was before follows from the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

What: TypeAlias = Literal["keep", "free", "erase"]
Edit: TypeAlias = tuple[int, What, int]
MOST_EDITS = 100
_IN_SHORT = re.compile(r"(\d{1,9})-([a-z]+)-(\d{1,9})")


def checked_edits(edits: Iterable[Sequence[Any]]) -> tuple[Edit, ...]:
    """Return edits as tuples; a ValueError says what is wrong with one."""
    checked = []
    for edit in edits:
        if isinstance(edit, str) or len(edit) != 3:
            raise ValueError(f"an edit must be (iterations, what, part), not {edit!r}.")
        after, what, part = edit
        if what not in get_args(What):
            raise ValueError(f"an edit must be one of {', '.join(get_args(What))}, not {what!r}.")
        for number in (after, part):
            if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                raise ValueError(f"an edit counts iterations and parts from 0: {edit!r} does not.")
        checked.append((after, cast("What", what), part))
    if len(checked) > MOST_EDITS:
        raise ValueError(f"There can be at most {MOST_EDITS} edits, not {len(checked)}.")
    return tuple(checked)


def edits_in(text: str) -> tuple[Edit, ...]:
    """Return the edits that `in_short` wrote.

    >>> edits_in("120-erase-7,40-keep-0")
    ((120, 'erase', 7), (40, 'keep', 0))
    """
    pieces = [_IN_SHORT.fullmatch(piece.strip()) for piece in text.split(",") if piece.strip()]
    if None in pieces:
        raise ValueError(f"edits are written like 120-erase-7,40-keep-0, not {text!r}.")
    return checked_edits((int(piece[1]), piece[2], int(piece[3])) for piece in pieces if piece)


def in_short(edits: Iterable[Edit]) -> str:
    """Return edits as a word for an address or a command."""
    return ",".join(f"{after}-{what}-{part}" for after, what, part in edits)


def count_fixed(edits: Iterable[Edit]) -> int:
    """Return how many parts are kept as they are after these edits; they are the first ones.

    >>> count_fixed([(10, "keep", 4), (5, "keep", 2), (0, "erase", 0)])
    1
    """
    n_fixed = 0
    for _, what, part in edits:
        n_fixed += (what == "keep" and part >= n_fixed) - (what != "keep" and part < n_fixed)
    return n_fixed


def edited(
    parts: NDArray[Any], embedding: NDArray[Any], n_fixed: int, edit: Edit
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return parts and embedding after an edit, of which the first `n_fixed` are kept before it."""
    _, what, part = edit
    count = len(parts)
    if part >= count:
        raise ValueError(f"Part {part + 1} cannot be edited: there are {count}.")
    if what == "erase" and count == 1:
        raise ValueError("The last part cannot be taken away.")
    others = [number for number in range(count) if number != part]
    if what == "keep" and part >= n_fixed:
        others.insert(n_fixed, part)
    elif what == "free" and part < n_fixed:
        others.insert(n_fixed - 1, part)
    elif what != "erase":
        others.insert(part, part)
    return np.ascontiguousarray(parts[others]), np.ascontiguousarray(embedding[:, others])
