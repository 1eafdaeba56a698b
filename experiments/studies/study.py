"""What a study is: cells with what a paper printed, the trials that fill them, and its claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

import datasets
from experiments.requests.request import RunRequest
from experiments.studies.awaited import Awaited
from experiments.studies.claim import Claim
from experiments.studies.paper import PaperId
from experiments.trials import MeasureRequest, Table, Trial
from experiments.trials.table import Place

Unit = Literal["%", "s", "F"]
IN_WORDS: Mapping[Unit, str] = {"%": "percent", "s": "seconds", "F": "units of the objective"}
# Views of awaited data, whose names are not known yet: a candidate each, one for each pair, one for all.
EACH_VIEW, EACH_PAIR, EVERY_VIEW = "each view", "each pair", "every view"


@dataclass(frozen=True)
class Published:
    """A printed number in the unit of the study, with its standard deviation if that is printed too."""

    mean: float
    deviation: float | None = None


@dataclass(frozen=True)
class Candidate:
    """One setting that a cell may be measured with: the request of its first split, and the measure.

    `drawn` completes the request of each split with what is drawn for it, such as pairs of its rows.
    """

    request: RunRequest
    measure: MeasureRequest
    setting: str = ""
    drawn: Callable[[RunRequest], RunRequest] | None = None

    def of_split(self, split: int) -> RunRequest:
        """Return the request of a split."""
        request = self.request.of_split(split)
        return request if self.drawn is None else self.drawn(request)


@dataclass(frozen=True)
class StudyCell:
    """A place in the table: what was printed there, and what it is filled with here.

    Of several candidates the one with the best mean stands there, as the papers do it. A cell that waits for
    the data set `awaits` has candidates on a data set of that name, which are measured once it is `filled`.
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

    @property
    def measured(self) -> tuple[Candidate, ...]:
        """The candidates that can be measured: none as long as data are awaited."""
        return () if self.awaits else self.candidates

    def filled(self, dataset: str) -> StudyCell:
        """Return the cell with its candidates on a data set that is here, and on the views that it has."""
        here = [
            replace(one, request=replace(one.request, dataset=dataset))
            for candidate in self.candidates
            for one in _on_views(candidate, dataset)
        ]
        return replace(self, candidates=tuple(here), awaits="")


def _on_views(candidate: Candidate, dataset: str) -> list[Candidate]:
    wanted = candidate.request.view
    if wanted not in (EACH_VIEW, EACH_PAIR, EVERY_VIEW):
        return [candidate]
    views = list(datasets.load(dataset).views)
    chosen: dict[str, str | list[str]] = {candidate.setting: views}
    if wanted == EACH_VIEW:
        chosen = {view: view for view in views}
    elif wanted == EACH_PAIR:
        chosen = {" and ".join(pair): list(pair) for pair in combinations(views, 2)}
    return [
        replace(candidate, request=replace(candidate.request, view=view), setting=setting)
        for setting, view in chosen.items()
    ]


@dataclass(frozen=True)
class Deviation:
    """One point of the protocol: as printed, as run here, and why these differ (nothing if they do not)."""

    point: str
    printed: str
    run: str
    why: str = ""


@dataclass(frozen=True)
class Head:
    """A table of the paper that describes, such as its data: nothing in it is measured."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
    # What was measured to move a number, by row and column of cells that did not come out as printed.
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    # Numbers that depend on the machine are printed beside each other, not judged.
    judged: bool = True
    # What the figure shows beside its numbers (`experiments.studies.pictures`).
    draws: Literal["", "parts", "samples"] = ""
    # The paper's tables that describe rather than measure.
    heads: tuple[Head, ...] = ()
    notes: str = ""
    # The study of which this one has only some cells: with the others these share their fits.
    part_of: Study | None = field(default=None, repr=False)

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
        return replace(self, cells=lambda: cells, part_of=self.part_of or self)

    def filled(self, data: Mapping[str, str]) -> Study:
        """Return the study with what waits for data measured on them: ids of data sets by what they are."""
        cells = [
            cell.filled(data[cell.awaits]) if cell.awaits in data and cell.candidates else cell
            for cell in self.plan.cells
        ]
        return replace(self, cells=lambda: cells)


@dataclass(frozen=True)
class Plan:
    """The cells of a study, and the trials that fill them: one a request and split, with all its measures."""

    study: Study
    cells: tuple[StudyCell, ...]
    # Tables that were laid out once, by what they are of and the number of splits.
    made: dict[tuple[str, int], Table] = field(default_factory=dict, repr=False, compare=False)

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
        if ("cells", count) not in self.made:
            self.made["cells", count] = self._table(count)
        return self.made["cells", count]

    def _table(self, count: int) -> Table:
        requested = [
            ((*cell.place, candidate.setting), candidate, candidate.measure)
            for cell in self.every_cell
            for candidate in cell.measured
        ]
        return shared_fits(requested, count, self.cells)

    @property
    def every_cell(self) -> tuple[StudyCell, ...]:
        """The cells of the whole study, if these are only some of them."""
        return self.study.part_of.plan.cells if self.study.part_of else self.cells


def shared_fits(
    requested: Iterable[tuple[Place, Candidate, MeasureRequest]], count: int, cells: Iterable[StudyCell]
) -> Table:
    """Return the table of `cells` for so many splits: equal requests are one fit, with all measures of it.

    `requested` is what is measured in the whole study: some of its cells have the same trials as all.
    """
    wanted: dict[str, dict[str, MeasureRequest]] = {}
    requests: dict[Place, list[RunRequest]] = {}
    for place, candidate, measure in requested:
        requests[place] = [candidate.of_split(split) for split in range(count)]
        for request in requests[place]:
            wanted.setdefault(request.as_given(), {})[measure.name] = measure
    made: dict[str, Trial] = {}

    def trial(request: RunRequest) -> Trial:
        text = request.as_given()
        if text not in made:
            made[text] = Trial(request, tuple(wanted[text].values()))
        return made[text]

    places = {cell.place for cell in cells}
    return Table(
        ("row", "column", "setting"),
        {place: tuple(map(trial, each)) for place, each in requests.items() if place[:2] in places},
    )


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
