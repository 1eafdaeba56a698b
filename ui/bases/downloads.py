"""Parts to take away: a method, a kind of file, a button; the file is made when the button is pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from experiments.inspection.part_files import to_csv, to_npz
from experiments.inspection.parts import Order, Parts
from ui import state
from ui.bases.answers import names_of
from ui.downloads import file_stem
from ui.sidebar import Chosen

# Kind of file: what it is called and what it holds.
_KINDS = {
    "png": "PNG: the montage as a picture, in the order chosen above",
    "svg": "SVG: the montage as a drawing, sharp at any size",
    "csv": "CSV: the numbers as a table with the names of the features",
    "npz": "NPZ: parts, coefficients and names for NumPy",
}
_MIMES = {"png": "image/png", "svg": "image/svg+xml", "csv": "text/csv", "npz": "application/octet-stream"}


def offer(offered: Mapping[str, Parts], choice: Chosen, order: Order) -> None:
    """Show what there is to take away of the methods that are done."""
    st.header("Take the parts away")
    first, second, third = st.columns([1.2, 2.2, 1.6], vertical_alignment="bottom")
    with first:
        method = state.control(
            st.selectbox, "Parts of", list(offered), name="bases.take", default=next(iter(offered), None),
            accept=offered.__contains__, format_func=lambda id: offered[id].spec.title, read=str,
            placeholder="not ready yet", disabled=not offered, key=f"parts of {','.join(offered)}",
        )  # fmt: skip
    with second:
        kind = state.control(
            st.selectbox, "As a file", list(_KINDS), name="bases.file", default="png",
            accept=_KINDS.__contains__, format_func=_KINDS.get,
        )  # fmt: skip
    parts = offered.get(method)
    name = file_name(parts, choice.seed, kind) if parts else f"parts.{kind}"
    with third:
        st.download_button(
            f"Download {name}" if parts else "Download", maker(parts, order, kind) if parts else b"", name,
            mime=_MIMES[kind], on_click="ignore", disabled=parts is None, key="take away", width="stretch",
        )  # fmt: skip


def file_name(parts: Parts, seed: int, kind: str) -> str:
    """Return a name that says method, data, view if there are several, number of parts and seed."""
    view = [parts.view] if len(parts.ds.views) > 1 else []
    pieces = [parts.spec.id, parts.ds.id, *view, f"k{len(parts.components)}", f"seed{seed}"]
    return f"{file_stem(*pieces)}.{kind}"


def maker(parts: Parts, order: Order, kind: str) -> Callable[[], bytes | str]:
    """Return what makes the file when the button is pressed."""
    title = f"{len(parts.components)} parts of {parts.ds.title} found by {parts.spec.title}"
    if kind == "csv":
        return lambda: to_csv(parts, names_of(parts))
    if kind == "npz":
        return lambda: to_npz(parts, names_of(parts))
    from ui.bases import montage  # Only who takes a picture away needs what draws it.

    return lambda: montage.png(parts, order, title) if kind == "png" else montage.svg(parts, order, title)
