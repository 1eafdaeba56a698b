"""Samples that are rows of measurements: two of them against each other, and the numbers themselves."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from experiments import Split
from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import palette, state, theme, words
from ui.charts import chart
from ui.data import previews

# More points hide each other and slow the page down; as many are drawn without WebGL, of which a tab has a
# few places only and some machines have nothing.
_MOST_POINTS = 3000


def show(ds: Dataset, rows: Split) -> None:
    """Show the samples in the plane of two features, and as a table."""
    if ds.n_features > 1:
        _scatter(ds, rows)
    previews.table(ds)


def _scatter(ds: Dataset, rows: Split) -> None:
    columns = list(range(ds.n_features))
    first, second = _most_telling(ds)
    chosen = []
    for place, (label, usual) in zip(st.columns(2), (("Across", first), ("Up", second)), strict=True):
        with place:
            chosen.append(
                state.control(
                    st.selectbox, label, columns, name=f"look.{label.lower()}", default=usual,
                    accept=columns.__contains__, format_func=lambda i: previews.column_name(ds, i),
                    key=f"{label} of {ds.id} {ds.n_features}",
                )
            )  # fmt: skip
    index = np.unique(np.linspace(0, ds.n_samples - 1, min(ds.n_samples, _MOST_POINTS)).astype(int))
    figure = _drawn(ds, index, rows.y_partial >= 0, _column(ds, chosen[0]), _column(ds, chosen[1]))
    figure.update_layout(
        xaxis=dict(title=previews.column_name(ds, chosen[0]) + _range(ds)),
        yaxis=dict(title=previews.column_name(ds, chosen[1]) + _range(ds)),
    )
    figure.update_layout(height=430, margin=dict(l=8, r=8, t=8, b=8), legend=dict(itemsizing="constant"))
    chart("two features", figure)
    if rows.labelled.size:
        st.caption(f"Large and solid: labelled {words.samples(ds)}. Small: the others.")


def _drawn(
    ds: Dataset, index: np.ndarray, labelled: np.ndarray, across: np.ndarray, up: np.ndarray
) -> go.Figure:
    colours = palette.classes(theme.current())
    codes = np.full(ds.n_samples, -1) if ds.y is None else ds.y
    figure = go.Figure()
    for code in np.unique(codes[index]):
        of = index[codes[index] == code]
        figure.add_scatter(
            x=across[of], y=up[of], mode="markers",
            name=ds.target_names[code] if code >= 0 else "class not known" if ds.y is not None else "samples",
            marker=dict(
                color=colours[code % len(colours)] if code >= 0 else "#8a8f8e",
                size=np.where(labelled[of], 10, 6), opacity=np.where(labelled[of], 1.0, 0.5),
            ),
            text=[sample_title(ds, int(row)) for row in of], hovertemplate="%{text}<br>%{x:.3g}, %{y:.3g}",
        )  # fmt: skip
    figure.update_layout(showlegend=ds.y is not None and 1 < np.unique(codes[index]).size <= 12)
    return figure


def _range(ds: Dataset) -> str:
    """Say that a measurement is no longer in its own unit."""
    return ", stretched to 0–1" if ds.options.get("scale") else ""


def _column(ds: Dataset, column: int) -> np.ndarray:
    values = ds.X[:, [column]]
    return np.asarray(values.toarray() if hasattr(values, "toarray") else values)[:, 0]


def _most_telling(ds: Dataset) -> tuple[int, int]:
    """Return the two features along which the classes differ most, compared with the spread inside them."""
    if ds.y is None or ds.n_features < 3 or hasattr(ds.X, "toarray"):
        return 0, min(1, ds.n_features - 1)
    X, codes = np.asarray(ds.X)[ds.y >= 0], ds.y[ds.y >= 0]
    sizes = np.bincount(codes).astype(float)
    sums = np.zeros((sizes.size, X.shape[1]))
    np.add.at(sums, codes, X)
    means = sums / np.maximum(sizes, 1)[:, None]
    between = (sizes[:, None] * (means - X.mean(axis=0)) ** 2).sum(axis=0)
    telling = between / np.maximum(((X - X.mean(axis=0)) ** 2).sum(axis=0), 1e-12)
    order = np.argsort(-telling, kind="stable")
    return int(order[0]), int(order[1])
