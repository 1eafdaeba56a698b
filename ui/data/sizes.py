"""The sizes of a data set at a glance."""

from __future__ import annotations

import streamlit as st

from experiments.requests.library import Dataset
from ui import words


def show(ds: Dataset, *, last: tuple[str, int]) -> None:
    """Show how many samples, features, views and classes there are; with classes, a `last` count too."""
    with st.container(horizontal=True, gap="medium"):
        st.metric(words.samples(ds).capitalize(), words.number(ds.n_samples))
        if ds.image_shape:
            st.metric("Height × width", "×".join(str(side) for side in ds.image_shape))
        else:
            st.metric(words.features(ds).capitalize(), words.number(ds.n_features))
        if len(ds.views) > 1:
            st.metric("Views", len(ds.views))
        if ds.y is not None:
            st.metric(words.class_units(ds).capitalize(), words.number(ds.n_classes))
            label, count = last
            share = f" ({_share(count / ds.n_samples)})" if count else ""
            st.metric(label, words.number(count) + share)


def _share(share: float) -> str:
    return "<1%" if 0 < share < 0.005 else f"{share:.0%}"
