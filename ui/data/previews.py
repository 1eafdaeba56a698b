"""A first look at a data set of any kind: a few samples as they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import theme, tips, words
from ui.data import text_cards
from ui.downloads import downloads, file_stem, table_of
from ui.pictures import in_shades, samples_sheet, smaller
from ui.sheet_view import sheet_view

_PICTURES, _TEXTS, _ROWS, _COLUMNS = 40, 3, 200, 30
_WIDEST = 1100


def glance(ds: Dataset, key: str = "glance") -> None:
    """Show a few samples, spread over the whole data set; `key` tells it from others on the page."""
    kind = words.kind_of(ds)
    if kind == "images":
        pictures(ds, _spread(ds.n_samples, _PICTURES), key)
    elif kind == "documents" and ds.texts:
        text_cards.cards(ds, _spread(ds.n_samples, _TEXTS))
    else:
        table(ds, f"numbers {key}")


def pictures(ds: Dataset, index: np.ndarray, key: str) -> None:
    """Show pictures as they are, side by side in one."""
    assert ds.image_shape is not None
    images = in_shades(np.asarray(ds.X)[index])
    columns = min(index.size, 20 if ds.image_shape[1] < 80 else 10)
    sheet = smaller(samples_sheet(images, ds.image_shape, theme.current(), columns=columns), _WIDEST)
    captions = [
        " · ".join(filter(None, (tips.class_in_words(ds, row), sample_title(ds, row)))) for row in index
    ]
    sheet_view(key, sheet, label=f"{index.size} of {words.counted(ds.n_samples, 'picture')}", tips=captions)


def table(ds: Dataset, key: str = "numbers") -> None:
    """Show the first rows and columns as numbers."""
    X = ds.X[:_ROWS, :_COLUMNS]
    numbers = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
    frame = pd.DataFrame(numbers, columns=[column_name(ds, i) for i in range(numbers.shape[1])])
    if ds.y is not None:
        frame.insert(0, words.class_unit(ds), [tips.class_of(ds, row) or "?" for row in range(len(frame))])
    st.dataframe(frame, hide_index=True, height=300)
    downloads(key, drawn=False, name=file_stem(ds.title), table=lambda: table_of(ds.title, frame))
    if ds.n_samples > _ROWS or ds.n_features > _COLUMNS:
        st.caption(
            f"The first {words.number(len(frame))} of {words.counted(ds.n_samples, 'row')}, "
            f"{words.number(numbers.shape[1])} of {words.counted(ds.n_features, 'column')}."
        )


def column_name(ds: Dataset, column: int) -> str:
    """Return the name of a feature, or its number."""
    return ds.feature_names[column] if ds.feature_names else f"feature {column + 1}"


def _spread(of: int, count: int) -> np.ndarray:
    return np.unique(np.linspace(0, of - 1, min(of, count)).astype(int))
