"""Who a chosen picture may be: one known picture of each class that comes near, a click gives the name."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from experiments.fitted.standing import Standing
from experiments.requests.library import Dataset
from ui import state, theme, words
from ui.pictures import samples_sheet
from ui.recognition import choosing
from ui.sheet_view import sheet_view

_KEY, _MOST = "likenesses", 6


def show(ds: Dataset, current: Standing | None, rows: tuple[int, ...], name: str) -> None:
    """Show the known pictures most like the chosen ones; who is clicked becomes the choice called `name`."""
    if current is None or not rows or not choosing.has_pictures(ds):
        return
    matches = current.nearest_labelled(rows)[:_MOST]
    if not matches:
        return
    assert ds.image_shape is not None
    names = [current.verdicts.names[code] for code, _ in matches]
    sheet = samples_sheet(
        np.asarray(ds.X)[[row for _, row in matches]], ds.image_shape, theme.current(), columns=_MOST
    )
    chosen = state.get(name)
    sheet_view(
        _KEY, sheet, label=f"{len(matches)} known pictures like the chosen", tips=names,
        marks=[class_name == chosen for class_name in names], on_pick=partial(_take, name, names),
    )  # fmt: skip
    st.caption(f"The {words.class_units(ds)} most like it, the nearest first: click one to take its name.")


def _take(name: str, names: list[str]) -> None:
    place = state.component_value(_KEY, "picked")
    if isinstance(place, int) and 0 <= place < len(names):
        state.choose({name: names[place]})
