"""The course of a run by view as a table to take along."""

from __future__ import annotations

from experiments.engine.handle import Handle
from experiments.table_files import TableFile
from ui.views.answers import course


def course_table(handle: Handle) -> TableFile:
    """Return weight and error of every view over the iterations."""
    answer = course(handle)
    heads = [f"{what} of {view}" for what in ("weight", "error") for view in answer["views"]]
    rows = zip(answer["iterations"], answer["weights"], answer["errors"], strict=True)
    made = [[iteration, *weights, *errors] for iteration, weights, errors in rows]
    return TableFile("Weight of each view, and what it leaves unexplained", ["iteration", *heads], made)
