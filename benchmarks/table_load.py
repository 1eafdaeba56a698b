"""What other visitors notice of a long table: a live run, a dragged patch and opening pages.

    python -m benchmarks.table_load [--parts live,drag,pages]

A visitor compares four methods on ORL 32×32 by five numbers of labels in twenty splits, 400 trials.
Everything (or only some `--parts` of it) is measured on an idle server first, and then while the table is
being filled in.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.browser import app, browsing
from benchmarks.live_run import watched
from benchmarks.occlusion import answered, dragged
from benchmarks.report import Row, save, show
from scripts.app_server import SETTLED

_TABLE = (
    "/recognition?data=orl&data.orl.size=32&recognition.methods=pca,lda,nmf,n2s2l&recognition.axis=labels"
    "&recognition.splits=20"
)
_PAGES = ("start", "data", "live", "bases", "documents", "graphs", "views", "recognition", "methods", "runs")
_PROGRESS = re.compile(r"(\d+) of (\d+)")

Measuring = Callable[[Browser, str, argparse.Namespace], list[float]]
Telling = Callable[[list[float], list[float]], Row]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure an idle server and a busy one, and print both beside the budgets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--parts", default=",".join(_MEASURED))
    given = parser.parse_args(argv)
    with app() as server, browsing() as browser:
        idle = _measured(browser, server.url, given)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.goto(server.url + _TABLE)
        page.wait_for_selector(SETTLED)
        before = _progress(page)
        busy = _measured(browser, server.url, given)
        after = _progress(page)
    rows = [_MEASURED[part][1](idle[part], busy[part]) for part in idle]
    show(f"With a table of {after[1]} trials, {before[0]} done at first and {after[0]} in the end", rows)
    if not before[0] < after[0] < after[1]:
        print("The table was not under way all the time, or did not move on: these figures say nothing.")
    save("table_load", {"rows": rows, "idle": idle, "busy": busy, "before": before, "after": after})


def _measured(browser: Browser, url: str, given: argparse.Namespace) -> dict[str, list[float]]:
    return {part: _MEASURED[part][0](browser, url, given) for part in given.parts.split(",")}


def _pictures(browser: Browser, url: str, given: argparse.Namespace) -> list[float]:
    """Return the pictures a second of watched runs."""
    seen = [watched(browser, url) for _ in range(given.rounds)]
    return [one["frames"] / one["seconds"] for one in seen]


def _dragged(browser: Browser, url: str, given: argparse.Namespace) -> list[float]:
    """Return the milliseconds to the answers of a dragged patch."""
    return answered(dragged(browser, url, "grey", given.moves))


def _pages(browser: Browser, url: str, given: argparse.Namespace) -> list[float]:
    """Return the milliseconds until each page has been drawn."""
    return [_opened(browser, f"{url}/{page}") for _ in range(given.rounds) for page in _PAGES]


def _opened(browser: Browser, address: str) -> float:
    """Return the milliseconds until a page has been drawn."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    begun = perf_counter()
    page.goto(address)
    page.wait_for_selector(SETTLED, timeout=60_000)
    seconds = perf_counter() - begun
    page.context.close()
    return 1000 * seconds


def _progress(page: Page) -> tuple[int, int]:
    """Return how many trials of the table are done, and how many there are."""
    text = page.get_by_text(re.compile(r"\d+ of \d+ .*done")).first.inner_text()
    found = _PROGRESS.search(text)
    assert found is not None
    return int(found[1]), int(found[2])


def _row(what: str, idle: float, busy: float, budget: str, met: bool) -> Row:
    return {
        "what": what,
        "idle": idle,
        "with the table": busy,
        "budget": budget,
        "kept": "yes" if met else "NO",
    }


def _row_of_pictures(idle: list[float], busy: list[float]) -> Row:
    return _row("live pictures a second", median(idle), median(busy), "≥ 10", median(busy) >= 10)


def _row_of_drags(idle: list[float], busy: list[float]) -> Row:
    return _row("drag p95 ms", _p95(idle), _p95(busy), "≤ 60", _p95(busy) <= 60)


def _row_of_pages(idle: list[float], busy: list[float]) -> Row:
    return _row("page p95 ms", _p95(idle), _p95(busy), "≤ 1.5 × idle", _p95(busy) <= 1.5 * _p95(idle))


def _p95(values: list[float]) -> float:
    return float(np.percentile(values, 95))


# By part: how it is measured, and what is said of it.
_MEASURED: dict[str, tuple[Measuring, Telling]] = {
    "live": (_pictures, _row_of_pictures),
    "drag": (_dragged, _row_of_drags),
    "pages": (_pages, _row_of_pages),
}


if __name__ == "__main__":
    main()
