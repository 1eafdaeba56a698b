"""What a study is: rows that are measured on several splits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Measured = Mapping[str, float]


@dataclass(frozen=True)
class Row:
    """A row of the table; `measure` takes the seed of a split and returns a number for each measure.

    It is sent to other processes: a function of a module, or a `functools.partial` of one.
    """

    title: str
    group: str
    measure: Callable[[int], Measured]


@dataclass(frozen=True)
class Study:
    """A table to be filled in: one cell a row and a split, each with the same measures.

    `measures` are their headings by name, `dataset` what has to be on this machine. `rows` is only asked
    once it is. `notes` say what a reader of the table must know.
    """

    id: str
    title: str
    summary: str
    dataset: str
    measures: Mapping[str, str]
    rows: Callable[[], tuple[Row, ...]]
    splits: int = 5
    notes: str = ""
