"""What every figure and every table offers to take along: a small menu under it, everywhere the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import streamlit as st

from experiments.table_files import TableFile
from ui.assets import component

if TYPE_CHECKING:
    import pandas as pd

_FIGURE = component("figure", "figure")


@dataclass(frozen=True)
class FileKind:
    """A kind of file to take along: its ending and type, what makes it, and what is in it."""

    ending: str
    mime: str
    make: Callable[[], str | bytes]
    help: str = ""


_NO_FILES: Mapping[str, FileKind] = MappingProxyType({})


def downloads(
    key: str,
    *,
    name: str = "",
    label: str = "Download",
    drawn: bool = True,
    place: str = "",
    part: str = "",
    svg: str = "",
    address: str = "",
    table: Callable[[], TableFile] | None = None,
    numbers: Callable[[], str] | None = None,
    files: Mapping[str, FileKind] = _NO_FILES,
) -> None:
    """Offer what the element with this key shows: a figure as SVG and PNG, a table as CSV and LaTeX, `files`.

    The figure is what the page has `drawn` there (or in another `place`, or in the `part` of it that a
    selector names), or an SVG, or what the server answers at an address below `/partwise/`. `numbers` make
    the CSV where it says more than the table. Files are made when somebody presses the button; `name` is
    theirs, without an ending.
    """
    stem = name or file_stem(key)
    with st.container(horizontal=True, horizontal_alignment="right"), st.popover(label, type="tertiary"):
        if table is not None or numbers is not None:
            _file("Table (CSV)", f"{stem}.csv", "text/csv", numbers or (lambda: _made(table).csv()), key)
        if table is not None:
            _file("Table (LaTeX)", f"{stem}.tex", "application/x-tex", lambda: _made(table).latex(), key)
        for title, kind in files.items():
            _file(title, f"{stem}.{kind.ending}", kind.mime, kind.make, key, kind.help)
        if drawn or svg or address:
            data = {"name": stem, "svg": svg, "address": address, "place": place or key, "part": part}
            _FIGURE(key=f"figure of {key}", data=data)


def table_of(caption: str, frame: pd.DataFrame) -> TableFile:
    """Return a frame as a table, without its index."""
    return TableFile(caption, [str(name) for name in frame.columns], frame.to_numpy(dtype=object).tolist())


def file_stem(*pieces: object) -> str:
    """Return a name for a file that every system takes.

    >>> file_stem("map", "ORL faces", 3)
    'map-ORL_faces-3'
    """
    return "-".join(
        "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in str(piece))
        for piece in pieces
    )


def _made(table: Callable[[], TableFile] | None) -> TableFile:
    assert table is not None, "a button for a table is only shown where there is one"
    return table()


def _file(
    label: str, name: str, mime: str, make: Callable[[], str | bytes], key: str, help: str = ""
) -> None:
    st.download_button(
        label, make, name, mime, key=f"{label} of {key}", on_click="ignore", width="stretch",
        help=help or None,
    )  # fmt: skip
