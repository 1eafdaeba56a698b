"""Who is recognised: methods compared over splits, labels given by hand, pairs together or apart."""

from __future__ import annotations

import streamlit as st

from ui import state
from ui.fragments import fragment
from ui.recognition import comparing, labelling, pairing
from ui.sidebar import chosen, follow

_PARTS = {"compare": "Compare methods", "label": "Label it yourself", "pairs": "Pairs"}


@fragment
def show() -> None:
    """Show the page."""
    follow()
    choice = chosen()
    part = state.control(
        st.segmented_control, "What to do", list(_PARTS), name="recognition.part", default="compare",
        accept=_PARTS.__contains__, format_func=_PARTS.get, required=True, label_visibility="collapsed",
    )  # fmt: skip
    # Each view has a place of its own: the one that is left is gone at once, not when the next is complete.
    places = {name: st.container() if name == part else st.empty() for name in _PARTS}
    with places[part]:
        if part == "compare":
            comparing.show(choice)
        elif part == "label":
            labelling.show(choice)
        else:
            pairing.show(choice)
    state.publish("recognition")
