"""The table of a study: filled in cell by cell, told as text, Markdown or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from experiments.engine.record import versions
from experiments.studies.study import Measured, Study


@dataclass(frozen=True)
class Cell:
    """What one row measured on one split, in how many seconds; or why it could not."""

    row: int
    split: int
    values: Measured = field(default_factory=dict)
    seconds: float = 0.0
    problem: str = ""


@dataclass
class Outcome:
    """The cells of a study so far, by row and split."""

    study: Study
    titles: tuple[tuple[str, str], ...]
    splits: int
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        """Fill in one cell."""
        self.cells[cell.row, cell.split] = cell

    def values(self, row: int, measure: str) -> list[float]:
        """Return what is known of a measure in a row, in the order of the splits."""
        known = (self.cells.get((row, split)) for split in range(self.splits))
        return [cell.values[measure] for cell in known if cell is not None and measure in cell.values]

    def problem(self, row: int) -> str:
        """Return why a row could not be measured; nothing if it could."""
        return next((cell.problem for (at, _), cell in self.cells.items() if at == row and cell.problem), "")

    def seconds(self, row: int) -> float:
        """Return the mean time of a cell of a row."""
        spent = [cell.seconds for (at, _), cell in self.cells.items() if at == row]
        return float(np.mean(spent)) if spent else 0.0

    def as_text(self) -> str:
        """Return the table with aligned columns: mean and standard deviation over splits, in percent."""
        head, *body = self._table()
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
                 for row in (head, ["-" * width for width in widths], *body)]  # fmt: skip
        return "\n".join([self.study.title, "", *lines, "", self._foot()])

    def as_markdown(self) -> str:
        """Return the table as Markdown."""
        head, *body = self._table()
        lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body)]
        return "\n".join([f"### {self.study.title}", "", *lines, "", self._foot()])

    def as_json(self) -> str:
        """Return everything that was measured, split by split."""
        rows = [
            {
                "title": title,
                "group": group,
                "seconds": round(self.seconds(row), 3),
                "problem": self.problem(row),
                **{measure: self.values(row, measure) for measure in self.study.measures},
            }
            for row, (title, group) in enumerate(self.titles)
        ]
        plain: dict[str, Any] = {
            "study": self.study.id,
            "title": self.study.title,
            "dataset": self.study.dataset,
            "splits": self.splits,
            "measures": dict(self.study.measures),
            "rows": rows,
            "notes": self.study.notes,
            "versions": versions(),
        }
        return json.dumps(plain, indent=2, allow_nan=False, ensure_ascii=False) + "\n"

    def _table(self) -> list[list[str]]:
        rows = [["", "", *self.study.measures.values(), "seconds"]]
        for row, (title, group) in enumerate(self.titles):
            cells = [_spread(self.values(row, measure)) for measure in self.study.measures]
            problem = self.problem(row)
            rows.append([group, title, *cells, problem or f"{self.seconds(row):.1f}"])
        return rows

    def _foot(self) -> str:
        said = "One split, in percent."
        if self.splits > 1:
            said = f"Mean over {self.splits} splits, in percent; standard deviation in brackets."
        return f"{said} {self.study.notes}".strip()


def _spread(values: list[float]) -> str:
    if not values:
        return "–"
    mean = f"{100 * np.mean(values):.1f}"
    return mean if len(values) == 1 else f"{mean} ({100 * np.std(values):.1f})"
