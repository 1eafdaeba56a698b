"""The page of the data: what is in them, seen from the side one chooses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from experiments.requests.intake import is_from_file
from experiments.requests.library import Dataset
from ui import state, words
from ui.data import (
    balance,
    gallery,
    preparation,
    sizes,
    spoiled,
    tables,
    text_cards,
    upload_form,
    view_panels,
    vocabulary,
)
from ui.graphs import graph_map
from ui.plain import as_text
from ui.sidebar import Chosen, chosen

_FEWEST_ON_A_MAP = 3


@dataclass(frozen=True)
class _Side:
    """One way to look at data: its heading, for which data it is there, and what shows it."""

    heading: Callable[[Dataset], str]
    fits: Callable[[Dataset], bool]
    show: Callable[[Chosen], None]


def _samples(choice: Chosen) -> None:
    ds, rows = choice.data, choice.rows
    {"images": gallery.show, "documents": text_cards.show, "table": tables.show}[words.kind_of(ds)](ds, rows)


_SIDES = {
    "samples": _Side(lambda ds: words.samples(ds).capitalize(), lambda ds: True, _samples),
    "words": _Side(
        lambda ds: "Vocabulary",
        lambda ds: words.kind_of(ds) == "documents" and bool(ds.view_features),
        lambda choice: vocabulary.show(choice.data),
    ),
    "views": _Side(
        lambda ds: "Views", lambda ds: len(ds.views) > 1, lambda choice: view_panels.show(choice.data)
    ),
    "map": _Side(lambda ds: "Map", lambda ds: ds.n_samples >= _FEWEST_ON_A_MAP, graph_map.show),
    "spoiled": _Side(
        lambda ds: "Corruption",
        lambda ds: words.kind_of(ds) == "images",
        lambda choice: spoiled.show(choice.data, choice.seed),
    ),
    "classes": _Side(
        lambda ds: "Classes",
        lambda ds: ds.y is not None,
        lambda choice: balance.show(choice.data, choice.rows),
    ),
    "about": _Side(lambda ds: "About", lambda ds: True, lambda choice: _about(choice.data)),
    "own": _Side(lambda ds: "Bring your own", lambda ds: True, lambda choice: upload_form.show()),
}


def show() -> None:
    """Show the page."""
    choice = chosen()
    ds = choice.data
    sides = {name: side for name, side in _SIDES.items() if side.fits(ds)}
    look = state.control(
        st.segmented_control, "Look at", list(sides), name="look", default="samples",
        accept=sides.__contains__, format_func=lambda name: sides[name].heading(ds), required=True,
        label_visibility="collapsed", key=f"look {' '.join(sides)}",
    )  # fmt: skip
    if look != "own":
        preparation.show(choice.dataset, choice.options)
        sizes.show(ds, last=("Labelled", choice.rows.labelled.size))
    sides[look].show(choice)


def _about(ds: Dataset) -> None:
    card = ds.card
    if card is None:
        return
    # What we have written ourselves has links in it.
    as_safe = as_text if is_from_file(ds.id) else str
    st.markdown(f"**{as_safe(card.title)}.** {as_safe(card.summary)}")
    sources = {"Source": card.source, "Licence": card.licence, "Credit": card.credit}
    st.markdown("\n".join(f"- {name}: {as_safe(text)}" for name, text in sources.items() if text))
    if ds.options:
        headings = {option.name: option.heading for option in card.options}
        used = (f"{headings.get(name, name)}: {_option_text(value)}" for name, value in ds.options.items())
        st.caption(f"Loaded with {as_safe('; '.join(used))}.")


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words.number(value) if isinstance(value, int | float) else str(value)
