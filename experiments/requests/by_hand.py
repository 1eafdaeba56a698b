"""Labels and pairs set by hand: the class of a sample, or that two samples belong together or apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from datasets import Dataset
from experiments.requests.splits import Split

Label: TypeAlias = tuple[int, str]
Pair: TypeAlias = tuple[int, int, Literal["must", "cannot"]]
_SIDES = ("must", "cannot")
_LONGEST_NAME = 100


def checked_labels(labels: Iterable[Sequence[Any]]) -> tuple[Label, ...]:
    """Return labels as (row, class name), sorted by row; one row cannot have two."""
    name_by_row: dict[int, str] = {}
    for label in labels:
        row, name = _sized("a label", label, ("row", "class name"))
        row = _row("a label", row)
        if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME:
            raise ValueError(f"the class name of row {row} must be 1 to {_LONGEST_NAME} characters of text.")
        if name_by_row.setdefault(row, name.strip()) != name.strip():
            raise ValueError(f"row {row} is given two classes: {name_by_row[row]!r} and {name.strip()!r}.")
    return tuple(sorted(name_by_row.items()))


def checked_pairs(pairs: Iterable[Sequence[Any]]) -> tuple[Pair, ...]:
    """Return pairs as (smaller row, larger row, "must" or "cannot"), sorted, each once."""
    checked: set[Pair] = set()
    for pair in pairs:
        first, second, side = _sized("a pair", pair, ("row", "row", "must or cannot"))
        low, high = sorted((_row("a pair", first), _row("a pair", second)))
        if low == high:
            raise ValueError(f"a pair needs two samples, not row {low} twice.")
        if side not in _SIDES:
            raise ValueError(f"the pair of rows {low} and {high} must be 'must' or 'cannot', not {side!r}.")
        checked.add((low, high, side))
    for low, high, side in checked:
        if side == "must" and (low, high, "cannot") in checked:
            raise ValueError(f"rows {low} and {high} are said both to belong together and not to.")
    return tuple(sorted(checked))


def class_names(ds: Dataset, labels: Iterable[Label]) -> tuple[str, ...]:
    """Return the names of all classes: those of the data, then new ones in alphabetical order."""
    names_in_data = ds.target_names if ds.y is not None else ()
    return (*names_in_data, *sorted({name for _, name in labels} - set(names_in_data)))


def with_labels(ds: Dataset, rows: Split, labels: Iterable[Label]) -> Split:
    """Return the split with labels given by hand added.

    They apply to rows that are seen without a label and are ignored on all others: a split
    labels its own rows, and held-out rows must stay unlabelled.
    """
    labels = tuple(labels)
    if not labels:
        return rows
    codes = {name: code for code, name in enumerate(class_names(ds, labels))}
    _check_inside(ds, [row for row, _ in labels])
    y_partial, unlabelled = rows.y_partial.copy(), set(rows.unlabelled.tolist())
    added = [(row, codes[name]) for row, name in labels if row in unlabelled]
    for row, code in added:
        y_partial[row] = code
    new = np.array([row for row, _ in added], dtype=np.int64)
    return Split(
        np.sort(np.concatenate([rows.labelled, new])),
        np.setdiff1d(rows.unlabelled, new),
        rows.held_out.copy(),
        y_partial,
    )


def pairs_among(ds: Dataset, rows: Split, pairs: Iterable[Pair]) -> dict[str, list[tuple[int, int]]]:
    """Return pairs as methods take them: by their places among the training rows, held-out ones left out."""
    pairs = tuple(pairs)
    _check_inside(ds, [row for low, high, _ in pairs for row in (low, high)])
    place = {int(row): index for index, row in enumerate(rows.train)}
    return {
        f"{kind}_link": [
            (place[low], place[high])
            for low, high, side in pairs
            if side == kind and low in place and high in place
        ]
        for kind in _SIDES
    }


def _sized(what: str, value: Any, of: tuple[str, ...]) -> Sequence[Any]:
    if not isinstance(value, (tuple, list)) or len(value) != len(of):
        raise ValueError(f"{what} must be ({', '.join(of)}), not {value!r}.")
    return value


def _row(what: str, value: Any) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= 0:
        return int(value)
    raise ValueError(f"{what} must name a row by its number, 0 or more, not {value!r}.")


def _check_inside(ds: Dataset, rows: Iterable[int]) -> None:
    if beyond := [row for row in rows if row >= ds.n_samples]:
        raise ValueError(f"{ds.title} has {ds.n_samples} samples: there is no row {beyond[0]}.")
