"""Controls to correct what was understood of an upload; only those that can change anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from experiments.requests.library import Dataset
from ui import words
from ui.data import which_way_up

# Sides of a picture that is this much longer than wide are not offered: it would be a stripe.
_LONGEST_STRIPE = 5
_SMALLEST_PICTURE = 16
_AS_READ, _NONE = "as found", "no labels"
_NO_PICTURES = "not pictures"
_THREE_COLUMNS = {None: _AS_READ, True: "row, column and value of each entry", False: "three features"}
_FEWEST = 100
_SAMPLES = (0, _FEWEST, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
_SIZES = (0, 16, 24, 32, 48, 64, 96, 128, 192, 256)


def controls(draft: Mapping[str, Any], ds: Dataset, applied: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Show what can be corrected and return it, as `understand` takes it.

    `draft` describes what was understood, `applied` holds the corrections it was read with. Widgets that
    begin with another `key` begin anew.
    """
    entries: list[tuple[str, Callable[[], Any]]] = [
        ("pixels", lambda: which_way_up.answer(key)),
        ("flip", lambda: _flip(draft, key)),
        ("image_shape", lambda: _shape(_stored(draft, ds), key)),
        ("size", lambda: _size(key)),
        ("label", lambda: _label(draft, key)),
        ("unknown", lambda: _unknown(ds, applied.get("unknown"), key)),
        ("views", lambda: _views(draft, ds, key)),
        ("transpose", lambda: _transpose(key)),
        ("triplets", lambda: _triplets(key)),
        ("samples", lambda: _samples(ds, key)),
    ]
    corrections = {}
    for name, control in entries:
        if name in applied or (name in draft["corrections"] and _is_choice(name, draft, ds)):
            value = control()
            if value is not None:
                corrections[name] = value
    return corrections


def _is_choice(name: str, draft: Mapping[str, Any], ds: Dataset) -> bool:
    """Say whether there is anything to choose."""
    if name == "image_shape":
        return bool(_sides(_stored(draft, ds)))
    if name == "samples":
        return ds.n_samples > _FEWEST
    if name == "views":
        return len(draft["view_choices"]) > 1
    return True


def _flip(draft: Mapping[str, Any], key: str) -> bool | None:
    orientation = f" They were {draft['orientation']}." if draft["orientation"] else ""
    turned = st.toggle(
        "Turn the pictures: rows for columns", key=f"{key} flip",
        help=f"MATLAB keeps the pixels of a picture column by column, others row by row.{orientation}",
    )  # fmt: skip
    return turned or None


def _size(key: str) -> int | None:
    side = st.select_slider(
        "Longest side in pixels", _SIZES, key=f"{key} size",
        format_func=lambda side: str(side) if side else "as it is",
        help="Smaller pictures are worked on faster. Of picture files none stays larger than 256 pixels.",
    )  # fmt: skip
    return side or None


def _stored(draft: Mapping[str, Any], ds: Dataset) -> int:
    """Return how many numbers a sample has in the file: its picture may have been made smaller."""
    shape = draft["stored_shape"]
    return shape[0] * shape[1] if shape else ds.n_features


def _shape(features: int, key: str) -> Any:
    sides = _sides(features)
    options = [_AS_READ, _NO_PICTURES, *(f"{height} × {width}" for height, width in sides)]
    chosen = st.selectbox(
        "Height and width of the pictures", options, key=f"{key} shape",
        help="Every row is one picture, if its numbers are pixels.",
    )  # fmt: skip
    if chosen == _AS_READ:
        return None
    return False if chosen == _NO_PICTURES else sides[options.index(chosen) - 2]


def _sides(features: int) -> list[tuple[int, int]]:
    """Return the heights and widths that so many pixels can have, squares first."""
    if features < _SMALLEST_PICTURE:
        return []
    shapes = [
        (height, features // height)
        for height in range(2, features // 2 + 1)
        if features % height == 0
        and max(height, features // height) <= _LONGEST_STRIPE * min(height, features // height)
    ]
    return sorted(shapes, key=lambda sides: (max(sides) / min(sides), sides))


def _label(draft: Mapping[str, Any], key: str) -> Any:
    names = [_AS_READ, *draft["label_choices"], _NONE]
    chosen = st.selectbox(
        "Labels", names, key=f"{key} label", help="Where the class of each sample is written."
    )
    if chosen == _AS_READ:
        return None
    return False if chosen == _NONE else chosen


def _unknown(ds: Dataset, applied: str | None, key: str) -> str | None:
    names = [*ds.target_names, *([applied] if applied else [])]
    chosen = st.selectbox(
        "A label that means “not known”", ["none", *sorted(names)], key=f"{key} unknown",
        help="Empty labels and −1 are not known in any case.",
    )  # fmt: skip
    return None if chosen == "none" else chosen


def _views(draft: Mapping[str, Any], ds: Dataset, key: str) -> list[str] | None:
    many = words.kind_of(ds) != "images" and len(ds.views) == 1 and ds.feature_names is not None
    chosen = st.multiselect(
        "Columns to use" if many else "Views to use", draft["view_choices"], key=f"{key} views",
        placeholder="as found", help="Left empty, they are chosen for you.",
    )  # fmt: skip
    return chosen or None


def _samples(ds: Dataset, key: str) -> int | None:
    most = st.select_slider(
        f"{words.samples(ds).capitalize()} used at most", _SAMPLES, key=f"{key} samples",
        format_func=lambda most: words.number(most) if most else "all",
        help="Fewer are worked on faster. They are spread evenly over the file.",
    )  # fmt: skip
    return most or None


def _transpose(key: str) -> bool | None:
    return st.toggle("Samples are columns, not rows", key=f"{key} transpose") or None


def _triplets(key: str) -> bool | None:
    choice: bool | None = st.selectbox(
        "Three columns of numbers are", list(_THREE_COLUMNS), key=f"{key} triplets",
        format_func=_THREE_COLUMNS.__getitem__,
        help="Sparse matrices are often written entry by entry. Three columns may mean either.",
    )  # fmt: skip
    return choice
