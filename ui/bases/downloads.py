"""Parts to take away: a method, a kind of file; the file is made when the button is pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from experiments.inspection.part_files import to_csv, to_npz
from experiments.inspection.parts import Order, Parts
from ui import state
from ui.bases.answers import names_of
from ui.downloads import FileKind, downloads, file_stem
from ui.sidebar import Chosen

# Kind of file: what the button says, its type, and what it holds.
_KINDS = {
    "png": ("Montage (PNG)", "image/png", "The montage as a picture, in the order chosen above."),
    "svg": ("Montage (SVG)", "image/svg+xml", "The montage as a drawing, sharp at any size."),
    "csv": ("Numbers (CSV)", "text/csv", "A table with the names of the features."),
    "npz": ("Numbers (NPZ)", "application/octet-stream", "Parts, coefficients and names for NumPy."),
}


def offer(offered: Mapping[str, Parts], choice: Chosen, order: Order) -> None:
    """Show what there is to take away of the methods that are done."""
    if not offered:
        return
    st.header("Take the parts away")
    first, second = st.columns([1.2, 2], vertical_alignment="bottom")
    with first:
        method = state.control(
            st.selectbox, "Parts of", list(offered), name="bases.take", default=next(iter(offered)),
            accept=offered.__contains__, format_func=lambda id: offered[id].spec.title, read=str,
            key=f"parts of {','.join(offered)}",
        )  # fmt: skip
    parts = offered[method]
    files = {
        label: FileKind(kind, mime, maker(parts, order, kind), help)
        for kind, (label, mime, help) in _KINDS.items()
    }
    with second:
        downloads("parts", name=stem_of(parts, choice.seed), drawn=False, files=files)


def stem_of(parts: Parts, seed: int) -> str:
    """Return a name that says method, data, view if there are several, number of parts and seed."""
    view = [parts.view] if len(parts.ds.views) > 1 else []
    pieces = [parts.spec.id, parts.ds.id, *view, f"k{len(parts.components)}", f"seed{seed}"]
    return file_stem(*pieces)


def maker(parts: Parts, order: Order, kind: str) -> Callable[[], bytes | str]:
    """Return what makes the file when the button is pressed."""
    title = f"{len(parts.components)} parts of {parts.ds.title} found by {parts.spec.title}"
    if kind == "csv":
        return lambda: to_csv(parts, names_of(parts))
    if kind == "npz":
        return lambda: to_npz(parts, names_of(parts))
    from ui.bases import montage  # Only who takes a picture away needs what draws it.

    return lambda: montage.png(parts, order, title) if kind == "png" else montage.svg(parts, order, title)
