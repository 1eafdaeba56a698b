"""What the Tune page costs the hand: first cell, pointing, gliding, and brushing over 5 000 trials.

    python -m benchmarks.tune_page

A 9 × 9 sweep on the digits is really carried out; then each cell is pointed at (from the pointer's event to
the frame with its parts), and the hand glides over the map (pictures a second). For the 5 000 trials results
are drawn at random and written into the store, one in a hundred of them diverged: what is measured is the
page. Chromium draws on the same cores as the server works on, without a graphics card.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Locator, Page
from sqlalchemy import make_url

from benchmarks.browser import browsing
from benchmarks.report import Row, save, show
from experiments.requests.request import RunRequest
from experiments.store import TrialRow
from experiments.store.run_store import RunStore
from experiments.trials import MeasureRequest, Result
from experiments.tuning import Sweep, axis, trials_of
from scripts.app_server import SETTLED, Server, serving

_SMALL = (
    "/tune?data=digits&tune.measures=accuracy&tune.splits=1&tune.n2s2l.max_iter=10&tune.n2s2l.n_components=12"
)
_LARGE = "/tune?data=digits&tune.how=sobol&tune.trials=5000&tune.splits=1&tune.measures=accuracy"
_TRIALS, _DIVERGED = 5000, 0.01
_PATIENCE = 150_000
# Pointing: from each event to the frame after the parts of its cell were painted.
_WATCH = """
(root) => {
  const times = (window.times = []), cell = root.querySelector(".cell");
  let at = 0;
  const note = (event) => { at = event.timeStamp; };
  root.querySelector("canvas.map").addEventListener("pointermove", note, true);
  new MutationObserver(() => {
    const begun = at;
    requestAnimationFrame(() => times.push(performance.now() - begun));
  }).observe(cell, { attributes: true, attributeFilter: ["data-shown"] });
}
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__).parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="partwise-bench-") as folder:
        filled(Path(folder))
        with serving(Path(folder)) as server, browsing() as browser:
            rows = [*small(browser, server), *large(browser, server)]
    show("The Tune page", rows)
    save("tune_page", {"rows": rows})


def filled(folder: Path) -> None:
    """Write results of the 5 000 trials into the store that the server will open."""
    axes = (
        axis("n2s2l", "alpha", 0.1, 1000.0, count=9),
        axis("n2s2l", "beta", 0.01, 100.0, count=9),
    )
    request = RunRequest("digits", "n2s2l", {"solver": "accelerated"}, split={"labelled_per_class": 2})
    measure = MeasureRequest("accuracy")
    sweep = Sweep(request, axes, (measure,), 1, strategy="sobol", budget=_TRIALS)
    rng, rows = np.random.default_rng(0), []
    for point, (trial,) in trials_of(sweep).trials.items():
        alpha, beta = (float(value) for value in point)
        score = 0.8 - 0.02 * np.log10(alpha / 10) ** 2 - 0.02 * np.log10(beta) ** 2 + rng.normal(0, 0.02)
        result = Result({measure.name: float(score)}, iterations=int(rng.integers(50, 500)), seconds=1.0)
        if rng.random() < _DIVERGED:
            result = Result(status="diverged", message="The objective has no value any more.", seconds=0.1)
        rows.append(TrialRow(trial.key, trial.to_json(), result.to_json()))
    store = RunStore(make_url(f"sqlite:///{folder}/runs.sqlite3"))
    store.trials.keep(rows)
    store.close()


def small(browser: Browser, server: Server) -> list[Row]:
    """Carry out a 9 × 9 sweep, point at its cells, glide over them."""
    page = _opened(browser, server.url + _SMALL)
    root = page.locator(".root[data-whole]")
    # The first fit, by which the time is judged, is made before one presses.
    page.get_by_text("81 fits: about").wait_for(timeout=_PATIENCE)
    before = int(root.get_attribute("data-counted") or 0)
    begun = perf_counter()
    page.get_by_role("button", name="Start", exact=True).click()
    # That one is told at once: what counts is one more.
    few = "".join(f':not([data-counted="{count}"])' for count in {before, 0, 1})
    page.wait_for_selector(f".root[data-counted]{few}", timeout=_PATIENCE)
    first = perf_counter() - begun
    page.wait_for_selector('.root[data-ready="81"]', timeout=_PATIENCE)
    page.locator("canvas.map").scroll_into_view_if_needed()
    root.evaluate(_WATCH)
    box = page.locator("canvas.map").bounding_box()
    assert box is not None
    for step in range(81):
        page.mouse.move(box["x"] + 90 + (step % 9) * 50, box["y"] + 40 + (step // 9) * 38)
        page.wait_for_timeout(30)
    times = np.array(page.evaluate("window.times"))
    seen, seconds = _glided(page, page.locator(".tune .cell"), box)
    return [
        {"what": "Start to the next cell on the map, s", "median": first, "budget": 1.0},
        {
            "what": "pointing at a cell to its parts, ms",
            "median": float(np.median(times)),
            "p95": float(np.percentile(times, 95)),
            "budget": 50.0,
        },
        {"what": "gliding, pictures a second", "median": seen / seconds, "budget": 15.0},
    ]


def _glided(page: Page, cell: Locator, box: Any) -> tuple[int, float]:
    painted = "(cell) => Number(cell.dataset.painted)"
    page.mouse.move(box["x"] + 90, box["y"] + 60)
    page.mouse.down()
    before, begun = cell.evaluate(painted), perf_counter()
    for step in range(200):
        page.mouse.move(box["x"] + 90 + 2 * step, box["y"] + 60 + step)
    seen, seconds = cell.evaluate(painted) - before, perf_counter() - begun
    page.mouse.up()
    return seen, seconds


def large(browser: Browser, server: Server) -> list[Row]:
    """Look at 5 000 trials and brush over them."""
    begun = perf_counter()
    page = _opened(browser, server.url + _LARGE, settled=False)
    page.wait_for_selector(f'.root[data-known="{_TRIALS}"]', timeout=_PATIENCE)
    there = perf_counter() - begun
    begun = perf_counter()
    page.get_by_role("tab", name="All trials").click()
    page.wait_for_selector(".held.lines[data-frames]")
    first = perf_counter() - begun
    page.wait_for_selector('.held.lines[data-whole="true"]')
    whole = perf_counter() - begun
    canvas = page.locator(".held.lines canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    lines, frames = page.locator(".held.lines"), "(lines) => Number(lines.dataset.frames)"
    page.mouse.move(box["x"] + 54, box["y"] + 60)
    page.mouse.down()
    before, begun = lines.evaluate(frames), perf_counter()
    for step in range(120):
        page.mouse.move(box["x"] + 54, box["y"] + 60 + 2 * step)
    drawn, seconds = lines.evaluate(frames) - before, perf_counter() - begun
    page.mouse.up()
    return [
        {"what": "5 000 trials: address to all of them here, s", "median": there},
        {"what": "5 000 trials: first paint, s", "median": first, "budget": 2.0},
        {"what": "5 000 trials: all lines drawn, s", "median": whole},
        {"what": "5 000 trials: brushing, pictures a second", "median": drawn / seconds, "budget": 20.0},
    ]


def _opened(browser: Browser, url: str, *, settled: bool = True) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(url)
    if settled:
        page.wait_for_selector(SETTLED)
    return page


if __name__ == "__main__":
    main()
