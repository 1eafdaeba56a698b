"""How sparse the parts of several methods are: every part a point, every method a row of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from experiments.inspection.parts import Parts
from experiments.requests.library import Spec
from experiments.table_files import TableFile
from ui import theme
from ui.charts import chart
from ui.palette import colour

_ROW, _FRAME = 74, 64
_GRID = np.linspace(0, 1, 161)
# Of the height of a row: the hill above the line, the band of points below it.
_HILL, _BAND = 0.58, (0.06, 0.3)
_WIDTH = 0.025
_MEASURES = {
    "sparsity": (
        "Sparsity (Hoyer)",
        "0: every {entry} of a part weighs the same; 1: one has all the weight.",
    ),
    "zeros": ("Share of zeros", "How many of the {entries} of a part are (almost) zero."),
    "concentration": ("Concentration", "1: all weight in one spot; 0: spread evenly over the picture."),
}
Row = tuple[Spec, Parts | None]


def compare(rows: Sequence[Row], *, pictures: bool) -> None:
    """Show each measure of sparsity as a distribution a method; methods without parts yet keep their row."""
    st.header("How sparse is each part?")
    entry = "pixel" if pictures else "feature"
    measures = list(_MEASURES) if pictures else ["sparsity", "zeros"]
    for place, measure in zip(st.columns(len(measures)), measures, strict=True):
        title, meaning = _MEASURES[measure]
        with place:
            values = [(spec, _values(parts, measure)) for spec, parts in rows]
            chart(
                f"distribution of {measure}",
                distributions(values, title),
                table=partial(_table, values, title),
            )
            st.caption(meaning.format(entry=entry, entries=f"{entry}s"))


def _table(values: Sequence[tuple[Spec, NDArray[Any]]], title: str) -> TableFile:
    """Return a measure of every part of every method, a row each."""
    rows = [[spec.title, number, float(value)] for spec, of in values for number, value in enumerate(of, 1)]
    return TableFile(title, ["method", "part", title], rows)


def _values(parts: Parts | None, measure: str) -> NDArray[Any]:
    values = None if parts is None else getattr(parts, measure)
    return np.empty(0) if values is None else values


def distributions(rows: Sequence[tuple[Spec, NDArray[Any]]], axis: str) -> go.Figure:
    """Return a chart with a row a method: a hill where values are many, each value a point below."""
    look, figure = theme.current(), go.Figure()
    for place, (spec, values) in enumerate(rows):
        if values.size:
            _row(figure, -place, spec.title, values, colour(spec.id, look))
    figure.update_layout(
        height=_FRAME + _ROW * len(rows), margin=dict(l=8, r=8, t=8, b=8), showlegend=False,
        hovermode="closest",
        xaxis=dict(title=axis, range=[-0.02, 1.02], zeroline=False, tickvals=[0, 0.25, 0.5, 0.75, 1]),
        yaxis=dict(
            tickvals=[-place for place in range(len(rows))], ticktext=[spec.title for spec, _ in rows],
            range=[0.4 - len(rows), 0.7], showgrid=False, zeroline=False, fixedrange=True,
        ),
    )  # fmt: skip
    return figure


def _row(figure: go.Figure, base: float, title: str, values: NDArray[Any], ink: str) -> None:
    hill = _frequency(values)
    figure.add_scatter(
        x=np.concatenate([[0], _GRID, [1]]), y=base + np.concatenate([[0], hill, [0]]), fill="toself",
        mode="lines", line=dict(width=1.5, color=ink), fillcolor=_faint(ink), hoverinfo="skip",
    )  # fmt: skip
    # Spread by a fixed rule, not by chance: the same parts always look the same.
    low, high = _BAND
    spread = low + (high - low) * ((np.arange(values.size) * 0.618034) % 1)
    figure.add_scatter(
        x=values, y=base - spread, mode="markers", marker=dict(size=5, color=ink, opacity=0.6),
        hovertemplate=f"{title}: %{{x:.2f}}<extra></extra>",
    )  # fmt: skip
    mean, ends = float(values.mean()), [base - high, base + _HILL]
    figure.add_scatter(
        x=[mean, mean], y=ends, mode="lines", line=dict(width=2, color=ink, dash="dot"),
        hovertemplate=f"{title}: {mean:.2f} on average<extra></extra>",
    )  # fmt: skip


def _frequency(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return how frequent values are along the axis, smoothed a little, the highest point being `_HILL`."""
    density = np.exp(-0.5 * np.square((_GRID[:, None] - values[None, :]) / _WIDTH)).sum(axis=1)
    return np.asarray(_HILL * density / max(float(density.max()), 1e-12))


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"
