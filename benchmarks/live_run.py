"""What watching costs: a fit with the page open against the same fit with nobody looking.

    python -m benchmarks.live_run

Also how often the picture changes, how many bytes that takes, and how soon Stop is seen to act.
The browser runs on the same cores as server and fit.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median
from time import monotonic, sleep
from typing import Any

from playwright.sync_api import Browser, Page

from benchmarks.browser import app, browsing
from benchmarks.report import Row, save, show
from experiments import RunRequest
from experiments.service import Service
from scripts.app_server import SETTLED

_ITERATIONS = 1000
_PARAMS = {"solver": "multiplicative", "max_iter": _ITERATIONS, "tol": 0.0}
_ADDRESS = "/live?" + "&".join(f"live.n2s2l.{name}={value}" for name, value in _PARAMS.items())
# Measured in the page itself, from the pointer going down to the word on the screen.
_STOP_SEEN = """
(root) => new Promise((resolve) => {
  const button = [...document.querySelectorAll("button")].find((b) => b.textContent.trim() === "Stop");
  const begun = performance.now();
  new MutationObserver(() => {
    if (root.dataset.status === "stopped") resolve(performance.now() - begun);
  }).observe(root, { attributes: true });
  button.click();
})
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Measure fits alone and watched in turns, then stops."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args(argv).rounds
    service = Service()
    service.warm_up("orl", "n2s2l")
    with app() as server, browsing() as browser:
        alone_first = [alone(service)]
        pairs = [(alone(service), watched(browser, server.url)) for _ in range(rounds)]
        stops = [stop_seen(browser, server.url) for _ in range(rounds)]
    service.close()
    del alone_first  # Warms caches and the clock of the processor.
    ratio = median(seen["seconds"] / by_itself for by_itself, seen in pairs)
    row: Row = {
        "alone s": median(by_itself for by_itself, _ in pairs),
        "watched s": median(seen["seconds"] for _, seen in pairs),
        "slow-down": ratio,
        "pictures a second": median(seen["frames"] / seen["seconds"] for _, seen in pairs),
        "kB a picture (median)": median(seen["bytes"] for _, seen in pairs) / 1000,
        "kB a picture (most)": max(seen["most"] for _, seen in pairs) / 1000,
        "Stop seen ms": median(stops),
    }
    show(f"N²S²L, ORL 64×64, k=78, {_ITERATIONS} iterations, full speed", [row])
    save("live_run", {"row": row, "pairs": pairs, "stops": stops})


def alone(service: Service) -> float:
    """Return the seconds of the run in a worker that nobody watches."""
    handle = service.submit(RunRequest("orl", "n2s2l", _PARAMS, split={"labelled_per_class": 2}))
    while not handle.ended:
        handle.look()
        sleep(0.05)
    return float(handle.ending["elapsed"])


def watched(browser: Browser, url: str) -> dict[str, Any]:
    """Return the seconds of the run with the page open, its pictures and their bytes."""
    page = _open(browser, url)
    sizes: list[int] = []
    page.on("websocket", lambda socket: _note_frames(socket, sizes))
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='max_iter'][data-elapsed]").wait_for(timeout=120_000)
    seen = page.locator(".root[data-elapsed]").evaluate("root => ({...root.dataset})")
    page.context.close()
    return {
        "seconds": float(seen["elapsed"]),
        "frames": int(seen["frames"]),
        "bytes": median(sizes),
        "most": max(sizes),
    }


def stop_seen(browser: Browser, url: str) -> float:
    """Return the milliseconds from pressing Stop to the page saying that the run has stopped."""
    page = _open(browser, url)
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='running']").wait_for(timeout=30_000)
    page.wait_for_timeout(800)
    milliseconds = float(page.locator(".root[data-status]").evaluate(_STOP_SEEN))
    page.context.close()
    return milliseconds


def _open(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(url + _ADDRESS)
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
