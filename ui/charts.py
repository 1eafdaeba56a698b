"""Plotly charts with the look of the rest: no chart junk, a method's own colour, labelled axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from ui import theme

_CONFIG = {"displayModeBar": False, "responsive": True}
_MARGIN = dict(l=8, r=8, t=8, b=8)


def distributions(
    key: str, values: Mapping[str, NDArray[Any]], colours: Mapping[str, str], axis: str
) -> None:
    """Show every value of every method as a point, the shape of their distribution, and the mean."""
    figure = go.Figure()
    for name in reversed(list(values)):
        figure.add_violin(
            x=values[name], name=name, orientation="h", side="positive", points="all", pointpos=-0.35,
            jitter=0.5, width=1.5, marker=dict(size=5, opacity=0.55), scalemode="width", spanmode="hard",
            line=dict(width=1.5, color=colours[name]), fillcolor=_faint(colours[name]),
            meanline_visible=True, hoverinfo="x",
        )  # fmt: skip
    figure.update_layout(
        height=90 + 95 * len(values), margin=_MARGIN, showlegend=False, violinmode="overlay",
        xaxis=dict(title=axis, range=[0, 1], zeroline=False), yaxis=dict(title=None),
    )  # fmt: skip
    st.plotly_chart(figure, key=key, config=_CONFIG)


def class_counts(key: str, names: Sequence[str], counts: Mapping[str, NDArray[np.int64]], axis: str) -> None:
    """Show how many samples of each class there are, stacked by what is known of them."""
    light = theme.current() == "light"
    colours = {"labelled": "#0f766e" if light else "#2dd4bf", "unlabelled": "#b9c4c2" if light else "#4a5654"}
    figure = go.Figure()
    for kind, count in counts.items():
        figure.add_bar(x=list(names), y=count, name=kind, marker_color=colours.get(kind, "#d58a4c"))
    figure.update_layout(
        barmode="stack",
        height=250,
        margin=_MARGIN | dict(t=40),
        bargap=0.25,
        legend=dict(orientation="h", yanchor="bottom", y=1.02, x=0),
        xaxis=dict(title=axis),
        yaxis=dict(title="samples"),
    )
    st.plotly_chart(figure, key=key, config=_CONFIG)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"
