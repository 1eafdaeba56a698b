"""A study with its numbers: what stands in each cell, the verdict on it, and what became of the claims."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from experiments.studies.catalogue import names, study
from experiments.studies.claim import Finding
from experiments.studies.honest import Honest, honest
from experiments.studies.paper import PAPERS
from experiments.studies.records import Number, Records, shipped, stale
from experiments.studies.study import Published, Study, StudyCell

REPRODUCED, ABOVE, BELOW = "reproduced", "above", "below"
WAITS, NOT_YET = "waits for data", "not computed yet"
UNPUBLISHED, OTHER_MACHINE = "no published number", "another machine"
# Half a unit of the last printed digit: as near as print can say.
_ROUNDING = 0.05
_PLURAL = {
    "holds": "hold",
    "holds in part": "hold in part",
    "does not hold here": "do not hold here",
    "cannot be tested here": "cannot be tested here",
}


@dataclass(frozen=True)
class Outcome:
    """A cell with the numbers of its best candidate, in the unit of the study."""

    cell: StudyCell
    study: Study
    setting: str = ""
    numbers: tuple[Number, ...] = ()
    out_of_date: bool = False

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The number of each split."""
        scale = 100.0 if self.study.unit == "%" else 1.0
        return tuple(scale * number.score for number in self.numbers)

    @property
    def mean(self) -> float | None:
        """The mean over splits, None as long as there is none."""
        return float(np.mean(self.values)) if self.values else None

    @property
    def deviation(self) -> float | None:
        """The standard deviation over splits; None of fewer than two."""
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else None

    @property
    def difference(self) -> float | None:
        """How far the mean is above the printed one."""
        if self.mean is None or self.cell.published is None:
            return None
        return self.mean - self.cell.published.mean

    @property
    def joint_deviation(self) -> float:
        """The joint standard deviation of printed number and ours; an unknown one equals the other."""
        printed = self.cell.published.deviation if self.cell.published else None
        both = [spread for spread in (printed, self.deviation) if spread is not None]
        return math.sqrt(2 / len(both)) * math.hypot(*both) if both else 0.0

    @property
    def verdict(self) -> str:
        """What to make of the cell, in a word or two."""
        if self.difference is None:
            if self.mean is not None:
                return UNPUBLISHED
            return WAITS if self.cell.awaits else NOT_YET if self.cell.measured else UNPUBLISHED
        if not self.study.judged:
            return OTHER_MACHINE
        if abs(self.difference) <= max(2 * self.joint_deviation, _ROUNDING):
            return REPRODUCED
        return ABOVE if (self.difference > 0) == (self.study.better == "high") else BELOW

    @property
    def reason(self) -> str:
        """What was measured to move the number, if it did not come out as printed and that is known."""
        return self.study.reasons.get(self.cell.place, "") if self.verdict in (ABOVE, BELOW) else ""

    @property
    def splits(self) -> str:
        """How many of the splits of the paper there are; nothing if all are."""
        if not self.values or len(self.values) >= self.study.splits:
            return ""
        return f"{len(self.values)} of {self.study.splits} {self.study.repeated}s"


@dataclass(frozen=True)
class StudyOutcome:
    """A study and its records."""

    study: Study
    records: Records

    @cached_property
    def outcomes(self) -> dict[tuple[str, str], Outcome]:
        """Every cell with its numbers, by row and column."""
        return {cell.place: self._outcome(cell) for cell in self.study.plan.cells}

    @cached_property
    def means(self) -> dict[tuple[str, str], float]:
        """The means there are, by row and column: what claims are tested on."""
        return {place: one.mean for place, one in self.outcomes.items() if one.mean is not None}

    @cached_property
    def findings(self) -> list[tuple[str, Finding]]:
        """Each claim and what became of it."""
        titles = {awaited.id: awaited.title for awaited in self.study.awaits}
        waiting = {
            cell.place: titles.get(cell.awaits, cell.awaits) for cell in self.study.plan.cells if cell.awaits
        }
        experiment_findings = self.records.experiment_findings
        return [
            (claim.sentence, claim.finding(self.means, waiting, experiment_findings))
            for claim in self.study.claims
        ]

    @cached_property
    def summary(self) -> str:
        """What the study comes to, in one line: columns with printed numbers, data waited for, claims."""
        parts = [*self._columns(), *_awaited(self.waiting), *_standings(self.findings)]
        return "; ".join(parts) + "." if parts else ""

    def _columns(self) -> list[str]:
        judged: dict[str, Counter[str]] = {}
        for one in self.outcomes.values():
            if one.verdict in (REPRODUCED, ABOVE, BELOW):
                judged.setdefault(one.cell.column, Counter())[one.verdict] += 1
        if len(judged) > 3:
            whole: Counter[str] = sum(judged.values(), Counter())
            judged = {"": whole}
        missing = sum(one.verdict == NOT_YET for one in self.outcomes.values())
        parts = [_judged(column, verdicts) for column, verdicts in judged.items()]
        return [*parts, f"{missing} cells not computed yet"] if missing else parts

    @cached_property
    def waiting(self) -> list[str]:
        """The titles of the data that its cells wait for."""
        titles = {awaited.id: awaited.title for awaited in self.study.awaits}
        ids = dict.fromkeys(one.cell.awaits for one in self.outcomes.values() if one.verdict == WAITS)
        return [titles.get(id, id) for id in ids]

    @cached_property
    def honest(self) -> dict[tuple[str, str], Honest]:
        """What cells come to if each split chooses by its own labels, where that is known."""
        choices = {cell.place: honest(cell, self.records) for cell in self.study.plan.cells}
        return {place: one for place, one in choices.items() if one is not None}

    def tried(self, cell: StudyCell) -> list[Outcome]:
        """Return what came of each candidate of a cell that has numbers."""
        table = self.study.plan.table()
        return [
            Outcome(cell, self.study, candidate.setting, numbers, stale(numbers, table, place))
            for candidate in cell.measured
            if (numbers := self.records.numbers.get(place := (*cell.place, candidate.setting), ()))
        ]

    def _outcome(self, cell: StudyCell) -> Outcome:
        # As the papers do it: the best of what was tried, by the mean over what all have been measured on.
        sign = 1 if self.study.better == "high" else -1
        return max(
            self.tried(cell),
            key=lambda one: (len(one.values), sign * (one.mean or 0.0)),
            default=Outcome(cell, self.study),
        )


def _judged(column: str, verdicts: Mapping[str, int]) -> str:
    whole = sum(verdicts.values())
    where = f" on {column}" if column else ""
    extra = [f"{verdicts[word]} {word}" for word in (ABOVE, BELOW) if verdicts.get(word)]
    return f"{verdicts.get(REPRODUCED, 0)} of {whole} reproduced{where}" + (
        f" ({', '.join(extra)})" if extra else ""
    )


def _awaited(titles: Sequence[str]) -> list[str]:
    return [f"{', '.join(titles)} {'waits' if len(titles) == 1 else 'wait'} for data"] if titles else []


def _standings(findings: Sequence[tuple[str, Finding]]) -> list[str]:
    if not findings:
        return []
    standings = Counter(finding.standing for _, finding in findings)
    sentence = f"{standings['holds']} of {len(findings)} claims hold"
    others = [f"{count} {_PLURAL[word] if count > 1 else word}" for word, count in standings.items()
              if word != "holds"]  # fmt: skip
    return [f"{sentence} ({', '.join(others)})" if others else sentence]


def printed(number: Published | None) -> str:
    """Return a printed number as the paper has it."""
    if number is None:
        return "–"
    return f"{number.mean:.2f}" + (f" ({number.deviation:.2f})" if number.deviation is not None else "")


def paper_summary(studies: Sequence[StudyOutcome]) -> str:
    """Return what all items of a paper come to, in one line."""
    verdicts = Counter(
        one.verdict
        for study_outcome in studies
        for one in study_outcome.outcomes.values()
        if one.verdict in (REPRODUCED, ABOVE, BELOW)
    )
    waiting = dict.fromkeys(title for study_outcome in studies for title in study_outcome.waiting)
    findings = [finding for study_outcome in studies for finding in study_outcome.findings]
    parts = [_judged("", verdicts)] if verdicts else []
    return "; ".join([*parts, *_awaited(list(waiting)), *_standings(findings)]) + "."


def summary_rows() -> list[list[str]]:
    """Return a row for every study of a paper with shipped results: what it came to."""
    rows = [["study", "paper", "item", "what came out here"]]
    for name in names():
        described = study(name)
        records = shipped(described)
        if described.paper is not None and records.numbers:
            paper = PAPERS[described.paper].short
            rows.append([name, paper, described.item, StudyOutcome(described, records).summary])
    return rows
