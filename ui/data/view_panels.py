"""The views of a data set, a panel each: what it holds, and what the samples look like in it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import streamlit as st

from experiments.documents.vocabulary import vocabulary
from experiments.requests.library import Dataset
from ui import theme, words
from ui.downloads import downloads
from ui.pictures import in_shades, samples_sheet, smaller, table_sheet

_PICTURES, _ROWS, _WORDS = 24, 60, 24
_WIDEST = 700


def show(ds: Dataset) -> None:
    """Show the panels, two beside each other."""
    names = list(ds.views)
    # A row at a time: on a narrow screen they keep their order.
    for start in range(0, len(names), 2):
        for place, name in zip(st.columns(2, gap="medium"), names[start : start + 2], strict=False):
            with place, st.container(border=True, height="stretch"):
                _panel(ds, name)


def _panel(ds: Dataset, name: str) -> None:
    view = ds.views[name]
    st.markdown(f"**{name}** · {words.counted(view.shape[1], *_features(ds, name))}{_remark(view)}")
    if name in ds.view_features and name in ds.texts:
        vocab = vocabulary(ds, name)
        st.caption(", ".join(vocab.words[:_WORDS]) + " …")
    elif _holds_pictures(ds, name):
        _pictures(ds, name)
    else:
        _pattern(ds, view, name)


def _features(ds: Dataset, name: str) -> tuple[str, str]:
    if name in ds.texts:
        return "word", "words"
    return ("pixel", "pixels") if _holds_pictures(ds, name) else ("feature", "features")


def _holds_pictures(ds: Dataset, name: str) -> bool:
    """Say whether a view holds pictures of the size of the first, as several poses of a face do."""
    view = ds.views[name]
    return ds.image_shape is not None and isinstance(view, np.ndarray) and view.shape[1] == ds.n_features


def _remark(view: Any) -> str:
    values = view.data if hasattr(view, "toarray") else np.asarray(view)
    share = values.size / (view.shape[0] * view.shape[1])
    sparse = f" · {share:.1%} of the numbers are not zero" if hasattr(view, "toarray") else ""
    return sparse + (" · has negative values" if values.size and float(values.min()) < 0 else "")


def _pictures(ds: Dataset, name: str) -> None:
    assert ds.image_shape is not None
    index = np.unique(np.linspace(0, ds.n_samples - 1, min(ds.n_samples, _PICTURES)).astype(int))
    images = in_shades(np.asarray(ds.views[name])[index])
    sheet = smaller(samples_sheet(images, ds.image_shape, theme.current(), columns=12), _WIDEST)
    _image(sheet.image, name)
    st.caption(f"{index.size} of the pictures.")


def _pattern(ds: Dataset, view: Any, name: str) -> None:
    """Draw what the classes have in common in this view: a row each, or rows of samples without classes."""
    rows, caption = _means(ds, view)
    _image(table_sheet(rows).image.resize((_WIDEST, 220)), name)
    st.caption(f"{caption}, from left to right the {words.counted(view.shape[1], 'feature')} of {name}.")


def _means(ds: Dataset, view: Any) -> tuple[np.ndarray, str]:
    if ds.y is None:
        index = np.unique(np.linspace(0, ds.n_samples - 1, min(ds.n_samples, _ROWS)).astype(int))
        rows = view[index]
        dense = rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows)
        return dense, f"A line for each of {words.counted(index.size, words.sample(ds), words.samples(ds))}"
    codes = np.unique(ds.y[ds.y >= 0])[:_ROWS]
    means = [np.asarray(view[np.flatnonzero(ds.y == code)].mean(axis=0)).ravel() for code in codes]
    return np.stack(means), f"A line for the average of each {words.class_unit(ds)}"


def _image(image: Any, name: str) -> None:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    key = f"view {name}"
    with st.container(key=key):
        st.image(buffer.getvalue(), width="stretch")
    downloads(key)
