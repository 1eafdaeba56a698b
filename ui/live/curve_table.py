"""The curves of runs as a table to take along."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from experiments.engine.handle import Handle
from experiments.table_files import TableFile
from ui.run_words import titles


def curve_table(handles: Sequence[Handle]) -> TableFile:
    """Return every iteration of some runs: objective and seconds, and the terms if there is one run."""
    named = titles(handles)
    only = handles[0].reader if len(handles) == 1 else None
    terms = list(only.layout.terms) if only else []
    rows = chain.from_iterable(_curve(named[one.id], one, 2 + len(terms)) for one in handles)
    heads = ["run", "iteration", "objective", "seconds", *terms]
    return TableFile(f"Objective of {', '.join(named.values())}", heads, list(rows))


def _curve(title: str, handle: Handle, columns: int) -> list[list[Any]]:
    if handle.reader is None:
        return []
    points = handle.reader.curve()[:, :columns].tolist()
    return [[title, iteration, *point] for iteration, point in enumerate(points)]
