"""What came of the cells of a study, as it is shipped: every split's number with its key, date and machine.

A file `results/<id>.json` for each study. A cell whose trials have other keys by now is out of date.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from experiments.studies.claim import Finding, ShownBy
from experiments.studies.pictures import Picture, pictures_of
from experiments.studies.study import Study
from experiments.trials import Result, Table

RESULTS = Path(__file__).parent / "results"
_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class Number:
    """One split of a candidate of a cell; `key` is that of its trial when it was computed."""

    score: float
    key: str
    seconds: float
    date: str
    machine: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Records:
    """The numbers of a study by row, column and setting, in the order of the splits.

    `inner` are those by which the labelled rows would choose among settings (`experiments.studies.honest`),
    `experiment_findings` has what became of the claims that small experiments show, `pictures` what the
    figure draws.
    """

    numbers: Mapping[tuple[str, str, str], tuple[Number, ...]] = field(default_factory=dict)
    inner: Mapping[tuple[str, str, str], tuple[Number, ...]] = field(default_factory=dict)
    experiment_findings: Mapping[str, Finding] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()

    def to_json(self, study: Study) -> str:
        """Return the content of the file of a study."""
        versions: list[Mapping[str, str]] = []
        machines: list[str] = []
        parts = []
        for name, entries in (("cells", self.numbers), ("inner", self.inner)):
            cells = []
            for place, numbers in entries.items():
                splits = [
                    [number.score, number.key, number.seconds, number.date,
                     _place_in(machines, number.machine), _place_in(versions, number.versions)]
                    for number in numbers
                ]  # fmt: skip
                cells.append(
                    json.dumps({"cell": list(place), "splits": splits}, ensure_ascii=False, allow_nan=False)
                )
            lines = ",\n    ".join(cells)
            parts.append(f'  "{name}": [\n    {lines}\n  ]')
        head: dict[str, Any] = {"study": study.id, "title": study.title, "fields": _FIELDS}
        if self.experiment_findings:
            head["shown"] = {
                claim: [one.standing, one.figures] for claim, one in self.experiment_findings.items()
            }
        if self.pictures:
            head["pictures"] = [asdict(picture) for picture in self.pictures]
        start = json.dumps(head | {"machines": machines, "versions": versions}, indent=2, ensure_ascii=False)
        return ",\n".join([start.removesuffix("}").rstrip(), *(parts if self.inner else parts[:1])]) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Records:
        """Return the records that a file holds."""
        plain: dict[str, Any] = json.loads(text)
        experiment_findings = {claim: Finding(*one) for claim, one in plain.get("shown", {}).items()}
        pictures = tuple(map(Picture.from_plain, plain.get("pictures", ())))
        return cls(_numbers_in(plain, "cells"), _numbers_in(plain, "inner"), experiment_findings, pictures)


def _numbers_in(plain: dict[str, Any], name: str) -> dict[tuple[str, str, str], tuple[Number, ...]]:
    return {
        tuple(cell["cell"]): tuple(_number(split, plain) for split in cell["splits"])
        for cell in plain.get(name, ())
    }


def _number(split: list[Any], plain: dict[str, Any]) -> Number:
    score, key, seconds, date, machine_at, versions_at = split
    return Number(score, key, seconds, date, plain["machines"][machine_at], plain["versions"][versions_at])


_FIELDS = ["score", "key", "seconds", "date", "machine", "versions"]


def _place_in(entries: list[_Entry], entry: _Entry) -> int:
    if entry not in entries:
        entries.append(entry)
    return entries.index(entry)


def shipped(study: Study, folder: Path = RESULTS) -> Records:
    """Return the results of a study that are shipped; nothing if none are."""
    path = folder / f"{study.id}.json"
    return Records.from_json(path.read_text(encoding="utf-8")) if path.exists() else Records()


def shipped_at(study: Study, folder: Path = RESULTS) -> int:
    """Return when the results that are shipped were written, in nanoseconds; 0 if there are none."""
    path = folder / f"{study.id}.json"
    return path.stat().st_mtime_ns if path.exists() else 0


def ship(study: Study, records: Records, folder: Path = RESULTS) -> Path:
    """Write the results of a study where they are shipped from."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{study.id}.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(records.to_json(study), encoding="utf-8")
    temporary.replace(path)
    return path


def machine() -> str:
    """Return what the numbers of this computer are signed with: kind, system and cores, no name."""
    return f"{platform.machine()}, {platform.system()}, {os.cpu_count()} cores"


def gathered(study: Study, results: Mapping[str, Result], before: Records | None = None) -> Records:
    """Return the results of trials as numbers of cells, added to those there are already.

    Splits count from the first one on without a gap: what comes after a missing one is left out. What is
    there stays unless its trials have changed, or more splits have come.
    """
    numbers = dict((before or Records()).numbers)
    table, names = study.plan.table(), _measure_names(study)
    for place in table.trials:
        computed = numbers_of(table, place, names[place], results, numbers.get(place, ()))
        if computed and (
            stale(numbers.get(place, ()), table, place) or len(computed) > len(numbers.get(place, ()))
        ):
            numbers[place] = computed
    in_table = {place: numbers[place] for place in table.trials if place in numbers}
    others = {place: entries for place, entries in numbers.items() if place not in in_table}
    return replace(before or Records(), numbers=in_table | others)


def with_experiments(study: Study, records: Records) -> Records:
    """Return records with the small experiments of a study carried out."""
    experiment_findings = {
        one.sentence: one.test.finding() for one in study.claims if isinstance(one.test, ShownBy)
    }
    return replace(records, experiment_findings=experiment_findings)


def with_pictures(study: Study, records: Records) -> Records:
    """Return records with what the figure of a study draws; parts of the same trials are not fitted again."""
    return replace(records, pictures=pictures_of(study, records.pictures))


def stale(numbers: tuple[Number, ...], table: Table, place: tuple[str, str, str]) -> bool:
    """Return whether numbers were computed with trials other than those that stand there now."""
    trials = table.trials.get(place, ())
    return len(numbers) > len(trials) or any(
        number.key != trial.key for number, trial in zip(numbers, trials, strict=False)
    )


def unfinished(study: Study, records: Records, splits: int | None = None) -> Table:
    """Return the trials of a study whose numbers its records lack, or have of an earlier version."""
    table = study.plan.table(splits)
    computed = {place: {number.key for number in numbers} for place, numbers in records.numbers.items()}
    left = {
        place: tuple(trial for trial in trials if trial.key not in computed.get(place, ()))
        for place, trials in table.trials.items()
    }
    return Table(table.axes, {place: trials for place, trials in left.items() if trials})


def _measure_names(study: Study) -> dict[tuple[str, str, str], str]:
    return {
        (*cell.place, candidate.setting): candidate.measure.name
        for cell in study.plan.cells
        for candidate in cell.candidates
    }


def numbers_of(
    table: Table,
    place: tuple[str, str, str],
    name: str,
    results: Mapping[str, Result],
    before: tuple[Number, ...] = (),
) -> tuple[Number, ...]:
    """Return what came of the trials at a place by one measure, up to the first that has no result.

    What came of the same trials `before` need not come again.
    """
    by_key = {number.key: number for number in before}
    numbers: list[Number] = []
    signed, today = machine(), datetime.now(UTC).date().isoformat()
    for trial in table.trials[place]:
        result = results.get(trial.key)
        if result is None or name not in result.scores:
            if trial.key not in by_key:
                break
            numbers.append(by_key[trial.key])
            continue
        seconds = round(result.seconds, 3)
        numbers.append(Number(result.scores[name], trial.key, seconds, today, signed, result.versions))
    return tuple(numbers)
