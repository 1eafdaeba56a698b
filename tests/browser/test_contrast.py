"""Whatever is written can be read: contrasts as the browser paints them, in both themes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from scripts.app_server import Server
from tests.browser.conftest import AT_REST, open_page, visiting, wait_for

SCRIPT = (Path(__file__).parent / "contrast.js").read_text()
# Pages with every kind of control (what is selected, the value of a slider, captions, tags, buttons), and
# what each is not without.
PAGES = {"/graphs?data=iris": ".stSlider", "/bases?data=iris": "[data-selected]"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_stand_out_from_what_they_are_written_on(browser: Browser, server: Server, theme: str) -> None:
    with visiting(browser, server, color_scheme=theme) as page:
        for path, part in PAGES.items():
            open_page(page, path)
            page.locator(part).first.wait_for()
            wait_for(page, AT_REST)
            written = wait_for(page, SCRIPT)
            assert len(written) > 20
            faint = [entry for entry in written if entry["ratio"] < 4.5]
            assert not faint, faint
    selected = [entry for entry in written if entry["selected"]]
    assert selected, "the choice among ways to label is one of them"
