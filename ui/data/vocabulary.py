"""The words that documents are described by: how many are kept, which, and why others are not."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from experiments.documents.vocabulary import vocabulary
from experiments.requests.library import Dataset
from ui import state, words

_SHOWN = 1000


def show(ds: Dataset) -> None:
    """Show the vocabulary of a view; it follows the options of the data set as they change."""
    views = [view for view in ds.views if view in ds.view_features]
    view = views[0]
    if len(views) > 1:
        view = state.control(
            st.segmented_control, "View", views, name="_vocabulary", default=views[0],
            accept=views.__contains__, required=True, key=f"vocabulary of {' '.join(views)}",
        )  # fmt: skip
    found = vocabulary(ds, view)
    total = len(found.words) + sum(found.dropped.values())
    said = f"**{words.counted(len(found.words), 'word')} kept**"
    if found.dropped:
        said += f" of {words.number(total)}. Left out: " + "; ".join(
            f"{words.number(count)} {reason}" for reason, count in found.dropped.items() if count
        )
    st.markdown(said + ".")
    st.dataframe(
        pd.DataFrame(
            {
                "word": found.words[:_SHOWN],
                "documents": found.documents[:_SHOWN],
                "share": found.documents[:_SHOWN] / ds.n_samples,
            }
        ),
        hide_index=True,
        height=320,
        column_config={
            "word": st.column_config.TextColumn("Word"),
            "documents": st.column_config.NumberColumn("Documents it is in", format="%d"),
            "share": st.column_config.ProgressColumn(
                "Share of all", min_value=0, max_value=float(found.documents[:1].sum() / ds.n_samples),
                format="percent",
            ),
        },
    )  # fmt: skip
    if len(found.words) > _SHOWN:
        st.caption(f"The {words.number(_SHOWN)} most frequent. A heading sorts, the lens searches.")
