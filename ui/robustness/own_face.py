"""A picture of one's own, from a file or the camera, made to the shape of the data.

It lives in this session and goes to its page alone: it is neither stored nor cached, and no address
leads to it.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
import streamlit as st
from PIL import Image, ImageOps, UnidentifiedImageError

from ui import state

_KINDS = ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff", "pgm"]
_SOURCES = {"file": "a picture file", "camera": "the camera"}
_LARGEST_MB, _MOST_PIXELS = 20, 60_000_000


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
        given = _asked_for(source)
        nearer = state.control(st.slider, "Nearer", 1.0, 4.0, name="_own.nearer", default=1.0, step=0.1)
    if given is None:
        return None
    try:
        return {"pixels": b64encode(fitted(given, shape, nearer)).decode()}
    except ValueError as refusal:
        st.error(str(refusal))
        return None


def _asked_for(source: str) -> Any:
    # The camera is not opened before somebody asks for it.
    if source == "camera":
        return st.camera_input("Look into the camera", key="own face camera")
    return st.file_uploader("Picture", _KINDS, key="own face file", max_upload_size=_LARGEST_MB)


def fitted(file: Any, shape: tuple[int, int], nearer: float = 1.0) -> bytes:
    """Return a picture as grey values row by row: its middle, cut and scaled to the shape of the data.

    `nearer` cuts a smaller piece out of the middle. A ValueError says what is wrong with a file.
    """
    try:
        picture = Image.open(file)
        if picture.width * picture.height > _MOST_PIXELS:
            raise ValueError(
                f"The picture has {picture.width}×{picture.height} pixels; at most "
                f"{_MOST_PIXELS // 1_000_000} million are accepted."
            )
        upright = ImageOps.exif_transpose(picture).convert("L")
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(
            f"This file cannot be read as a picture: {', '.join(_KINDS)} are accepted."
        ) from error
    height, width = shape
    unit = min(upright.width / width, upright.height / height) / nearer
    across, down = width * unit, height * unit
    left, top = (upright.width - across) / 2, (upright.height - down) / 2
    box = (left, top, left + across, top + down)
    return np.asarray(upright.resize((width, height), Image.Resampling.BOX, box=box), np.uint8).tobytes()
