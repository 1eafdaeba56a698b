"""A single picture: cut and scaled to the shape of others, or refused in words."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchmarks.malformed.costly import many_scans
from datasets import UploadError
from datasets.private_folder import open_folder
from datasets.reading.one_picture import fitted_picture


def picture(pixels: Any, kind: str = "PNG", **options: Any) -> BytesIO:
    file = BytesIO()
    Image.fromarray(np.asarray(pixels, np.uint8)).save(file, kind, **options)
    file.seek(0)
    return file


def grey(file: BytesIO, shape: tuple[int, int], nearer: float = 1.0) -> Any:
    return fitted_picture(file, shape, nearer)


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
    assert 185 < grey(picture(see_through), (4, 4)).max() < 195, "half of it is paper"
    turned = np.zeros((40, 40))
    turned[:20] = 240
    exif = Image.Exif()
    exif[0x0112] = 3
    upright = grey(picture(turned, "JPEG", exif=exif), (4, 4))
    assert upright[:2].max() < 30 < 200 < upright[2:].min()


@pytest.mark.parametrize("content", [b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_what_is_no_picture_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(UploadError, match=r"cannot be read as a picture: .*PNG.* are accepted"):
        fitted_picture(BytesIO(content), (8, 8))


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() -> None:
    file = BytesIO()
    Image.new("1", (9000, 9000)).save(file, "PNG")
    file.seek(0)
    with pytest.raises(UploadError, match="9000 × 9000 pixels; at most 60000000"):
        fitted_picture(file, (8, 8))


def test_decoders_that_nobody_needs_are_never_asked() -> None:
    for kind in ("BLP", "ICO", "AVIF", "EPS", "DDS", "SGI", "TGA"):
        file = BytesIO()
        Image.new("P" if kind == "BLP" else "RGB", (32, 32)).save(file, kind)
        file.seek(0)
        with pytest.raises(UploadError, match="cannot be read as a picture"):
            fitted_picture(file, (8, 8))


def test_it_is_decoded_in_the_limited_process(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "datasets.reading.sandbox"):
        fitted_picture(picture(np.ones((9, 9))), (8, 8))
    assert "one_picture" in caplog.text
    with pytest.raises(UploadError, match="scans"):
        fitted_picture(BytesIO(many_scans()), (8, 8))


def test_nothing_of_it_stays() -> None:
    before = sorted(open_folder().iterdir())
    fitted_picture(picture(np.ones((9, 9))), (8, 8))
    assert sorted(open_folder().iterdir()) == before
