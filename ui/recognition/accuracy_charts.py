"""Accuracy of several methods as charts: every split a point, mean and spread, each method its own colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from experiments.table_files import TableFile
from ui import theme
from ui.charts import DASHES, MARKS, chart
from ui.palette import colour

_CONFIG = {"displayModeBar": False, "responsive": True}
_MARGIN = dict(l=8, r=8, t=8, b=8)
# Percent points an axis shows at least.
_LEAST_SPAN = 10
_SINGLE_HUE = {
    "light": ["#fdfdfb", "#99c9c3", "#0f766e", "#063d39"],
    "dark": ["#121416", "#0f4f4a", "#2dd4bf", "#d9fff8"],
}


def by_method(key: str, titles: Mapping[str, str], shares: Mapping[str, NDArray[np.float64]]) -> None:
    """Show every split of every method as a point, with mean and standard deviation."""
    figure = go.Figure()
    for id, title in reversed(list(titles.items())):
        percents = 100 * shares[id][~np.isnan(shares[id])]
        figure.add_scatter(
            x=percents, y=[title] * percents.size, mode="markers", hovertemplate="%{x:.1f} %<extra></extra>",
            marker=dict(size=8, color=_colour(id), opacity=0.4),
        )  # fmt: skip
        figure.add_scatter(
            x=[percents.mean()] if percents.size else [], y=[title] if percents.size else [], mode="markers",
            marker=dict(size=13, symbol="line-ns", line=dict(width=3, color=_colour(id))),
            error_x=dict(array=[_spread(percents)], color=_colour(id), thickness=2),
            hovertemplate="mean %{x:.1f} %<extra></extra>",
        )  # fmt: skip
    all_percents = [100 * row[~np.isnan(row)] for row in shares.values()]
    rows = list(titles.values())[::-1]
    figure.update_layout(
        height=90 + 46 * len(titles), margin=_MARGIN, showlegend=False,
        xaxis=dict(title="recognised, %", zeroline=False, range=_range(all_percents)),
        # Every method has its row from the beginning.
        yaxis=dict(
            type="category", categoryorder="array", categoryarray=rows, range=[-0.5, len(rows) - 0.5],
            tickvals=list(range(len(rows))), ticktext=rows,
        ),
    )  # fmt: skip
    _wait_for_first(figure, all_percents)
    st.plotly_chart(figure, key=key, config=_CONFIG)


def along(
    key: str,
    titles: Mapping[str, str],
    values: Sequence[int],
    shares: Mapping[str, NDArray[np.float64]],
    axis: str,
) -> None:
    """Show a line a method: mean accuracy along an axis with its standard deviation."""
    figure, all_percents = go.Figure(), []
    for index, (id, title) in enumerate(titles.items()):
        counted = [100 * row[~np.isnan(row)] for row in shares[id]]
        all_percents += counted
        points = [(value, percents) for value, percents in zip(values, counted, strict=True) if percents.size]
        figure.add_scatter(
            x=[value for value, _ in points], y=[percents.mean() for _, percents in points], name=title,
            mode="lines+markers", marker=dict(symbol=MARKS[index % len(MARKS)], size=8),
            line=dict(color=_colour(id), dash=DASHES[index % len(DASHES)], width=2),
            error_y=dict(array=[_spread(percents) for _, percents in points], thickness=1.2),
            hovertemplate="%{x}: %{y:.1f} %",
        )  # fmt: skip
    figure.update_layout(
        height=380, margin=_MARGIN | dict(t=40),
        xaxis=dict(title=axis, tickvals=list(values), type="log", range=_log_range(values)),
        yaxis=dict(title="recognised, %", range=_range(all_percents)),
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
    )  # fmt: skip
    _wait_for_first(figure, all_percents)
    st.plotly_chart(figure, key=key, config=_CONFIG)


def confusion(key: str, names: Sequence[str], counts: NDArray[np.int64]) -> None:
    """Show how often each class (rows) was taken for each class (columns), as shares of the row."""
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / np.where(totals > 0, totals, 1)
    cell_texts = np.array(
        [
            [f"{a} taken for {b}: {counts[i, j]} of {totals[i, 0]}" for j, b in enumerate(names)]
            for i, a in enumerate(names)
        ]
    )
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=list(range(len(names))),
            y=list(range(len(names))),
            zmin=0,
            zmax=1,
            text=cell_texts,
            hovertemplate="%{text}<extra></extra>",
            colorscale=_SINGLE_HUE[theme.current()],
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    few = len(names) <= 20
    ticks = dict(tickvals=list(range(len(names))), ticktext=list(names), showticklabels=few, automargin=True)
    figure.update_layout(
        height=440, margin=_MARGIN, xaxis=dict(title="taken for", constrain="domain", **ticks),
        yaxis=dict(title="true class", autorange="reversed", scaleanchor="x", constrain="domain", **ticks),
    )  # fmt: skip
    rows = [[name, *map(int, row)] for name, row in zip(names, counts, strict=True)]
    caption = "How often each class (rows) was taken for each class (columns)"
    chart(key, figure, table=lambda: TableFile(caption, ["true class", *names], rows))


def _colour(id: str) -> str:
    """Return the colour of a method, whatever its parameters are (behind a space)."""
    return colour(id.partition(" ")[0], theme.current())


def _range(all_percents: Sequence[NDArray[np.float64]]) -> list[float]:
    """Return from where to where an axis of percents goes: small differences are not made to look large."""
    finished = [percents for percents in all_percents if percents.size]
    if not finished:
        return [0.0, 101.0]
    low = min(min(percents.min(), percents.mean() - _spread(percents)) for percents in finished)
    high = max(max(percents.max(), percents.mean() + _spread(percents)) for percents in finished)
    room = max(0.06 * (high - low), (_LEAST_SPAN - (high - low)) / 2)
    # The whole of the least span lies where accuracies can be; marks at the ends are not cut.
    shift = max(0.0, -1 - (low - room)) - max(0.0, high + room - 101)
    return [float(low - room + shift), float(high + room + shift)]


def _log_range(values: Sequence[int]) -> list[float]:
    low, high = np.log10(min(values)), np.log10(max(values))
    room = max(0.05 * (high - low), 0.05)
    return [float(low - room), float(high + room)]


def _wait_for_first(figure: go.Figure, all_percents: Sequence[NDArray[np.float64]]) -> None:
    if not any(percents.size for percents in all_percents):
        figure.add_annotation(
            text="waiting for the first result …", showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper",
            bgcolor=st.get_option(f"theme.{theme.current()}.backgroundColor"), borderpad=6,
        )  # fmt: skip


def _spread(percents: NDArray[np.float64]) -> float:
    return float(percents.std(ddof=1)) if percents.size > 1 else 0.0
