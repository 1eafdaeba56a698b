"""Plotly charts with the look of the rest: no chart junk, a method's own colour, labelled axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from experiments.table_files import TableFile
from ui import theme
from ui.downloads import downloads

_MARGIN = dict(l=8, r=8, t=8, b=8)
# Beside its colour each line has its own dashes and marks: methods of one kind may share a colour.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKS = ("circle", "square", "diamond", "triangle-up", "cross", "x")


@dataclass(frozen=True)
class Line:
    """A curve: its name, where its points are, their spread (0: none), and its colour."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float]
    colour: str


def chart(
    key: str, figure: go.Figure, *, name: str = "", svg: str = "",
    table: Callable[[], TableFile] | None = None, numbers: Callable[[], str] | None = None,
) -> None:  # fmt: skip
    """Show a chart, and what can be taken along of it: see `ui.downloads`."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False, "responsive": True})
    downloads(key, name=name, svg=svg, table=table, numbers=numbers)


def curves(key: str, lines: Sequence[Line], axis: str, what: str) -> None:
    """Show curves with the spread of their points."""
    figure = go.Figure()
    for at, line in enumerate(lines):
        figure.add_scatter(
            x=line.x,
            y=line.y,
            name=line.name,
            mode="lines+markers",
            line=dict(color=line.colour, dash=DASHES[at % len(DASHES)]),
            marker=dict(symbol=MARKS[at % len(MARKS)], size=8),
            error_y=dict(type="data", array=line.spread, thickness=1, width=3),
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN | dict(t=60),
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
        xaxis=dict(title=axis),
        yaxis=dict(title=what),
    )
    chart(key, figure, table=partial(_table_of_lines, lines, axis, what))


def class_counts(
    key: str, names: Sequence[str], counts: Mapping[str, NDArray[np.int64]], axis: str, what: str = "samples"
) -> None:
    """Show how many samples of each class there are, stacked by what is known of them."""
    light = theme.current() == "light"
    colours = {"labelled": "#0f766e" if light else "#2dd4bf", "unlabelled": "#b9c4c2" if light else "#4a5654"}
    figure = go.Figure()
    for kind, count in counts.items():
        figure.add_bar(x=list(names), y=count, name=kind, marker_color=colours.get(kind, "#d58a4c"))
    figure.update_layout(
        barmode="stack",
        height=340,
        margin=_MARGIN | dict(t=40),
        bargap=0.25,
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
        xaxis=dict(title=axis),
        yaxis=dict(title=what),
    )
    chart(key, figure, table=lambda: _table_of_counts(names, counts, axis, what))


def _table_of_counts(
    names: Sequence[str], counts: Mapping[str, NDArray[np.int64]], axis: str, what: str
) -> TableFile:
    """Return how many there are of each class, a column a kind."""
    rows = [[name, *(int(count[place]) for count in counts.values())] for place, name in enumerate(names)]
    return TableFile(f"{what} of each {axis}", [axis, *counts], rows)


def _table_of_lines(lines: Sequence[Line], axis: str, what: str) -> TableFile:
    """Return the points of curves, a row each."""
    points = [
        [line.name, *point] for line in lines for point in zip(line.x, line.y, line.spread, strict=True)
    ]
    return TableFile(f"{what} by {axis}", ["curve", axis, what, "standard deviation"], points)
