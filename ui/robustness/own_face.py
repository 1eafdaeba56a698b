"""A picture of one's own, from a file or the camera, made to the shape of the data.

It lives in this session and goes to its page alone: it is neither stored nor cached, and no address
leads to it. While it is decoded, in a limited process, it is in the private folder of the server.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import streamlit as st

from experiments.requests import intake
from ui import state
from ui.plain import as_text
from ui.uploader import uploader

_KINDS = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "pgm"]
_SOURCES = {"file": "a picture file", "camera": "the camera"}


def chosen(shape: tuple[int, int], what: str) -> dict[str, str] | None:
    """Offer to take a picture, and return its grey values in base 64, None if there is none.

    `what` is the word for it: face, picture.
    """
    with st.expander(f"A {what} of your own"):
        source = state.control(
            st.segmented_control, "Take it from", list(_SOURCES), name="_own.source", default=None,
            format_func=_SOURCES.get,
        )  # fmt: skip
        st.caption(
            "It is only rebuilt: the methods know no name for it. It stays in the memory of your session; "
            "it is not stored, and nobody else can see it."
        )
        if source is None:
            return None
        file = _picture_widget(source)
        nearer = state.control(st.slider, "Nearer", 1.0, 4.0, name="_own.nearer", default=1.0, step=0.1)
    if file is None:
        return None
    try:
        file.seek(0)
        return {"pixels": b64encode(intake.fitted_picture(file, shape, nearer).tobytes()).decode()}
    except intake.UploadError as refusal:
        st.error(as_text(str(refusal)))
        return None


def _picture_widget(source: str) -> Any:
    # The camera is not opened before somebody asks for it.
    if source == "camera":
        intake.prepare()
        return st.camera_input("Look into the camera", key="own face camera")
    return uploader("Picture", _KINDS, key="own face file", max_upload_size=intake.LARGEST_MEGABYTES)
