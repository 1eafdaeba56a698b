"""A study as text, Markdown, LaTeX, CSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from experiments.studies.outcome import Outcome, StudyOutcome, printed
from experiments.studies.study import IN_WORDS, Unit
from experiments.table_files import as_csv as written
from experiments.table_files import as_latex as latex_written
from experiments.trials.text_table import aligned

_DIGITS: Mapping[Unit, int] = {"%": 2, "s": 5, "F": 1}
_HEAD = ("", "", "published", "here", "difference", "verdict")
_HONEST = "chosen by labels alone"


def ours(one: Outcome) -> str:
    """Return what stands in a cell: mean, spread, and how many splits if they are fewer than the paper's."""
    if one.mean is None:
        return "–"
    digits = _DIGITS[one.study.unit]
    text = f"{one.mean:.{digits}f}"
    if one.deviation is not None:
        text += f" ({one.deviation:.{digits}f})"
    return f"{text}, {one.splits}" if one.splits else text


def verdict(one: Outcome) -> str:
    """Return the verdict in words, and whether the number is of an earlier version of the code."""
    words = f"{one.verdict}, out of date" if one.out_of_date else one.verdict
    return f"{words} (stand-in)" if one.cell.stand_in else words


def honestly(study_outcome: StudyOutcome, one: Outcome) -> str:
    """Return what a cell comes to if each split chooses by its own labels; nothing if that is not known."""
    chosen = study_outcome.honest.get(one.cell.place)
    if chosen is None:
        return ""
    scale = 100.0 if study_outcome.study.unit == "%" else 1.0
    spread = "" if chosen.deviation is None else f" ({scale * chosen.deviation:.2f})"
    return f"{scale * chosen.mean:.2f}{spread}"


def table_rows(study_outcome: StudyOutcome) -> list[list[str]]:
    """Return the heads and a row for each cell: where it stands, printed, ours, difference, verdict.

    Where it is known, what an honest choice among settings comes to stands at the end.
    """
    also = [_HONEST] if study_outcome.honest else []
    rows = [
        [
            one.cell.row,
            one.cell.column,
            printed(one.cell.published),
            ours(one),
            ""
            if one.difference is None or not one.study.judged
            else f"{one.difference:+.2f}".replace("-", "−"),
            verdict(one),
            *([honestly(study_outcome, one)] if also else []),
        ]
        for one in study_outcome.outcomes.values()
    ]
    return [[*_HEAD, *also], *rows]


def as_text(study_outcome: StudyOutcome) -> str:
    """Return the table with aligned columns, then why numbers differ, then the claims."""
    lines = aligned(table_rows(study_outcome), ruled=True)
    sentences = (f"* {sentence}" for sentence in [*reasons(study_outcome), *claims(study_outcome)])
    return "\n".join([study_outcome.study.title, "", *lines, "", _foot(study_outcome), *sentences])


def as_markdown(study_outcome: StudyOutcome) -> str:
    """Return the table, the reasons and the claims as Markdown."""
    sentences = (f"* {sentence}" for sentence in [*reasons(study_outcome), *claims(study_outcome)])
    described = [
        line
        for one in study_outcome.study.heads
        for line in (f"**{one.title}**", "", *_piped([one.columns, *one.rows]), "")
    ]
    body = _piped(table_rows(study_outcome))
    return "\n".join(
        [f"### {study_outcome.study.title}", "", *described, *body, "", _foot(study_outcome), "", *sentences]
    )


def _piped(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = rows
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *others)]


def as_latex(study_outcome: StudyOutcome) -> str:
    """Return the table as LaTeX (booktabs)."""
    head, *rows = table_rows(study_outcome)
    return latex_written(study_outcome.study.title, head, rows)


def as_csv(study_outcome: StudyOutcome) -> str:
    """Return every number, a row for each cell and split."""
    heads = ["row", "column", "setting", "split", "published", "published_sd", "here", "verdict"]
    return written([*heads, "seconds", "date"], _every_number(study_outcome))


def _every_number(study_outcome: StudyOutcome) -> Iterator[list[Any]]:
    for one in study_outcome.outcomes.values():
        number = one.cell.published
        before = [one.cell.row, one.cell.column, one.setting]
        printed_values = [
            "" if number is None else number.mean,
            "" if number is None else number.deviation or "",
        ]
        if not one.numbers:
            yield [*before, "", *printed_values, "", verdict(one), "", ""]
        for split, (value, record) in enumerate(zip(one.values, one.numbers, strict=True)):
            yield [
                *before,
                split,
                *printed_values,
                f"{value:.4f}",
                verdict(one),
                f"{record.seconds:.2f}",
                record.date,
            ]


def as_json(study_outcome: StudyOutcome) -> str:
    """Return everything there is to say of a study."""
    cells = [
        {
            "row": one.cell.row,
            "column": one.cell.column,
            "setting": one.setting,
            "published": None if one.cell.published is None else asdict(one.cell.published),
            "mean": one.mean,
            "deviation": one.deviation,
            "verdict": verdict(one),
            "reason": one.reason,
            "chosen_by_labels_alone": None
            if (chosen := study_outcome.honest.get(one.cell.place)) is None
            else {"scores": chosen.scores, "settings": chosen.settings},
            "splits": [
                {"value": value, "key": record.key, "seconds": record.seconds, "date": record.date,
                 "machine": record.machine, "versions": dict(record.versions)}
                for value, record in zip(one.values, one.numbers, strict=True)
            ],
        }
        for one in study_outcome.outcomes.values()
    ]  # fmt: skip
    claimed = [{"claim": sentence, **asdict(finding)} for sentence, finding in study_outcome.findings]
    study = study_outcome.study
    plain = {
        "study": study.id, "title": study.title, "unit": study.unit,
        "summary": study_outcome.summary, "cells": cells, "claims": claimed,
        "describes": [asdict(head) for head in study.heads],
        "protocol": [asdict(point) for point in study.protocol], "notes": study.notes,
    }  # fmt: skip
    return json.dumps(plain, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def reasons(study_outcome: StudyOutcome) -> list[str]:
    """Return a line for each number that did not come out as printed and of which it is known why."""
    return [
        f"{one.cell.row}, {one.cell.column}: {one.verdict}, {one.reason}"
        for one in study_outcome.outcomes.values()
        if one.reason
    ]


def claims(study_outcome: StudyOutcome) -> list[str]:
    """Return a line for each claim: what became of it, and the figures."""
    return [
        f"{sentence} — {finding.standing}: {finding.figures}" for sentence, finding in study_outcome.findings
    ]


EXPORTS: dict[str, tuple[Callable[[StudyOutcome], str], str, str]] = {
    "Markdown": (as_markdown, "md", "text/markdown"),
    "CSV": (as_csv, "csv", "text/csv"),
    "LaTeX": (as_latex, "tex", "application/x-tex"),
    "JSON": (as_json, "json", "application/json"),
}


def _foot(study_outcome: StudyOutcome) -> str:
    study = study_outcome.study
    unit = IN_WORDS[study.unit]
    spread = f"One {study.repeated}, in {unit}."
    if study.splits > 1:
        spread = f"Mean over {study.splits} {study.repeated}s in {unit}, standard deviation in brackets."
    return " ".join(filter(None, [spread, study.notes]))
