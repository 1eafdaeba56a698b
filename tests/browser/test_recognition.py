"""A comparison that fills in while one looks and says what is more than luck; pairs on the map."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, open_page, settle

_ADDRESS = "/recognition?data=iris&recognition.methods=pca,lda&recognition.splits=4"


def test_a_comparison_fills_in_and_ends_in_sentences(page: Page) -> None:
    fits_a_phone(page, _ADDRESS, ".js-plotly-plot")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Who is recognised")
    expect(page.get_by_text("over splits; 8 runs.")).to_be_visible()
    said = page.get_by_text(re.compile(r"is ahead of .* of four splits|on all four splits|are level over"))
    expect(said.first).to_be_visible()
    expect(page.get_by_text("right in the first split")).to_be_visible()
    expect(page.get_by_text("The surest mistakes")).to_be_visible()
    menus = page.locator("[data-testid=stPopover] button").filter(has_text=re.compile("^Download"))
    comparison = {"svg": b"<svg", "png": b"\x89PNG", "csv": b"method,", "tex": b"\\begin{table}"}
    # The second is what the page has drawn itself.
    for menu, stem, wanted in (
        (menus.nth(0), "recognition-iris", comparison),
        (menus.nth(1), "confusion", {"svg": b"<svg", "png": b"\x89PNG"}),
    ):
        menu.click()
        for ending, first_bytes in wanted.items():
            label = {"csv": "Table (CSV)", "tex": "Table (LaTeX)"}.get(ending, f"Figure ({ending.upper()})")
            with page.expect_download() as handed_over:
                page.get_by_role("button", name=label).click()
            assert handed_over.value.suggested_filename == f"{stem}.{ending}"
            assert Path(handed_over.value.path()).read_bytes().startswith(first_bytes)
        menu.click()
        expect(page.get_by_role("button", name="Figure (SVG)")).to_have_count(0)
    page.get_by_text("by labels", exact=True).click()
    expect(page.get_by_role("columnheader", name="16", exact=True)).to_be_visible()
    page.get_by_role("link", name="Methods", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What does each method do?")


def test_two_points_are_said_to_go_apart(page: Page) -> None:
    fits_a_phone(page, "/recognition?data=iris&recognition.part=pairs", "canvas.points")
    canvas = page.locator("canvas.points")
    pairs = page.locator("[data-testid=stMetricValue]").nth(1)
    expect(pairs).to_have_text("0")
    canvas.focus()
    for key in ("ArrowRight", " ", "ArrowDown", "ArrowDown", " "):
        canvas.press(key)
    # For a moment the one from before the samples were chosen may stand beside it.
    cannot = page.get_by_role("button", name="Cannot go together", disabled=False)
    expect(cannot).to_have_count(1)
    cannot.click()
    expect(pairs).to_have_text("1")
    expect(page.locator(".root[data-edges='1']")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(pairs).to_have_text("0")
    expect(page.locator(".root[data-edges='0']")).to_have_count(1)


def fits_a_phone(page: Page, path: str, shown: str) -> None:
    """Open the page on a telephone, then go over to a wide screen."""
    page.set_viewport_size(PHONE)
    open_page(page, path)
    page.locator(shown).first.wait_for()
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
    page.set_viewport_size(WIDE)
    settle(page)
