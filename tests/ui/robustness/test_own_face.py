"""A picture of one's own: asked for only when wanted, refused in words, kept nowhere."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest


def picture(pixels: Any) -> BytesIO:
    file = BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, "PNG")
    file.seek(0)
    return file


@pytest.fixture
def page(repository: Path) -> AppTest:
    at = AppTest.from_file(str(repository / "ui" / "shell.py"), default_timeout=30)
    at.query_params |= {"data.orl.size": "16", "recognisers": "pca"}
    at.run()
    return at.switch_page("../pages/occlusion.py").run()


def kinds(at: AppTest) -> set[str]:
    return {element.type for element in at.main} | {
        element.type for block in at.main.children.values() for element in _all(block)
    }


def _all(block: Any) -> list[Any]:
    children = getattr(block, "children", {})
    return [block, *(found for child in children.values() for found in _all(child))]


def test_neither_camera_nor_file_is_asked_for_before_somebody_wants_it(page: AppTest) -> None:
    assert not page.exception
    assert not kinds(page) & {"camera_input", "file_uploader"}
    source = next(group for group in page.segmented_control if group.label == "Take it from")
    source.set_value("camera").run()
    assert not page.exception
    assert "camera_input" in kinds(page)


def test_an_uploaded_face_goes_to_the_page_and_a_bad_file_says_why(page: AppTest) -> None:
    next(group for group in page.segmented_control if group.label == "Take it from").set_value("file").run()
    page.file_uploader[0].upload("me.png", picture(np.full((30, 30), 77)).read(), "image/png").run()
    assert not page.exception
    assert not page.error
    kept = page.session_state["partwise choices"]
    assert all(len(str(value)) < 200 for value in kept.values()), "nothing of it is among the choices"
    page.file_uploader[0].upload("me.png", b"no picture", "image/png").run()
    assert any("cannot be read as a picture" in error.value for error in page.error)
