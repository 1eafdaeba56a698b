"""Labels given by hand that a link does not have are set aside: a link must mean the same for all."""

from __future__ import annotations

import streamlit as st

from ui import state, words
from ui.by_hand import hand_labels, hand_pairs

_ASIDE, _LOOKED = "_labels.aside", "_labels.looked"


def look(dataset: str, of: int) -> None:
    """Set this visitor's labels aside if a link without any was opened; once, for the data of the link."""
    if state.get(_LOOKED):
        return
    state.put(_LOOKED, True)
    opened_with = state.opened_with()
    if opened_with and "labels" not in opened_with and hand_labels.given(dataset, of):
        state.put(_ASIDE, dataset)


def given(dataset: str, of: int) -> hand_labels.HandLabels:
    """Return the labels that hold here: none while they are set aside."""
    labels = hand_labels.given(dataset, of)
    return () if labels and state.get(_ASIDE) == dataset else labels


def before_labelling(dataset: str) -> None:
    """Begin afresh where labels are set aside: what is said now stands alone (and can be undone)."""
    if hand_labels.given(dataset) and state.get(_ASIDE) == dataset:
        hand_labels.clear(dataset)
        state.put(_ASIDE, None)


def controls(dataset: str, of: int) -> None:
    """Say that there are labels set aside, and offer to forget what was given by hand."""
    labels, pairs = hand_labels.given(dataset, of), hand_pairs.given(dataset, of)
    if labels and state.get(_ASIDE) == dataset:
        many = words.counted(len(labels), "name")
        st.caption(f"This link is without the {many} you have given by hand before.")
        st.button("Use them here", on_click=state.put, args=(_ASIDE, None), width="stretch")
    if labels or pairs:
        st.button(
            "Forget all given by hand", on_click=_forget, args=(dataset, of), width="stretch",
            help="Takes back every name and pair you have given to these samples.",
        )  # fmt: skip


def _forget(dataset: str, of: int) -> None:
    hand_labels.clear(dataset)
    hand_pairs.replace(dataset, of, ())
    state.put(_ASIDE, None)
