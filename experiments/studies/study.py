"""What a study is: cells with what a paper printed, the trials that fill them, and its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from experiments.requests.request import RunRequest
from experiments.studies.awaited import Awaited
from experiments.studies.claim import Claim
from experiments.studies.paper import PaperId
from experiments.trials import MeasureRequest, Table, Trial
from experiments.trials.table import Place

Unit = Literal["%", "s"]


@dataclass(frozen=True)
class Published:
    """A printed number in the unit of the study, with its standard deviation if that is printed too."""

    mean: float
    deviation: float | None = None


@dataclass(frozen=True)
class Candidate:
    """One setting that a cell may be measured with: the request of its first split, and the measure."""

    request: RunRequest
    measure: MeasureRequest
    setting: str = ""


@dataclass(frozen=True)
class StudyCell:
    """A place in the table: what was printed there, and what it is filled with here.

    Of several candidates the one with the best mean stands there, as the papers do it. Without candidates
    it waits for the data set `awaits`, or there is nothing to measure it with.
    """

    row: str
    column: str
    candidates: tuple[Candidate, ...] = ()
    published: Published | None = None
    awaits: str = ""
    stand_in: bool = False

    @property
    def place(self) -> tuple[str, str]:
        """Row and column."""
        return self.row, self.column


@dataclass(frozen=True)
class Deviation:
    """One point of the protocol: as printed, as run here, and why these differ (nothing if they do not)."""

    point: str
    printed: str
    run: str
    why: str = ""


@dataclass(frozen=True)
class Study:
    """A table or figure of a paper (or, without a paper, of our own): see the fields.

    `datasets` are the ids that must be on this machine before it is carried out.
    With `axis` the rows are points along it, drawn as curves.
    """

    id: str
    title: str
    summary: str
    datasets: tuple[str, ...]
    cells: Callable[[], Sequence[StudyCell]]
    paper: PaperId | None = None
    item: str = ""
    splits: int = 5
    repeated: str = "split"
    unit: Unit = "%"
    axis: str = ""
    better: Literal["high", "low"] = "high"
    protocol: tuple[Deviation, ...] = ()
    claims: tuple[Claim, ...] = ()
    awaits: tuple[Awaited, ...] = ()
    # Numbers that depend on the machine are printed beside each other, not judged.
    judged: bool = True
    notes: str = ""

    @cached_property
    def plan(self) -> Plan:
        """The cells and their trials."""
        return Plan(self, tuple(self.cells()))

    def only(self, labels: str) -> Study:
        """Return the study with the cells of a row, a column, or `row/column`; a ValueError if none is."""
        row, _, column = labels.partition("/")
        cells = [
            cell for cell in self.plan.cells if (cell.place == (row, column) if column else row in cell.place)
        ]
        if not cells:
            offered = ", ".join(dict.fromkeys(name for cell in self.plan.cells for name in cell.place))
            raise ValueError(f"{self.id} has no item {labels!r}. There are: {offered}.")
        return replace(self, cells=lambda: cells)


@dataclass(frozen=True)
class Plan:
    """The cells of a study, and the trials that fill them: one a request and split, with all its measures."""

    study: Study
    cells: tuple[StudyCell, ...]
    _trials: dict[int, Table] = field(default_factory=dict, repr=False, compare=False)

    @property
    def rows(self) -> list[str]:
        """The rows, in the order of the paper."""
        return list(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> list[str]:
        """The columns, in the order of the paper."""
        return list(dict.fromkeys(cell.column for cell in self.cells))

    def table(self, splits: int | None = None) -> Table:
        """Return the trials by row, column and setting; a cell without candidates has none."""
        count = self.study.splits if splits is None else splits
        if count < 1:
            raise ValueError(f"splits must be at least 1, not {count}.")
        if count not in self._trials:
            self._trials[count] = self._table(count)
        return self._trials[count]

    def _table(self, count: int) -> Table:
        wanted: dict[str, dict[str, MeasureRequest]] = {}
        for cell in self.cells:
            for candidate in cell.candidates:
                measures = wanted.setdefault(candidate.request.as_given(), {})
                measures[candidate.measure.name] = candidate.measure
        made: dict[tuple[str, int], Trial] = {}
        trials: dict[Place, tuple[Trial, ...]] = {}
        for cell in self.cells:
            for candidate in cell.candidates:
                text = candidate.request.as_given()
                together = tuple(wanted[text].values())
                for split in range(count):
                    if (text, split) not in made:
                        made[text, split] = Trial(candidate.request.of_split(split), together)
                trials[*cell.place, candidate.setting] = tuple(made[text, split] for split in range(count))
        return Table(("row", "column", "setting"), trials)


def by_column(
    rows: Mapping[str, Mapping[str, tuple[float, float | None]]],
) -> dict[tuple[str, str], Published]:
    """Return printed numbers by row and column.

    >>> by_column({"PCA": {"ORL": (70.88, 1.49)}})
    {('PCA', 'ORL'): Published(mean=70.88, deviation=1.49)}
    """
    return {
        (row, column): Published(*numbers)
        for row, columns in rows.items()
        for column, numbers in columns.items()
    }
