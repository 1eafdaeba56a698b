"""What a link asked for and could not have, said in a sentence above the page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments.requests.intake import is_upload
from ui import state
from ui.address import Refusal
from ui.plain import as_text

_PAGE = "_noted on"
_LISTED = 40


def show(place: Any, page: str) -> None:
    """Say what was refused of the address, until another page is opened or the note is closed."""
    refused = state.refusals()
    if not refused:
        state.put(_PAGE, None)
        return
    if state.get(_PAGE, page) != page:
        state.dismiss_refusals()
        state.put(_PAGE, None)
        return
    state.put(_PAGE, page)
    with place.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(" ".join(_sentence(refusal) for refusal in refused), width="stretch")
        st.button("Close", key="close notes", on_click=state.dismiss_refusals)


def warn(place: Any, words: str) -> None:
    """Say above the page what everybody should know of this server just now."""
    if words:
        place.warning(as_text(words))


def _sentence(refusal: Refusal) -> str:
    if refusal.name == "data":
        return data_sentence(refusal.text)
    quoted = _quoted(refusal.text)
    return f"This link asks for “{refusal.label}” {quoted}, which cannot be; it is left as it was."


def data_sentence(dataset: str) -> str:
    """Return why the data a link names are not shown."""
    if is_upload(dataset):
        return (
            "This link names uploaded data. They are shown to the visitor who uploaded them alone, and are "
            "erased when the visit ends; upload them again on the page Data."
        )
    return f"This link names data {_quoted(dataset)}, which Partwise does not have; the usual ones are shown."


def _quoted(text: str) -> str:
    # Whatever a link says is shown as plain text: no Markdown, no HTML.
    printable = "".join(c if c.isalnum() or c in " .,-_+" else " " for c in text).strip()
    return f"“{printable[:_LISTED]}{'…' if len(printable) > _LISTED else ''}”"
