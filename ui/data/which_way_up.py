"""Two montages of the same pictures, as read and turned: one click says which of them stand upright."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import state, theme
from ui.pictures import in_shades, samples_sheet, smaller
from ui.sheet_view import sheet_view

_PICTURES, _COLUMNS, _WIDEST = 10, 5, 480
_OTHER = {"rows": "columns", "columns": "rows"}


def answer(key: str) -> str | None:
    """Return what was said of the pixels of these files: "rows", "columns", or nothing yet."""
    pixels: str | None = state.get(_name(key))
    return pixels


def ask(draft: Mapping[str, Any], ds: Dataset, key: str) -> None:
    """Show both readings and a button under each, if the pictures themselves do not tell."""
    if not draft["unsure"] or ds.image_shape is None:
        return
    st.markdown("**Which of these stand upright?** The pictures do not tell, so this is yours to say.")
    height, width = ds.image_shape
    rows = np.unique(np.linspace(0, ds.n_samples - 1, min(ds.n_samples, _PICTURES)).astype(int))
    images = in_shades(np.asarray(ds.X)[rows]).reshape(-1, height, width)
    tips = [sample_title(ds, row) or f"picture {row + 1}" for row in rows]
    readings = (
        ("These, as read", draft["pixels"], images),
        ("These, turned", _OTHER[draft["pixels"]], images.transpose(0, 2, 1)),
    )
    for place, (title, pixels, pictures) in zip(st.columns(2), readings, strict=True):
        with place:
            flat = np.ascontiguousarray(pictures).reshape(len(pictures), -1)
            shape = (int(pictures.shape[1]), int(pictures.shape[2]))
            sheet = smaller(samples_sheet(flat, shape, theme.current(), columns=_COLUMNS), _WIDEST)
            label = f"{len(rows)} pictures: {title.lower()}"
            sheet_view(f"which way {pixels}", sheet, label=label, tips=tips)
            st.button(
                title, on_click=state.put, args=(_name(key), pixels), key=f"{key} upright {pixels}",
                width="stretch",
            )  # fmt: skip


def _name(key: str) -> str:
    # Kept out of the address: these files are not there either.
    return f"_pixels of upload {key}"
