"""What to label next, and why, in sentences; one click chooses it."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from experiments.fitted.standing import Standing
from experiments.fitted.suggestions import Suggestion
from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import state, theme, words
from ui.pictures import samples_sheet
from ui.recognition import choosing
from ui.sheet_view import sheet_view
from ui.sidebar import Chosen

_KEY = "suggested pictures"


def advice(choice: Chosen, current: Standing) -> None:
    """Show the suggestions of a run."""
    if not current.suggested:
        return
    ds, rows = choice.data, [suggestion.row for suggestion in current.suggested]
    st.markdown("**Worth labelling next**")
    reasons = [reason(ds, current, suggestion) for suggestion in current.suggested]
    if choosing.has_pictures(ds):
        assert ds.image_shape is not None
        sheet = samples_sheet(np.asarray(ds.X)[rows], ds.image_shape, theme.current(), columns=len(rows))
        tips = [f"{sample_title(ds, row)}: click to choose" for row in rows]
        chosen = [row in choosing.clicked_rows() for row in rows]
        sheet_view(
            _KEY,
            sheet,
            label=f"{len(rows)} suggestions",
            tips=tips,
            marks=chosen,
            on_pick=partial(_add, rows),
        )
        st.markdown("\n".join(f"{place}. {text}" for place, text in enumerate(reasons, 1)))
        return
    for row, text in zip(rows, reasons, strict=True):
        st.button(sample_title(ds, row), key=f"suggested {row}", on_click=choosing.add, args=((row,),))
        st.caption(text)


def _add(rows: list[int]) -> None:
    place = state.component_value(_KEY, "picked")
    if isinstance(place, int) and 0 <= place < len(rows):
        choosing.add((rows[place],))


def reason(ds: Dataset, current: Standing, suggestion: Suggestion) -> str:
    """Say why a sample is worth a label."""
    if suggestion.reason == "far":
        return (
            f"{suggestion.strength:.1f} times as far from every label as is usual: "
            "nothing like it is labelled yet."
        )
    code = int(current.verdicts.code[np.flatnonzero(current.verdicts.row == suggestion.row)[0]])
    if code < 0:
        return "No label has come here yet."
    margin, unit = 1 - suggestion.strength, words.class_unit(ds)
    near = "just as near" if margin < 0.01 else f"only {margin:.0%} less near"
    return f"Taken for {current.verdicts.names[code]}, but another {unit} is {near}."
