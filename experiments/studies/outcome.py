"""The table of a study as text, Markdown, CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.engine.record import versions
from experiments.studies.study import Study
from experiments.trials import Result, Table
from experiments.trials.table import Place


@dataclass(frozen=True)
class StudyTable:
    """A study, its trials, and the results there are so far."""

    study: Study
    table: Table
    results: Mapping[str, Result]

    def values(self, place: Place, measure: str) -> list[float]:
        """Return what is known of a measure in a row, in the order of the splits."""
        values = self.table.values(self.results, place, self.study.measures[measure].name)
        return [float(value) for value in values[~np.isnan(values)]]

    def problem(self, place: Place) -> str:
        """Return why a row could not be measured; nothing if it could."""
        names = (request.name for request in self.study.measures.values())
        problems = (self.table.problem(self.results, place, name) for name in names)
        return next(filter(None, problems), "")

    @property
    def whole(self) -> bool:
        """Whether every row has every number."""
        return not any(map(self.problem, self.table.trials))

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

    def as_csv(self) -> str:
        """Return every number, a row for each row of the table and split."""
        names = {request.name: measure for measure, request in self.study.measures.items()}
        return self.table.as_csv(self.results, names)

    def as_json(self) -> str:
        """Return everything that was measured, split by split."""
        rows = [
            {
                "title": title,
                "group": group,
                "seconds": round(self.table.seconds(self.results, (group, title)), 3),
                "problem": self.problem((group, title)),
                **{measure: self.values((group, title), measure) for measure in self.study.measures},
            }
            for group, title in self.table.trials
        ]
        plain: dict[str, Any] = {
            "study": self.study.id,
            "title": self.study.title,
            "dataset": self.study.dataset,
            "splits": self.table.splits,
            "measures": dict(self.study.headings),
            "rows": rows,
            "notes": self.study.notes,
            "versions": versions(),
        }
        return json.dumps(plain, indent=2, allow_nan=False, ensure_ascii=False) + "\n"

    def _table(self) -> list[list[str]]:
        rows = [["", "", *self.study.headings.values(), "seconds"]]
        for place in self.table.trials:
            cells = [self._spread(place, measure) for measure in self.study.measures]
            seconds = f"{self.table.seconds(self.results, place):.1f}"
            rows.append([*place, *cells, self.problem(place) or seconds])
        return rows

    def _spread(self, place: Place, measure: str) -> str:
        spread = self.table.spread(self.results, place, self.study.measures[measure].name)
        if spread is None:
            return "–"
        mean = f"{100 * spread.mean:.1f}"
        return mean if spread.count == 1 else f"{mean} ({100 * spread.deviation:.1f})"

    def _foot(self) -> str:
        text = "One split, in percent."
        if self.table.splits > 1:
            text = f"Mean over {self.table.splits} splits, in percent; standard deviation in brackets."
        return f"{text} {self.study.notes}".strip()
