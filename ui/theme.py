"""Which theme the visitor sees, and the few rules Streamlit's own theming has no words for."""

from __future__ import annotations

import streamlit as st

from ui.pictures import Theme

_STYLE = """
<style>
.stMainBlockContainer { padding-top: 3.2rem; padding-bottom: 3rem; max-width: 1500px; }
h1 { padding-top: 0; }
.katex-display { overflow-x: auto; overflow-y: hidden; padding: 2px 0; }
@media (max-width: 640px) { h1 { font-size: 1.9rem !important; } }
</style>
"""


def current() -> Theme:
    """Return "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def apply() -> None:
    """Add our rules to the page."""
    st.html(_STYLE)
