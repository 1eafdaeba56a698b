"""The samples of the chosen data set, the labelled ones marked, and how the classes are balanced."""

from __future__ import annotations

import numpy as np
import streamlit as st

from experiments import Split
from experiments.library import Dataset
from ui import charts, state, theme
from ui.pictures import samples_sheet, smaller
from ui.sheet_view import sheet_view
from ui.sidebar import Chosen, chosen

_A_PAGE = 400
_WIDEST = 1400
_SHOWN = ("everything", "labelled", "unlabelled")


def show() -> None:
    """Show the page."""
    choice = chosen()
    ds, rows = choice.data, choice.rows
    _facts(ds, rows)
    left, right = st.columns([3, 1.15], gap="large")
    with left:
        _samples(ds, rows)
    with right:
        _classes(ds, rows)
        _card(choice)


def _facts(ds: Dataset, rows: Split) -> None:
    many = ds.card.class_units if ds.card else "classes"
    shape = "×".join(str(side) for side in ds.image_shape) if ds.image_shape else str(ds.n_features)
    with st.container(horizontal=True, gap="large"):
        st.metric("Samples", ds.n_samples)
        st.metric(many.capitalize(), ds.n_classes)
        st.metric("Pixels" if ds.image_shape else "Features", shape)
        st.metric("Labelled", f"{rows.labelled.size} ({rows.labelled.size / ds.n_samples:.0%})")


def _samples(ds: Dataset, rows: Split) -> None:
    if ds.image_shape is None:
        st.info("The samples of this data set are not images.")
        return
    shown = state.control(
        st.segmented_control,
        "Show",
        list(_SHOWN),
        name="show",
        default=_SHOWN[0],
        accept=_SHOWN.__contains__,
        required=True,
        label_visibility="collapsed",
    )
    index = {"labelled": rows.labelled, "unlabelled": rows.unlabelled}.get(shown, np.arange(ds.n_samples))
    pages = -(-index.size // _A_PAGE)
    if pages > 1:
        number = state.control(
            st.slider, "Page", 1, pages, name="page", default=1, accept=lambda value: 1 <= value <= pages
        )
        index = index[(number - 1) * _A_PAGE : number * _A_PAGE]
    images = np.asarray(ds.X)[index]
    sheet = smaller(
        samples_sheet(images, ds.image_shape, theme.current(), columns=min(20, index.size)), _WIDEST
    )
    marked = np.isin(index, rows.labelled)
    tips = [_tip(ds, row, bool(known)) for row, known in zip(index, marked, strict=True)]
    label = f"{index.size} samples, {int(marked.sum())} of them labelled"
    sheet_view(
        "samples", sheet, label=label, tips=tips, marks=marked if shown == "everything" else (), dim=True
    )
    st.caption("Framed: labelled, methods may know the class. Of the others they see the picture only.")


def _tip(ds: Dataset, row: int, known: bool) -> str:
    name = "" if ds.y is None or ds.y[row] < 0 else ds.target_names[ds.y[row]]
    return f"{name or f'Sample {row}'} · {'labelled' if known else 'unlabelled'}"


def _classes(ds: Dataset, rows: Split) -> None:
    if ds.y is None:
        return
    counts = {
        kind: np.bincount(ds.y[index][ds.y[index] >= 0], minlength=ds.n_classes)
        for kind, index in (("labelled", rows.labelled), ("unlabelled", rows.unlabelled))
    }
    names = [name.split()[-1] if name.split()[-1].isdigit() else name for name in ds.target_names]
    charts.class_counts("classes", names, counts, ds.card.class_unit if ds.card else "class")


def _card(choice: Chosen) -> None:
    card = choice.data.card
    if card is None:
        return
    st.markdown(f"**{card.title}.** {card.summary}")
    st.caption(f"Source: {card.source}  \nLicence: {card.licence}  \n{card.credit}")
