"""What is said of a comparison whose rows look at unlike features, with the offer to make them alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui import state

_SENTENCE = (
    "These rows look at unlike features: some methods learnt theirs together with the samples asked about, "
    "others find them from each sample by itself. Part of a difference may come from that."
)


def sentence(offer: str = "", choices: Mapping[str, Any] | None = None, *, help: str = "") -> None:
    """Say so, and offer the choices that make the features alike, if there are any."""
    st.caption(_SENTENCE)
    if choices:
        pressed = st.button(offer, on_click=state.choose, args=(dict(choices),), help=help)
        if pressed:
            st.rerun()
