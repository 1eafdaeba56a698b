"""Choosing samples, several at once: on a map of what a method makes of them, in a gallery, or in a list."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from experiments import RunRequest
from experiments.fitted.standing import Standing
from experiments.requests.library import Dataset, rows_of
from experiments.requests.titles import sample_title
from experiments.table_files import TableFile
from ui import state, theme, words
from ui.downloads import downloads
from ui.map_view import map_view, picked
from ui.pictures import samples_sheet, smaller
from ui.recognition import standings
from ui.sheet_view import sheet_view
from ui.sidebar import Chosen
from ui.tips import class_of
from ui.waiting import Desk

_CHOSEN, _OF = "_choosing.rows", "_choosing.of"
_MOST_TILES = 400
_MOST_DISPLAYED = 12
_WIDEST = 1400


def choose(choice: Chosen, request: RunRequest, current: Standing | None, desk: Desk) -> tuple[int, ...]:
    """Show the samples and return the rows that are chosen; labels of the split cannot be changed."""
    ds = choice.data
    if state.get(_OF) != choice.dataset:
        # Row numbers mean other samples in other data.
        forget()
        state.put(_OF, choice.dataset)
    looks = {"map": "Map", "gallery": "Gallery"} if has_pictures(ds) else {"map": "Map", "list": "List"}
    look = state.control(
        st.segmented_control, "Choose on", list(looks), name="label.look", default="map",
        accept=looks.__contains__, format_func=looks.get, required=True, label_visibility="collapsed",
    )  # fmt: skip
    free = np.flatnonzero(_open(choice, request))
    if look == "map":
        rows = _on_map(choice, request, current, desk)
    elif look == "gallery":
        rows = _in_gallery(ds, free, current)
    else:
        rows = _in_list(ds, free, current, request.key)
    return tuple(sorted((set(rows) | set(clicked_rows())) & set(free.tolist())))


def clicked_rows() -> tuple[int, ...]:
    """Return the rows chosen by clicking on pictures."""
    return state.get(_CHOSEN) or ()


def add(rows: tuple[int, ...]) -> None:
    """Choose these too."""
    state.put(_CHOSEN, tuple(sorted({*clicked_rows(), *rows})))


def forget() -> None:
    """Choose nothing."""
    state.put(_CHOSEN, ())


def strip(choice: Chosen, rows: tuple[int, ...]) -> None:
    """Show what is chosen."""
    ds = choice.data
    if not rows:
        st.caption(f"Nothing is chosen yet. Click {words.samples(ds)}, or draw around several on the map.")
        return
    displayed_rows = list(rows[:_MOST_DISPLAYED])
    if has_pictures(ds):
        assert ds.image_shape is not None
        sheet = samples_sheet(
            np.asarray(ds.X)[displayed_rows], ds.image_shape, theme.current(), columns=_MOST_DISPLAYED // 2
        )
        tips = [f"{sample_title(ds, row)} {class_of(ds, row)}".strip() for row in displayed_rows]
        sheet_view("chosen pictures", sheet, label=f"{len(rows)} chosen", tips=tips)
    else:
        st.dataframe(
            {words.sample(ds).capitalize(): [sample_title(ds, row) for row in displayed_rows]},
            hide_index=True,
        )
    more = f", {_MOST_DISPLAYED} of them shown" if len(rows) > _MOST_DISPLAYED else ""
    st.caption(f"{words.counted(len(rows), *words.sample_words(ds))} chosen{more}.")


def _open(choice: Chosen, request: RunRequest) -> np.ndarray:
    """Return which rows may be given a class: those that the split has not labelled."""
    return rows_of(choice.data, replace(request, labels=())).y_partial < 0


def _on_map(choice: Chosen, request: RunRequest, current: Standing | None, desk: Desk) -> tuple[int, ...]:
    ds = choice.data
    rows = rows_of(ds, request)
    points = standings.places(ds, current, desk)
    codes, edges, across = rows.y_partial, None, None
    hints: tuple[int, ...] = ()
    if current is not None and len(current.train) == ds.n_samples:
        codes, edges = current.code, (current.pairs, np.ones(len(current.pairs)))
        across = codes[current.pairs[:, 0]] != codes[current.pairs[:, 1]]
        hints = tuple(suggestion.row for suggestion in current.suggested)
    names = _names(current, ds)
    tips = [
        _tip(ds, row, names, int(codes[row]), bool(rows.y_partial[row] >= 0)) for row in range(ds.n_samples)
    ]
    key = f"label map {choice.dataset}"
    many = words.counted(ds.n_samples, *words.sample_words(ds))
    map_view(
        key, points, label=f"Map of {many}, {rows.labelled.size} labelled.", colours=codes, names=names,
        tips=tips, edges=edges, crossing=across, marks=rows.labelled, hints=hints, choice=request.key,
        on_pick=state.rerun_page,
    )  # fmt: skip
    st.caption(
        "Coloured by the class each is taken for, ringed if labelled, joined to its nearest in what the "
        "method sees; dashed circles are suggestions. Click one, shift-click or draw around several."
    )
    return picked(key, request.key)


def _in_gallery(ds: Dataset, free: np.ndarray, current: Standing | None) -> tuple[int, ...]:
    assert ds.image_shape is not None
    pages = -(-free.size // _MOST_TILES)
    if pages > 1:
        page = state.control(
            st.slider, "Page", 1, pages, name="label.page", default=1, key=f"label.page of {pages}",
            accept=lambda value: 1 <= value <= pages,
        )  # fmt: skip
        free = free[(page - 1) * _MOST_TILES : page * _MOST_TILES]
    columns = min(20 if ds.image_shape[1] <= 100 else 10, free.size)
    sheet = smaller(
        samples_sheet(np.asarray(ds.X)[free], ds.image_shape, theme.current(), columns=columns), _WIDEST
    )
    names, codes = _names(current, ds), _codes(current, ds)
    tips = [_tip(ds, int(row), names, int(codes[row]), False) for row in free]
    chosen = np.isin(free, clicked_rows())
    label = f"{words.counted(free.size, 'picture')} to choose from, {int(chosen.sum())} chosen"
    sheet_view(
        "label gallery", sheet, label=label, tips=tips, marks=chosen, on_pick=partial(_toggle, free.tolist())
    )
    return ()


def _toggle(rows: list[int]) -> None:
    place = state.component_value("label gallery", "picked")
    if isinstance(place, int) and 0 <= place < len(rows):
        state.put(_CHOSEN, tuple(sorted(set(clicked_rows()) ^ {rows[place]})))


def _in_list(ds: Dataset, free: np.ndarray, current: Standing | None, occasion: str) -> tuple[int, ...]:
    names, codes = _names(current, ds), _codes(current, ds)
    table = {
        words.sample(ds).capitalize(): [sample_title(ds, int(row)) for row in free],
        "Taken for": [names[codes[row]] if codes[row] >= 0 else "" for row in free],
        "Is": [class_of(ds, int(row)) for row in free],
    }
    event = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        key=f"label list {occasion}",
        height=520,
    )
    file = TableFile("Samples", list(table), list(zip(*table.values(), strict=True)))
    downloads("label list", drawn=False, table=lambda: file)
    return tuple(int(free[place]) for place in event.selection.rows if place < free.size)


def _names(current: Standing | None, ds: Dataset) -> tuple[str, ...]:
    return ds.target_names if current is None else current.verdicts.names


def _codes(current: Standing | None, ds: Dataset) -> np.ndarray:
    codes = np.full(ds.n_samples, -1)
    if current is not None:
        codes[current.train] = current.code
    return codes


def _tip(ds: Dataset, row: int, names: tuple[str, ...], code: int, labelled: bool) -> str:
    label_text = (
        "" if code < 0 or code >= len(names) else f"{'labelled' if labelled else 'taken for'} {names[code]}"
    )
    truth = class_of(ds, row)
    return " · ".join(
        filter(None, (sample_title(ds, row), label_text, f"is {truth}" if truth and not labelled else ""))
    )


def has_pictures(ds: Dataset) -> bool:
    """Say whether samples can be shown as pictures."""
    return ds.image_shape is not None and isinstance(ds.X, np.ndarray)
