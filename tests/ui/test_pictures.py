"""Pictures and frames: what is drawn is what is there, and it stays small."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from ui.blocks import packed, unpacked
from ui.live.frames import thinned
from ui.pictures import (
    DARK,
    FRAME_BYTES,
    LIGHT,
    SIGNED,
    compressed,
    in_shades,
    parts_sheet,
    samples_sheet,
    smaller,
)
from ui.static_files import STATIC


def tile(sheet, index):
    grid = sheet.grid()
    height, width = grid["tile"]
    row, column = divmod(index, grid["columns"])
    y, x = row * (height + grid["gap"]), column * (width + grid["gap"])
    return np.asarray(sheet.image)[y : y + height, x : x + width]


def test_each_part_is_scaled_to_its_own_largest_entry() -> None:
    parts = np.outer([1.0, 100.0, 0.0], np.linspace(0, 1, 12))
    sheet = parts_sheet(parts, (3, 4), "dark", signed=False)
    assert np.array_equal(tile(sheet, 0), tile(sheet, 1))
    assert tile(sheet, 0)[-1, -1] == 250
    assert len(np.unique(tile(sheet, 2))) == 1, "a part of nothing but zeros is empty paper"


def test_light_adds_brightness_in_both_themes_and_in_the_browser() -> None:
    parts = np.array([[0.0, 1.0]])
    for theme in ("light", "dark"):
        assert tile(parts_sheet(parts, (1, 2), theme, signed=False), 0)[0].tolist() == [DARK, LIGHT]
    script = (STATIC / "ink.js").read_text(encoding="utf-8")
    assert f"DARK = {DARK}, LIGHT = {LIGHT}" in script
    assert all(str(list(colour)) in script for colour in SIGNED)


def test_signed_parts_diverge_around_grey() -> None:
    colours = tile(parts_sheet(np.array([[-1.0, 0.0, 1.0]]), (1, 3), "light", signed=True), 0)[0].astype(int)
    low, middle, high = colours
    assert low[0] - low[2] > 80, "what takes away is orange"
    assert low.mean() + 40 < middle.mean() < high.mean() - 80, "and darker than nothing"
    assert middle.max() - middle.min() < 8


def test_samples_keep_their_shades() -> None:
    sheet = samples_sheet(np.array([[0.0, 0.5, 1.0, 2.0]]), (2, 2), "light")
    assert tile(sheet, 0).ravel().tolist() == [0, 127, 255, 255]


@pytest.mark.parametrize("count", [1, 2, 7, 78, 200])
def test_every_tile_has_its_place(count: int) -> None:
    parts = np.eye(count, 256)
    sheet = parts_sheet(parts, (16, 16), "dark", signed=False)
    grid = sheet.grid()
    assert grid["count"] == count
    assert grid["columns"] * grid["rows"] >= count
    for index in (0, count - 1):
        assert np.unravel_index(tile(sheet, index).argmax(), (16, 16)) == divmod(index % 256, 16)


def test_parts_that_are_no_images_become_a_table() -> None:
    sheet = parts_sheet(np.random.default_rng(0).random((5, 13)), None, "light", signed=False)
    assert sheet.image.size == (640, 512)
    assert sheet.count == 5


def test_smaller_keeps_the_grid() -> None:
    sheet = samples_sheet(np.ones((40, 64 * 64)), (64, 64), "light", columns=20)
    shrunk = smaller(sheet, 400)
    assert shrunk.image.width == 400
    assert shrunk.grid() == sheet.grid()


def test_even_noise_fits_a_frame() -> None:
    noise = np.random.default_rng(0).random((78, 4096))
    assert len(compressed(parts_sheet(noise, (64, 64), "dark", signed=False).image, FRAME_BYTES)) < 60_000


def test_small_pictures_are_exact() -> None:
    parts = np.random.default_rng(0).normal(size=(15, 64))
    sheet = parts_sheet(parts, (8, 8), "light", signed=True)
    shown = Image.open(BytesIO(compressed(sheet.image, FRAME_BYTES))).convert("RGB")
    assert np.array_equal(np.asarray(shown), np.asarray(sheet.image))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_parts_that_are_mostly_paper_have_edges(theme: str) -> None:
    sheet = parts_sheet(np.eye(6, 1024), (32, 32), theme, signed=False)
    grid, pixels = sheet.grid(), np.asarray(sheet.image).astype(int)
    paper, edge = pixels[16, 16], pixels[16, grid["tile"][1]]
    assert abs(paper - edge) >= 30


def test_packed_block_reads_back() -> None:
    points = np.arange(6, dtype="<f4").reshape(2, 3)
    sheet = samples_sheet(np.zeros((2, 16)), (4, 4), "light")
    header, arrays = unpacked(packed({"status": "läuft"}, {"points": points}, {"parts": sheet, "none": None}))
    assert header["status"] == "läuft"
    assert np.array_equal(arrays["points"].reshape(2, 3), points)
    assert list(Image.open(BytesIO(arrays["parts"].tobytes())).size) == header["parts"]["size"]
    assert (header["none"], arrays["none"].size) == ({}, 0)


def test_thinned_curve_keeps_the_rows_of_snapshots() -> None:
    assert {4501, 7777} <= set(thinned(9000, [4501, 7777, 9000]))
    assert thinned(9000, [4501]).size == thinned(9000).size + 1
    assert thinned(9000, [8999, 9000]).max() == 8999


@pytest.mark.parametrize("length", [0, 1, 2, 359, 360, 361, 5000, 10**6])
def test_thinned_curve_keeps_both_ends_in_order(length: int) -> None:
    rows = thinned(length)
    assert len(rows) <= 360
    assert len(rows) == length or {0, length - 1} <= set(rows.tolist())
    assert (np.diff(rows) > 0).all()


def test_pictures_on_another_scale_are_seen_and_others_stay_as_they_are() -> None:
    """Rows of length 1 made all pictures black, and standardised ones were half white."""
    faces = np.random.default_rng(0).random((5, 64))
    assert in_shades(faces) is faces
    for changed in (faces / 30, faces * 255, 6 * faces - 3):
        shades = in_shades(changed)
        assert (shades.min(), shades.max()) == pytest.approx((0, 1), abs=0.05)
        assert np.corrcoef(shades.ravel(), faces.ravel())[0, 1] == pytest.approx(1)
    assert not in_shades(np.zeros((2, 4))).any()
