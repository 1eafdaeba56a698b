"""The vocabulary of documents: how many words are used, which, and why others are left out."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from experiments.documents.vocabulary import vocabulary
from experiments.requests.library import Dataset
from experiments.table_files import TableFile
from ui import state, words
from ui.downloads import downloads, file_stem

_MOST_WORDS = 1000


def show(ds: Dataset) -> None:
    """Show the vocabulary of a view; it follows the options of the data set as they change."""
    views = [view for view in ds.views if view in ds.view_features]
    view = views[0]
    if len(views) > 1:
        view = state.control(
            st.segmented_control, "View", views, name="_vocabulary", default=views[0],
            accept=views.__contains__, required=True, key=f"vocabulary of {' '.join(views)}",
        )  # fmt: skip
    vocab = vocabulary(ds, view)
    total = len(vocab.words) + sum(vocab.dropped.values())
    sentence = f"**{words.counted(len(vocab.words), 'word')} kept**"
    if vocab.dropped:
        sentence += f" of {words.number(total)}. Left out: " + "; ".join(
            f"{words.number(count)} {reason}" for reason, count in vocab.dropped.items() if count
        )
    st.markdown(sentence + ".")
    st.dataframe(
        pd.DataFrame(
            {
                "word": vocab.words[:_MOST_WORDS],
                "documents": vocab.documents[:_MOST_WORDS],
                "share": vocab.documents[:_MOST_WORDS] / ds.n_samples,
            }
        ),
        hide_index=True,
        height=320,
        column_config={
            "word": st.column_config.TextColumn("Word"),
            "documents": st.column_config.NumberColumn("Documents it is in", format="%d"),
            "share": st.column_config.ProgressColumn(
                "Share of all", min_value=0, max_value=float(vocab.documents[:1].sum() / ds.n_samples),
                format="percent",
            ),
        },
    )  # fmt: skip
    rows = zip(vocab.words, vocab.documents.tolist(), strict=True)
    table = TableFile(f"Words of {ds.title}, {view}", ["word", "documents"], list(rows))
    downloads("vocabulary", drawn=False, name=file_stem("words", view), table=lambda: table)
    if len(vocab.words) > _MOST_WORDS:
        st.caption(f"The {words.number(_MOST_WORDS)} most frequent. A heading sorts, the lens searches.")
