"""Documents as cards: title, class, the first lines, and the words of it that count most."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from experiments import Split
from experiments.requests.library import Dataset
from experiments.requests.titles import sample_title
from ui import state, tips, words

_A_PAGE = 12
_LINES = 360
_WORDS = 8
_STYLE = """
<style>
.texts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .8rem; }
.texts article { border: 1px solid color-mix(in srgb, currentColor 18%, transparent); border-radius: 6px;
  padding: .7rem .9rem; overflow: hidden; }
.texts article.known { border-left: 4px solid #0d8479; }
.texts h4 { font-size: .95rem; margin: 0 0 .15rem; padding: 0; overflow-wrap: anywhere; }
.texts .class { font-size: .8rem; opacity: .75; }
.texts p { font-size: .85rem; line-height: 1.4; margin: .4rem 0; overflow-wrap: anywhere; }
.texts .words { font-size: .78rem; opacity: .85; margin: 0; }
.texts .words span { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 9px;
  padding: 0 .45em; margin: 0 .3em .3em 0; display: inline-block; }
</style>
"""


def show(ds: Dataset, rows: Split) -> None:
    """Show the documents, a page at a time, all of them or those of one class."""
    above = st.container(horizontal=True, vertical_alignment="bottom")
    with above:
        index = _chosen(ds, rows)
    if not index.size:
        st.info("There are no such documents. Choose others above.")
        return
    pages = -(-index.size // _A_PAGE)
    number = 1
    if pages > 1:
        number = _page(pages, above)
    cards(ds, index[(number - 1) * _A_PAGE : number * _A_PAGE], rows.y_partial >= 0)
    if rows.labelled.size:
        st.caption(
            "A thick edge: labelled, methods may know the class. Of the others they see the words only."
        )


def _page(pages: int, place: Any) -> int:
    with place:
        number: int = state.control(
            st.number_input, f"Page of {words.number(pages)}", 1, pages, name="page", default=1, step=1,
            accept=lambda value: 1 <= value <= pages, key=f"page of {pages}", width=150,
        )  # fmt: skip
    return number


def cards(ds: Dataset, index: Sequence[int] | np.ndarray, labelled: np.ndarray | None = None) -> None:
    """Show these documents as cards; `labelled` marks those whose class a method may know."""
    made = [_card(ds, int(row), labelled is not None and bool(labelled[row])) for row in index]
    # Every text is escaped: whatever a file holds is shown, never run.
    st.html(f'{_STYLE}<div class="texts">{"".join(made)}</div>')


def _chosen(ds: Dataset, rows: Split) -> np.ndarray:
    index = np.arange(ds.n_samples)
    if ds.y is not None:
        names = ["", *sorted(set(ds.target_names))]
        class_name = state.control(
            st.selectbox, words.class_unit(ds).capitalize(), names, name="class", default="",
            accept=names.__contains__, format_func=lambda name: name or "all", width=260,
            key=f"class of {ds.id} {len(names)}",
        )  # fmt: skip
        if class_name:
            index = np.flatnonzero(ds.y == ds.target_names.index(class_name))
    if rows.labelled.size:
        only = state.control(st.toggle, "Labelled ones only", name="known", default=False)
        index = np.intersect1d(index, rows.labelled) if only else index
    return index


def _card(ds: Dataset, row: int, labelled: bool) -> str:
    title, of = sample_title(ds, row), tips.class_of(ds, row) or "no class"
    text = next((" ".join(texts[row].split()) for texts in ds.texts.values() if texts[row].strip()), "")
    first = text[:_LINES] + ("…" if len(text) > _LINES else "")
    chips = "".join(f"<span>{escape(word)}</span>" for word in _heaviest(ds, row))
    return (
        f'<article class="{"known" if labelled else ""}"><h4>{escape(title)}</h4>'
        f'<div class="class">{escape(of)}{" · labelled" if labelled else ""}</div>'
        + (f"<p>{escape(first)}</p>" if first else "")
        + f'<p class="words">{chips}</p></article>'
    )


def _heaviest(ds: Dataset, row: int) -> list[str]:
    if ds.feature_names is None:
        return []
    weights = ds.X[[row]]
    weights = weights.toarray()[0] if hasattr(weights, "toarray") else np.asarray(weights)[0]
    order = np.argsort(-weights, kind="stable")[:_WORDS]
    return [ds.feature_names[column] for column in order if weights[column] > 0]
