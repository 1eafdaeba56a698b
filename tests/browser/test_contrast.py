"""Whatever is written can be read: contrasts as the browser paints them, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import AT_REST, BACKGROUND, open_page, wait_for

SCRIPT = (Path(__file__).parent / "contrast.js").read_text()
# Pages with every kind of control (what is selected, the value of a slider, captions, tags, buttons), and
# what each is not without.
PAGES = {"/graphs?data=iris": ".stSlider", "/bases?data=iris": "[data-selected]"}


def test_words_stand_out_from_what_they_are_written_on(page: Page) -> None:
    for path, part in PAGES.items():
        page.emulate_media(color_scheme="light")
        open_page(page, path)
        page.locator(part).first.wait_for()
        written = looked_at(page)
        light = page.evaluate(BACKGROUND)
        page.emulate_media(color_scheme="dark")
        wait_for(page, f"{BACKGROUND} != {light!r}")
        looked_at(page)
    selected = [entry for entry in written if entry["selected"]]
    assert selected, "the choice among ways to label is one of them"


def looked_at(page: Page) -> list[Any]:
    """All that is written, once its colours are at rest; none of it may be faint."""
    wait_for(page, AT_REST)
    written: list[Any] = wait_for(page, SCRIPT)
    assert len(written) > 20
    faint = [entry for entry in written if entry["ratio"] < 4.5]
    assert not faint, faint
    return written
