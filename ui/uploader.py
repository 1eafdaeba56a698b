"""Where visitors hand over files: the process that decodes them is started as soon as one can."""

from __future__ import annotations

from typing import Any

import streamlit as st

from experiments.requests import intake


def uploader(label: str, kinds: str | list[str] | None = None, **options: Any) -> Any:
    """Show Streamlit's uploader and return what is in it.

    The decoders are loaded while the visitor still looks for a file, and not at all where nobody could hand
    one over.
    """
    intake.prepare()
    return st.file_uploader(label, kinds, **options)
