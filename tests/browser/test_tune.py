"""Tune in a real browser: a map that fills in, cells that show their parts, brushes, a cell opened again."""

from __future__ import annotations

import re

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import open_page

_ADDRESS = (
    "/tune?data=digits&tune.measures=accuracy,sparsity&tune.splits=1&tune.n2s2l.max_iter=10"
    "&tune.n2s2l.n_components=12&tune.n2s2l.alpha.values=3&tune.n2s2l.beta.values=3"
)


def filled(page: Page) -> None:
    """Start the sweep and wait until its map is full and its pictures are here."""
    open_page(page, _ADDRESS)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector('.root[data-counted="9"][data-ready="9"]')


def test_cells_show_their_parts_under_pointer_and_keyboard_and_open_elsewhere(page: Page) -> None:
    filled(page)
    map, cell = page.locator("canvas.map"), page.locator(".tune .cell")
    box = map.bounding_box()
    assert box is not None
    heading = cell.locator("h2")
    page.mouse.move(box["x"] + 90, box["y"] + 60)
    expect(heading).to_have_text("α = 0.1, β = 100")
    expect(cell.locator(".picture canvas")).to_have_attribute("aria-label", re.compile("12 parts"))
    expect(cell.locator("tbody")).to_contain_text("10 iterations")
    map.focus()
    page.keyboard.press("ArrowRight")
    expect(heading).to_have_text("α = 10, β = 100")
    page.keyboard.press("ArrowDown")
    expect(heading).to_have_text("α = 10, β = 1")
    # The hand glides from cell to cell: pictures are mixed on the way.
    before = int(cell.get_attribute("data-painted") or 0)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 40, box["y"] + 160, steps=12)
    page.mouse.up()
    assert int(cell.get_attribute("data-painted") or 0) > before + 3
    cell.get_by_role("button", name="Open on Bases").click()
    expect(page).to_have_url(re.compile(r"/bases\?.*compare=n2s2l"))


def test_brushes_leave_over_what_they_should_in_every_way_of_looking(page: Page) -> None:
    filled(page)
    page.get_by_role("tab", name="All trials").click()
    lines = page.locator(".held.lines canvas").first
    expect(page.locator(".tune .count")).to_have_text("9 of 9 trials are left over.")
    box = lines.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 54, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 54, box["y"] + 80, steps=4)
    page.mouse.up()
    expect(page.locator(".tune .count")).to_have_text("3 of 9 trials are left over.")
    expect(page.locator(".tune .scroll tr")).to_have_count(4)
    page.get_by_label("How many are left over").select_option("0.1")
    expect(page.locator(".tune .count")).to_have_text(re.compile("[01] of 9"))
    page.get_by_role("button", name="Take brushes away").click()
    expect(page.locator(".tune .count")).to_have_text("9 of 9 trials are left over.")
    page.get_by_role("tab", name="By parameter").click()
    expect(page.locator(".tune .importance")).to_contain_text("Alpha")
    page.get_by_role("tab", name="Two measures").click()
    expect(page.locator(".held.front canvas").first).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Figure (PNG)").click()
    picture = Image.open(saved.value.path()).convert("L")
    assert picture.width > 300
    assert len(picture.getcolors(256) or []) > 2, "something is drawn on it"
