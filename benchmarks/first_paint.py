"""How soon there is something to see: after a warm start of the server, from page to page, and on Papers.

python -m benchmarks.first_paint
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median
from time import monotonic

from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import app, browsing
from benchmarks.report import Row, save, show

_PAGES = {"Data": "data", "Live run": "live", "Bases": "bases", "Methods": "methods", "Start": ""}


def main(argv: Sequence[str] | None = None) -> None:
    """Start the server several times and look at it at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args(argv).rounds
    with browsing() as browser:
        starts = [start(browser) for _ in range(rounds)]
    # The first one reads everything from the disk; the others are what a warm start means.
    warm = starts[1:] or starts
    row: Row = {name: median(entry[name] for entry in warm) for name in warm[0]}
    show("Seconds from `streamlit run`, and from page to page (warm disk)", [row])
    save("first_paint", starts)


def start(browser: Browser) -> Row:
    """Return the seconds from starting the server to words, to what moves, and to the real run."""
    begun = monotonic()
    with app() as server:
        healthy = monotonic() - begun
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(server.url)
        page.get_by_role("heading", level=1).wait_for()
        words = monotonic() - begun
        page.locator(".root[data-shown]:not([data-shown='0'])").wait_for()
        moving = monotonic() - begun
        page.locator(".root[data-live='1']").wait_for()
        live = monotonic() - begun
        turns = {f"to {name}": turn(page, name) for name in _PAGES}
        papers = [table_of_papers(page, server.url) for _ in range(3)][-1]
        page.context.close()
    return {
        "server answers": healthy,
        "words": words,
        "moving": moving,
        "live": live,
        **turns,
        "papers, warm": papers,
    }


def table_of_papers(page: Page, url: str) -> float:
    """Return the seconds from the address of Papers to the table of its first item."""
    begun = monotonic()
    page.goto(f"{url}/papers")
    page.locator(".papers table").first.wait_for()
    return monotonic() - begun


def turn(page: Page, name: str) -> float:
    """Return the seconds from clicking a page's link to its title."""
    page.wait_for_timeout(1500)
    title = page.get_by_role("heading", level=1).inner_text()
    begun = monotonic()
    page.get_by_role("link", name=name, exact=True).first.click()
    # Not by a function: Playwright would evaluate its text within the page, whose policy forbids that.
    expect(page.get_by_role("heading", level=1)).not_to_have_text(title)
    return monotonic() - begun


if __name__ == "__main__":
    main()
