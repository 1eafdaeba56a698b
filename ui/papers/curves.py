"""An item that the paper draws as curves: the mean of each method along the axis, with its spread."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from experiments.studies.outcome import Outcome, StudyOutcome
from ui import charts, theme
from ui.palette import colour

_AT_END = re.compile(r"(?:(.*), m = )?(\d+)$")


def show(one: StudyOutcome) -> None:
    """Draw the curves, a chart for each data set; nothing as long as no number is there."""
    for name, rows in grouped(one.study.plan.rows).items():
        lines = {
            column: [(at, one.outcomes[row, column]) for at, row in rows if one.outcomes[row, column].values]
            for column in one.study.plan.columns
        }
        if not any(lines.values()):
            continue
        if name:
            st.markdown(f"**{name}**")
        charts.curves(
            f"curves of {one.study.id} {name}",
            [_line(column, points) for column, points in lines.items() if points],
            one.study.axis,
            "% recognised",
        )


def grouped(rows: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the rows of each data set with their place along the axis.

    >>> grouped(["Digits, m = 5", "Digits, m = 10"])
    {'Digits': [(5, 'Digits, m = 5'), (10, 'Digits, m = 10')]}
    >>> grouped(["0", "16"])
    {'': [(0, '0'), (16, '16')]}
    """
    groups: dict[str, list[tuple[int, str]]] = {}
    for row in rows:
        if (found := _AT_END.fullmatch(row)) is not None:
            groups.setdefault(found[1] or "", []).append((int(found[2]), row))
    return groups


def _line(column: str, points: Sequence[tuple[int, Outcome]]) -> charts.Line:
    method = points[0][1].cell.candidates[0].request.method
    return charts.Line(
        column,
        [at for at, _ in points],
        [one.mean or 0.0 for _, one in points],
        [one.deviation or 0.0 for _, one in points],
        colour(method, theme.current()),
    )
