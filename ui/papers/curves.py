"""An item that the paper draws as curves: the mean of each method along the axis, with its spread."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from experiments.studies.outcome import Outcome, StudyOutcome
from experiments.studies.study import IN_WORDS
from ui import charts, theme
from ui.palette import side_by_side

# "16", "can, 16", "Digits, m = 5", "ACC, τ = 0.1", "β, log₁₀ = -3", "salt and pepper, 5 %".
_AT_END = re.compile(r"(?:(.*), )?(?:[^,=]* = )?(-?\d+(?:\.\d+)?)(?: %)?")


def show(one: StudyOutcome) -> None:
    """Draw the curves, a chart for each data set; nothing as long as no number is there."""
    columns = one.study.plan.columns
    colours = dict(zip(columns, side_by_side(methods_of(one), theme.current()), strict=True))
    for name, rows in grouped(one.study.plan.rows).items():
        lines = {
            column: [(at, one.outcomes[row, column]) for at, row in rows if one.outcomes[row, column].values]
            for column in columns
        }
        if not any(lines.values()):
            continue
        if name:
            st.markdown(f"**{name}**")
        charts.curves(
            f"curves of {one.study.id} {name}",
            [_line(column, points, colours[column]) for column, points in lines.items() if points],
            one.study.axis,
            IN_WORDS[one.study.unit],
        )


def grouped(rows: Sequence[str]) -> dict[str, list[tuple[float, str]]]:
    """Return the rows of each data set with their place along the axis.

    >>> grouped(["Digits, m = 5", "Digits, m = 10"])
    {'Digits': [(5.0, 'Digits, m = 5'), (10.0, 'Digits, m = 10')]}
    >>> grouped(["0", "16"])
    {'': [(0.0, '0'), (16.0, '16')]}
    >>> grouped(["β, log₁₀ = -3", "β, log₁₀ = 2", "noise, 5 %"])
    {'β': [(-3.0, 'β, log₁₀ = -3'), (2.0, 'β, log₁₀ = 2')], 'noise': [(5.0, 'noise, 5 %')]}
    """
    groups: dict[str, list[tuple[float, str]]] = {}
    for row in rows:
        if (match := _AT_END.fullmatch(row)) is not None:
            groups.setdefault(match[1] or "", []).append((float(match[2]), row))
    return groups


def methods_of(one: StudyOutcome) -> list[str]:
    """Return the method of each column: that of its first cell with candidates."""
    of = {
        cell.column: cell.candidates[0].request.method
        for cell in reversed(one.study.plan.cells)
        if cell.candidates
    }
    return [of.get(column, column) for column in one.study.plan.columns]


def _line(column: str, points: Sequence[tuple[float, Outcome]], colour: str) -> charts.Line:
    return charts.Line(
        column,
        [at for at, _ in points],
        [one.mean or 0.0 for _, one in points],
        [one.deviation or 0.0 for _, one in points],
        colour,
    )
