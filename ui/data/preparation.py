"""What a preparation does to the numbers, before and after; and advice where the numbers ask for one."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from experiments.requests.intake import looks_like_counts, numbers_of, small_negatives
from experiments.requests.library import Dataset, load_dataset
from ui import words
from ui.downloads import downloads, table_of

_OPTION, _NONE = "preparation", "none"
_COUNTS = (
    "These numbers look like counts of words. With TF-IDF and rows of length 1, N²S²L recognised 67.9 % "
    "of 3sources instead of 39.7 %, 55.7 % of BBCSport instead of 34.9 %, and 29.3 % of 20 Newsgroups "
    "instead of 14.7 % (two labels a class). It does not always help: of Reuters R8 it recognised 41.8 % "
    "instead of 43.6 %, and with rows of length 1 alone 50.8 %. Try both under *Preparation*."
)
_NEGATIVE = (
    "The smallest number is {:.3g}, which bars methods for non-negative data. So little below zero is mostly "
    "rounding: choose under *Preparation* to move the numbers up, or to set those to 0."
)


def advise(ds: Dataset, chosen: str) -> None:
    """Say which preparation would help, if none is chosen yet."""
    if chosen != _NONE:
        return
    if looks_like_counts(ds):
        st.info(_COUNTS)
    elif low := small_negatives(ds):
        st.info(_NEGATIVE.format(low))


def compare(before: Dataset, after: Dataset) -> None:
    """Show the numbers of every view before and after."""
    rows = []
    for name in before.views:
        for when, ds in (("before", before), ("after", after)):
            numbers = numbers_of(ds.views[name])
            shares = {title: words.number(round(value, 4)) for title, value in numbers.items()}
            rows.append({"view": name, "": when} | shares | {"zeros": f"{numbers['zeros']:.1%}"})
    frame = pd.DataFrame(rows)
    st.dataframe(frame, hide_index=True, width="stretch")
    downloads("preparation", drawn=False, table=lambda: table_of("Before and after the preparation", frame))


def show(dataset: str, options: Mapping[str, object]) -> None:
    """Show before and after of an upload that is prepared; advise otherwise."""
    if _OPTION not in options:
        return
    ds = load_dataset(dataset, **options)
    chosen = str(options[_OPTION])
    advise(ds, chosen)
    if chosen != _NONE:
        with st.expander("What the preparation did to the numbers"):
            compare(load_dataset(dataset, **{**options, _OPTION: _NONE}), ds)
