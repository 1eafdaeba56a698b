"""A picture of one's own: cut and scaled to the data, refused in words, asked for only when wanted."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from ui.robustness.own_face import fitted


def picture(pixels: Any, kind: str = "PNG", **options: Any) -> BytesIO:
    file = BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, kind, **options)
    file.seek(0)
    return file


def grey(file: BytesIO, shape: tuple[int, int], nearer: float = 1.0) -> Any:
    return np.frombuffer(fitted(file, shape, nearer), np.uint8).reshape(shape)


def test_its_middle_is_cut_and_scaled() -> None:
    wide = np.zeros((60, 180, 3))
    wide[:, 60:120] = 200
    assert grey(picture(wide), (12, 12)).min() == 200
    high = np.zeros((300, 90))
    high[100:200] = 90
    assert grey(picture(high), (10, 9)).min() == 90
    assert set(np.unique(grey(picture(high), (30, 9)))) == {0, 90}, "the whole fits"


def test_nearer_cuts_a_smaller_piece() -> None:
    target = np.zeros((100, 100))
    target[25:75, 25:75] = 255
    assert grey(picture(target), (8, 8)).min() == 0
    assert grey(picture(target), (8, 8), nearer=2.0).min() == 255


def test_colours_transparency_and_turned_photographs_are_understood() -> None:
    see_through = np.full((8, 8, 4), 128)
    assert grey(picture(see_through), (4, 4)).max() == 128
    turned = np.zeros((40, 40))
    turned[:20] = 240
    exif = Image.Exif()
    exif[0x0112] = 3
    upright = grey(picture(turned, "JPEG", exif=exif), (4, 4))
    assert upright[:2].max() < 30 < 200 < upright[2:].min()


@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_what_is_no_picture_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"cannot be read as a picture: .*png.* are accepted"):
        fitted(BytesIO(content), (8, 8))


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    file = BytesIO()
    Image.new("1", (9000, 9000)).save(file, "PNG")
    file.seek(0)
    with pytest.raises(ValueError, match="9000×9000 pixels; at most 60 million"):
        fitted(file, (8, 8))


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
