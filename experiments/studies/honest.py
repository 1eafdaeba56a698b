"""The honest choice beside the papers': of several settings the one that labelled rows alone would choose.

The papers name the best number on the rows that are asked about. Here each split chooses by labels held back
from its own labelled rows, and what counts is the score of what it chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from experiments.studies.records import Number, Records, numbers_of
from experiments.studies.study import Candidate, Study, StudyCell, shared_fits
from experiments.trials import MeasureRequest, Result, Table
from experiments.trials.table import Place

_INNER = {"accuracy": "inner_accuracy", "leading_accuracy": "inner_leading_accuracy"}


@dataclass(frozen=True)
class Honest:
    """What a cell comes to if each split chooses by its own labels: scores, and the settings chosen."""

    scores: tuple[float, ...]
    settings: tuple[str, ...]

    @property
    def mean(self) -> float:
        """The mean over splits."""
        return float(np.mean(self.scores))

    @property
    def deviation(self) -> float | None:
        """The standard deviation over splits; None of fewer than two."""
        return float(np.std(self.scores, ddof=1)) if len(self.scores) > 1 else None


def chooses_by(candidate: Candidate) -> MeasureRequest | None:
    """Return the measure of labelled rows by which a candidate can be chosen; None if there is none."""
    wanted = candidate.measure
    if wanted.measure not in _INNER:
        return None
    same = {name: wanted.settings[name] for name in ("metric", "dimensions") if name in wanted.settings}
    return MeasureRequest(_INNER[wanted.measure], same)


def inner_table(study: Study, splits: int | None = None) -> Table:
    """Return the trials by which cells with several candidates would choose, by row, column and setting."""
    count = study.splits if splits is None else splits
    if ("inner", count) not in study.plan.made:
        study.plan.made["inner", count] = _inner_table(study, count)
    return study.plan.made["inner", count]


def _inner_table(study: Study, count: int) -> Table:
    requested: list[tuple[Place, Candidate, MeasureRequest]] = []
    for cell in study.plan.every_cell:
        chosen = [(candidate, chooses_by(candidate)) for candidate in cell.measured]
        if len(chosen) > 1:
            each = [((*cell.place, one.setting), one, by) for one, by in chosen if by is not None]
            requested += each if len(each) == len(chosen) else []
    return shared_fits(requested, count, study.plan.cells)


def with_choices(study: Study, records: Records, results: Mapping[str, Result]) -> Records:
    """Return records with the scores by which cells would choose, where these have come."""
    table, inner = inner_table(study), dict(records.inner)
    names = {
        (*cell.place, candidate.setting): by.name
        for cell in study.plan.cells
        for candidate in cell.measured
        if (by := chooses_by(candidate)) is not None
    }
    for place in table.trials:
        if computed := numbers_of(table, place, names[place], results):
            inner[place] = computed
    return replace(records, inner=inner)


def honest(cell: StudyCell, records: Records) -> Honest | None:
    """Return what a cell comes to if each split chooses by its labels; None if that is not known."""
    tried: list[tuple[str, tuple[Number, ...], tuple[Number, ...]]] = []
    for candidate in cell.measured:
        place = (*cell.place, candidate.setting)
        tried.append((candidate.setting, records.inner.get(place, ()), records.numbers.get(place, ())))
    splits = min((min(len(inner), len(numbers)) for _, inner, numbers in tried), default=0)
    if len(tried) < 2 or not splits:
        return None
    scores, settings = [], []
    for split in range(splits):
        # Of several that look alike the first, as somebody who may not look further would take it.
        setting, _, numbers = max(tried, key=lambda one: one[1][split].score)
        scores.append(numbers[split].score)
        settings.append(setting)
    return Honest(tuple(scores), tuple(settings))
