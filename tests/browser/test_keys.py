"""Keys of the page, and the presenter mode: all of a live run at once on a projector's screen."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from scripts.app_server import Server
from tests.browser.conftest import PROJECTOR, fits_before_a_room, open_page, settle, visiting

ROOT = ".st-key-live_view .root"


def test_a_live_run_is_presented_with_keys_alone(browser: Browser, server: Server) -> None:
    with visiting(browser, server, PROJECTOR) as page:
        open_page(page, "/live?data=orl&data.orl.size=16&method=nmf&live.nmf.n_components=30")
        fits_before_a_room(page, "h1")
        expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
        view = page.locator(ROOT)
        page.keyboard.press("s")
        expect(view).to_have_attribute("data-status", "paused")
        # The page has heard of it, too: before that it is Pause that could be pressed.
        expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
        page.keyboard.press("Space")
        expect(view).to_have_attribute("data-status", re.compile("done|max_iter"))
        for part in (".parts-canvas", ".chart", ".cloud", ".sample canvas", ".timeline"):
            box = view.locator(part).bounding_box()
            assert box is not None
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= PROJECTOR["height"], f"{part} lies below the fold"
            assert box["height"] >= 20, part
        page.keyboard.press("ArrowLeft")
        expect(view.locator(".timeline output")).not_to_have_text("iteration 0")
        expect(view.locator(".timeline button").last).to_have_attribute("aria-pressed", "false")
        before = view.locator(".who").inner_text()
        page.keyboard.press("d")
        expect(view.locator(".who")).not_to_have_text(before)
        parts = page.get_by_role("slider", name="Parts (k)")
        parts.press("PageDown")
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
        page.keyboard.press("Control+z")
        expect(parts).to_have_attribute("aria-valuenow", "30")
        expect(view).to_have_attribute("data-status", re.compile("done|max_iter"))
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keys")
        expect(dialog).to_contain_text("run or pause")
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.keyboard.press("p")
        expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
        # Twice before the page has followed: it is as it was.
        page.keyboard.press("p")
        page.keyboard.press("p")
        settle(page)
        expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
