"""Plotly charts with the look of the rest: no chart junk, a method's own colour, labelled axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from ui import theme

_CONFIG = {"displayModeBar": False, "responsive": True}
_MARGIN = dict(l=8, r=8, t=8, b=8)


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
