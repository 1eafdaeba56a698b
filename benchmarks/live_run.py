"""What watching costs, and how soon one sees what one does: the live page against its budgets.

    python -m benchmarks.live_run

A fit with the page open against the same fit with nobody looking; how often the picture changes and how
many bytes that takes; how soon Pause, Step, Stop and a moved slider are seen to act. The browser runs on the
same cores as server and fit. A slider that is held: how soon the parts follow it, and how often.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from statistics import median
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.browser import NEXT_RUN_SEEN, app, browsing
from benchmarks.report import Row, save, show
from experiments import RunRequest
from experiments.engine.service import Service
from scripts.app_server import SETTLED

_ITERATIONS = 1000
_PARAMS = {"solver": "multiplicative", "max_iter": _ITERATIONS, "tol": 0.0}
_ADDRESS = "/live?" + "&".join(f"live.n2s2l.{name}={value}" for name, value in _PARAMS.items())
# The accelerated solver and no end: what somebody has before them who moves sliders.
_LASTING = "/live?live.n2s2l.max_iter=5000&live.n2s2l.tol=0"
_MOVES = 6
_DRAGS, _DRAG_SECONDS, _UNDER_WAY = 4, 4.0, 20
# Measured in the page itself, from the press of a button to the word (or the iteration) on the screen.
_PRESSED = """
(root, [name, seen]) => new Promise((resolve) => {
  const button = [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === name);
  const before = root.dataset.iteration, begun = performance.now();
  new MutationObserver((_, observer) => {
    if (seen ? root.dataset.status !== seen : root.dataset.iteration === before) return;
    observer.disconnect();
    resolve(performance.now() - begun);
  }).observe(root, { attributes: true });
  button.click();
})
"""
# From the release of a slider to the first picture of the run that goes on with it.
_MOVED = f"""
(root) => {{
  window.moved = new Promise((resolve, reject) => {{
    const released = () => ({NEXT_RUN_SEEN})(root).then(resolve, reject);
    document.addEventListener("keyup", released, {{ once: true, capture: true }});
  }});
}}
"""

# While a slider is held: from its first move to the first picture that follows it, and when all of them come.
_HELD = """
(root) => {
  const held = (window.held = { begun: 0, first: 0, pictures: [] });
  document.addEventListener("partwise-turn", () => { held.begun = performance.now(); }, { once: true });
  window.watching = new MutationObserver(() => {
    if (!held.begun || root.dataset.followed === "0") return;
    held.first ||= performance.now() - held.begun;
    held.pictures.push(performance.now());
  });
  window.watching.observe(root, { attributes: true, attributeFilter: ["data-frames"] });
}
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Measure fits alone and watched in turns, then buttons and sliders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args(argv).rounds
    service = Service()
    service.warm_up("orl", "n2s2l")
    with app() as server, browsing() as browser:
        alone(service)  # Warms caches and the clock of the processor.
        pairs = [(alone(service), watched(browser, server.url)) for _ in range(rounds)]
        pressed = [buttons_seen(browser, server.url) for _ in range(rounds)]
        moved = parts_seen(browser, server.url)
        held = parts_followed(browser, server.url)
    service.close()
    rows = [
        _row("slow-down by being watched", median(seen["seconds"] / own for own, seen in pairs), 1.1),
        _row("pictures a second", median(seen["frames"] / seen["seconds"] for _, seen in pairs), 10, True),
        _row("kB a picture, median", median(seen["bytes"] for _, seen in pairs) / 1000, 60),
        _row("kB a picture, most", max(seen["most"] for _, seen in pairs) / 1000, 60),
        *(_row(f"{name} seen after ms", median(one[name] for one in pressed), 200) for name in pressed[0]),
        _row("slider released, new parts after ms", median(moved), 200),
        _row("slider held, first change after ms", median(one["first"] for one in held), 100),
        _row("slider held, pictures a second", median(one["rate"] for one in held), 10, True),
    ]  # fmt: skip
    show(f"N²S²L, ORL 64×64, k=78, {_ITERATIONS} iterations, full speed", rows)
    save("live_run", {"rows": rows, "pairs": pairs, "pressed": pressed, "moved": moved, "held": held})


def _row(what: str, measured: float, budget: float, least: bool = False) -> Row:
    kept = measured >= budget if least else measured <= budget
    sign = "≥" if least else "≤"
    return {
        "what": what,
        "measured": measured,
        "budget": f"{sign} {budget:g}",
        "kept": "yes" if kept else "NO",
    }


def alone(service: Service) -> float:
    """Return the seconds of the run in a worker that nobody watches."""
    handle = service.submit(RunRequest("orl", "n2s2l", _PARAMS, split={"labelled_per_class": 2}))
    while not handle.ended:
        handle.touch()
        sleep(0.05)
    return float(handle.ending["elapsed"])


def watched(browser: Browser, url: str) -> dict[str, Any]:
    """Return the seconds of the run with the page open, its pictures and their bytes."""
    page = _open(browser, url + _ADDRESS)
    sizes: list[int] = []
    page.on("websocket", lambda socket: _note_frames(socket, sizes))
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='max_iter'][data-elapsed]").wait_for(timeout=300_000)
    seen = page.locator(".root[data-elapsed]").evaluate("root => ({...root.dataset})")
    page.context.close()
    return {
        "seconds": float(seen["elapsed"]),
        "frames": int(seen["frames"]),
        "bytes": median(sizes),
        "most": max(sizes),
    }


def buttons_seen(browser: Browser, url: str) -> dict[str, float]:
    """Return the milliseconds from pressing a button to seeing that it has acted."""
    page = _open(browser, url + _ADDRESS)
    _run(page)
    found = {}
    for name, seen in (("Pause", "paused"), ("Step", ""), ("Stop", "stopped")):
        found[name] = float(page.locator(".root[data-run]").evaluate(_PRESSED, [name, seen]))
        page.wait_for_timeout(500)
    page.context.close()
    return found


def parts_seen(browser: Browser, url: str) -> list[float]:
    """Return the milliseconds from releasing a slider to the first picture of the run that follows."""
    page = _open(browser, url + _LASTING)
    _run(page)
    slider = page.get_by_role("slider", name="Alpha (α)")
    found = []
    for _ in range(_MOVES):
        slider.focus()
        page.locator(".root[data-run]").evaluate(_MOVED)
        slider.press("ArrowRight")
        found.append(float(page.evaluate("window.moved")))
        page.wait_for_timeout(1500)
    page.context.close()
    return found


def parts_followed(browser: Browser, url: str) -> list[dict[str, float]]:
    """Return the milliseconds from the first move of a slider to the first picture, and pictures a second."""
    page = _open(browser, url + _LASTING)
    _run(page)
    slider = page.get_by_role("slider", name="Alpha (α)")
    root = page.locator(".root[data-run]")
    while int(root.get_attribute("data-iteration") or 0) < _UNDER_WAY:
        page.wait_for_timeout(100)
    found = []
    for _ in range(_DRAGS):
        box = slider.bounding_box()
        assert box is not None
        left, middle = box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2
        page.mouse.move(left, middle)
        root.evaluate(_HELD)
        page.mouse.down()
        end, step = monotonic() + _DRAG_SECONDS, 0
        while monotonic() < end:
            step += 1
            page.mouse.move(left + 0.4 * box["width"] * abs(step % 100 - 50) / 50, middle)
            page.wait_for_timeout(16)
        held = page.evaluate("window.held")
        page.mouse.up()
        # By the length of the whole drag: one that nothing follows counts as such.
        found.append({"first": held["first"] or inf, "rate": len(held["pictures"]) / _DRAG_SECONDS})
        page.wait_for_timeout(1500)
    page.context.close()
    return found


def _run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='running'][data-run]").wait_for(timeout=60_000)
    page.wait_for_timeout(1000)


def _open(browser: Browser, address: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(address)
    page.wait_for_selector(SETTLED)
    # The worker's and the page's own beginnings are over.
    end = monotonic() + 1.0
    while monotonic() < end:
        page.wait_for_timeout(100)
    return page


def _note_frames(socket: Any, sizes: list[int]) -> None:
    if "/partwise/live/" in socket.url:
        socket.on("framereceived", lambda payload: sizes.append(len(payload)))


if __name__ == "__main__":
    main()
