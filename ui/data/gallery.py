"""The pictures of a data set, hundreds at a time in one sheet, the labelled ones marked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from experiments import Split
from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import state, theme, tips, words
from ui.pictures import in_shades, samples_sheet, smaller
from ui.sheet_view import sheet_view

# So many pixels are sent at once: four hundred faces, or forty large pictures.
_PIXELS, _MOST, _FEWEST = 1_700_000, 400, 20
_WIDEST = 1400
_SUBSETS = ("all", "labelled", "unlabelled")


def show(ds: Dataset, rows: Split) -> None:
    """Show a page of the pictures, and what is chosen among them."""
    assert ds.image_shape is not None
    index = _chosen(ds, rows)
    if not index.size:
        st.info("There are no such pictures.")
        return
    height, width = ds.image_shape
    a_page = min(_MOST, max(_FEWEST, _PIXELS // (height * width)))
    pages = -(-index.size // a_page)
    if pages > 1:
        number = state.control(
            st.slider, "Page", 1, pages, name="page", default=1, accept=lambda value: 1 <= value <= pages,
            key=f"page of {pages}",
        )  # fmt: skip
        index = index[(number - 1) * a_page : number * a_page]
    _sheet(ds, rows, index)


def _chosen(ds: Dataset, rows: Split) -> np.ndarray:
    if not rows.labelled.size:
        return np.arange(ds.n_samples)
    subset = state.control(
        st.segmented_control, "Show", list(_SUBSETS), name="show", default=_SUBSETS[0],
        accept=_SUBSETS.__contains__, required=True, label_visibility="collapsed",
    )  # fmt: skip
    return {"labelled": rows.labelled, "unlabelled": rows.unlabelled}.get(subset, np.arange(ds.n_samples))


def _sheet(ds: Dataset, rows: Split, index: np.ndarray) -> None:
    assert ds.image_shape is not None
    columns = min(20 if ds.image_shape[1] <= 100 else 10, index.size)
    images = in_shades(np.asarray(ds.X)[index])
    sheet = smaller(samples_sheet(images, ds.image_shape, theme.current(), columns=columns), _WIDEST)
    marked = np.isin(index, rows.labelled)
    captions = [_tip(ds, int(row), bool(labelled)) for row, labelled in zip(index, marked, strict=True)]
    label = f"{words.counted(index.size, 'picture')}, {int(marked.sum())} of them labelled"
    some = bool(marked.any() and not marked.all())
    sheet_view("samples", sheet, label=label, tips=captions, marks=marked if some else (), dim=some)
    if some:
        st.caption("Framed: labelled, methods may know the class. Of the others they see the picture only.")


def _tip(ds: Dataset, row: int, labelled: bool) -> str:
    parts = (tips.class_in_words(ds, row), sample_title(ds, row), "labelled" if labelled else "unlabelled")
    return " · ".join(filter(None, parts))
