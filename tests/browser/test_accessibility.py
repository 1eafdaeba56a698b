"""axe-core finds nothing to object to: WCAG 2.1 AA and its best practices, on every page, in both themes.

And what is written can be read: contrasts as the browser paints them, on pages with every kind of control.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from scripts import node
from scripts.app_server import Server
from tests.browser.conftest import AT_REST, BACKGROUND, open_page, settle, visiting, wait_for

AXE = node.REPOSITORY / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
# Every page of the menu, with data that show all it has; a lesson; the presenter mode.
PAGES = (
    "/", "/live?method=nmf&data=digits", "/bases?data=swimmer", "/graphs?data=iris",
    "/documents?data=docstrings", "/views?data=planted_views", "/occlusion?data.orl.size=16",
    "/noise?data.orl.size=16", "/recognition?data=iris", "/tune?data=iris", "/papers", "/data?data=digits",
    "/runs", "/lessons?teach=1", "/methods?about=nmf", "/live?lesson=how_many&step=2",
    "/live?present=1&method=nmf&data=digits",
)  # fmt: skip
# Pages with every kind of control (what is selected, the value of a slider, captions, tags, buttons), and
# what each is not without.
WRITTEN_ON = {"/graphs?data=iris": ".stSlider", "/bases?data=swimmer": "[data-selected]"}
CONTRAST = Path(__file__).with_name("contrast.js").read_text()
# What depends on the theme.
COLOURS = ["color-contrast", "link-in-text-block"]
RUN = """async (runOnly) => {
  // Of what is as it should be nothing is written down: that takes longer than looking.
  const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 160)) }));
}"""
# Streamlit's menu has headings among its entries, so a script of ours takes the list out of the list.
MENU_MENDED = (
    "[...document.querySelectorAll('[data-testid=stSidebarNavItems]')].every(one => one.role === 'none')"
)


def violations(page: Page, rules: list[str]) -> list[Any]:
    """What axe-core objects to; transitions are over, for colours on their way are nobody's choice."""
    settle(page)
    wait_for(page, AT_REST)
    found: list[Any] = page.evaluate(RUN, rules)
    return found


def test_nothing_stands_in_anybodys_way(browser: Browser, server: Server) -> None:
    complaints: dict[str, list[Any]] = {}
    with visiting(browser, server, bypass_csp=True) as page:
        for path in PAGES:
            page.emulate_media(color_scheme="light")
            open_page(page, path)
            page.evaluate(AXE.read_text(encoding="utf-8"))
            wait_for(page, MENU_MENDED)
            found = violations(page, RULES)
            found += faint(page, path)
            light = page.evaluate(BACKGROUND)
            page.emulate_media(color_scheme="dark")
            wait_for(page, f"{BACKGROUND} != {light!r}")
            found += violations(page, COLOURS)
            if found := found + faint(page, path):
                complaints[path] = found
    assert not complaints


def faint(page: Page, path: str) -> list[Any]:
    """What cannot be read for its colour on one of the pages with every kind of control."""
    if path not in WRITTEN_ON:
        return []
    page.locator(WRITTEN_ON[path]).first.wait_for()
    written: list[Any] = wait_for(page, CONTRAST)
    assert len(written) > 20
    assert any(entry["selected"] for entry in written), "the choice among ways to label is one of them"
    return [entry for entry in written if entry["ratio"] < 4.5]
