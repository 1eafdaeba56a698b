"""What a study is: rows that are measured on several splits, each cell a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Table, Trial


@dataclass(frozen=True)
class Row:
    """A row of the table; the seed of its request is that of the first split."""

    title: str
    group: str
    request: RunRequest


@dataclass(frozen=True)
class Study:
    """A table to be filled in: one trial a row and a split, each with the same measures.

    `measures` are the columns: by name what is measured, and its heading in `headings`. `dataset` is what has
    to be on this machine; `rows` is only asked once it is. `notes` say what a reader of the table must know.
    """

    id: str
    title: str
    summary: str
    dataset: str
    measures: Mapping[str, MeasureRequest]
    headings: Mapping[str, str]
    rows: Callable[[], tuple[Row, ...]]
    splits: int = 5
    notes: str = ""

    def table(self, splits: int | None = None) -> Table:
        """Return the trials of the study, by group and title of the row."""
        count = self.splits if splits is None else splits
        if count < 1:
            raise ValueError(f"splits must be at least 1, not {count}.")
        measures = tuple(self.measures.values())
        trials = {
            (row.group, row.title): tuple(
                Trial(replace(row.request, seed=row.request.seed + split), measures) for split in range(count)
            )
            for row in self.rows()
        }
        return Table(("group", "row"), trials)
