"""What the page of several views offers when the data have only one."""

from __future__ import annotations

import streamlit as st

from experiments.requests.library import ALL_VIEWS, card, cards, is_here
from ui import fetching, state
from ui.sidebar import Chosen

# What there is to see in each, most telling first.
_SETS = {
    "multifeature": "Six ways to describe the same handwritten digits. Which ones see the digit?",
    "multilingual": "The same entries in four languages: one topic, four vocabularies.",
    "docstrings": "Documentation by its body, its first line and its parameters.",
    "news": "Stories by text, title and subtitle.",
    "planted_views": "Made here: what the views share is known, and one of them can be useless.",
    "orl": "Faces as pixels, textures and edges.",
}


def show(choice: Chosen) -> None:
    """Offer data with several views, each one click away."""
    st.info(
        f"{choice.data.title} is seen in one way only, so there is nothing to weigh. "
        "These data have several views:"
    )
    if _can_be_made(choice.dataset):
        st.button(
            f"{choice.data.title}: pixels, textures and edges as three views", type="primary",
            on_click=_choose, args=(choice.dataset,),
        )  # fmt: skip
    listed = {entry.id for entry in cards()}
    offered = [id for id in _SETS if id in listed and id != choice.dataset]
    for start in range(0, len(offered), 3):
        for column, id in zip(st.columns(3), offered[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{card(id).title}**")
                st.caption(_SETS[id])
                label = "Choose" if is_here(id) else "Fetch and choose"
                st.button(label, key=f"views choose {id}", on_click=_choose, args=(id,))


def _can_be_made(dataset: str) -> bool:
    return any(option.name == "views" and ALL_VIEWS in option.choices for option in card(dataset).options)


def _choose(dataset: str) -> None:
    values = {"data": dataset}
    if _can_be_made(dataset):
        values[f"data.{dataset}.views"] = ALL_VIEWS
    state.choose(values)
    if not is_here(dataset):
        fetching.start(dataset)
