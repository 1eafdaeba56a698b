"""Plotly charts with the look of the rest: no chart junk, a method's own colour, labelled axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from ui import theme

_CONFIG = {"displayModeBar": False, "responsive": True}
_MARGIN = dict(l=8, r=8, t=8, b=8)


@dataclass(frozen=True)
class Line:
    """A curve: its name, where its points are, their spread (0: none), and its colour."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float]
    colour: str


def curves(key: str, lines: Sequence[Line], axis: str, what: str) -> None:
    """Show curves with the spread of their points."""
    figure = go.Figure()
    for line in lines:
        figure.add_scatter(
            x=line.x,
            y=line.y,
            name=line.name,
            mode="lines+markers",
            line_color=line.colour,
            error_y=dict(type="data", array=line.spread, thickness=1, width=3),
        )
    figure.update_layout(
        height=380,
        margin=_MARGIN | dict(t=60),
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
        xaxis=dict(title=axis),
        yaxis=dict(title=what),
    )
    st.plotly_chart(figure, key=key, config=_CONFIG)


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
    st.plotly_chart(figure, key=key, config=_CONFIG)
