"""What a drag costs: from the pointer's event to all pictures of four fitted methods drawn.

    python -m benchmarks.occlusion

ORL 64×64, PCA, LDA, NMF and N²S²L; the patch is dragged about with the mouse in Chromium, on the same
cores as the server. A pointer event counts as answered when pictures for the place it led to, or for a
later one, have been drawn and the browser goes on to its next frame.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.browser import app, browsing
from benchmarks.report import Row, save, show
from scripts.app_server import SETTLED

_ADDRESS = "/occlusion?recognisers=pca,lda,nmf,n2s2l&patch="
_BUDGET_MS = 100
_EVERY_MS = 16
# Notes for every pointer event that moved the patch when it came and when the face was painted with it, and
# for every answer when it was drawn.
_WATCH = """
(root) => {
  const dragged = (window.dragged = []), answers = (window.answers = []);
  // The page's own listener runs before this one: its question has its number by now.
  root.querySelector(".face").addEventListener("pointermove", (event) => {
    const number = Number(root.dataset.asked);
    if (number === dragged.at(-1)?.number) return;
    dragged.push({ number, at: event.timeStamp, painted: performance.now() });
  });
  new MutationObserver(() => {
    const number = Number(root.dataset.drawn);
    requestAnimationFrame(() => answers.push({ number, at: performance.now() }));
  }).observe(root, { attributes: true, attributeFilter: ["data-drawn"] });
}
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Drag a grey patch and a piggy bank, and print how long the answers took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=400)
    moves = parser.parse_args(argv).moves
    rows, raw = [], {}
    with app() as server, browsing() as browser:
        for kind in ("grey", "piggy bank"):
            found = dragged(browser, server.url, kind, moves)
            rows.append(_row(kind, found))
            raw[kind] = found
    show("Dragging a patch, four fitted methods, ORL 64×64", rows)
    save("occlusion", {"rows": rows, "raw": raw})


def dragged(browser: Browser, url: str, kind: str, moves: int) -> dict[str, Any]:
    """Return the milliseconds of all pointer events until patch and answers were drawn."""
    page = browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
    page.goto(url + _ADDRESS + kind)
    page.wait_for_selector(SETTLED)
    for surveys in ("curves", "places"):
        page.locator(f".{surveys}[data-complete='true']").wait_for(timeout=900_000)
    page.wait_for_timeout(1000)
    return _drag(page, moves)


def _drag(page: Page, moves: int) -> dict[str, Any]:
    box = page.locator("canvas.face").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.wait_for_timeout(300)
    page.locator(".root[data-drawn]").evaluate(_WATCH)
    for index in range(moves):
        angle = index / 17
        radius = 0.3 * box["width"] * math.sin(index / 61)
        page.mouse.move(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))
        page.wait_for_timeout(_EVERY_MS)
    page.wait_for_timeout(500)
    page.mouse.up()
    found: dict[str, Any] = page.evaluate("({ events: window.dragged, answers: window.answers })")
    page.context.close()
    return found


def answered(found: dict[str, Any]) -> list[float]:
    """Return the milliseconds to the first answer to each event's question, or to a later one."""
    drawn = np.array([[answer["number"], answer["at"]] for answer in found["answers"]])
    waited = []
    for event in found["events"]:
        later = drawn[drawn[:, 0] >= event["number"], 1]
        if not later.size:
            raise RuntimeError("Some places of the patch were never answered.")
        waited.append(float(later.min() - event["at"]))
    return waited


def _row(kind: str, found: dict[str, Any]) -> Row:
    waited = answered(found)
    painted = [event["painted"] - event["at"] for event in found["events"]]
    drawn = np.array([answer["at"] for answer in found["answers"]])
    p95 = float(np.percentile(waited, 95))
    return {
        "patch": kind, "events": len(waited), "patch painted p95 ms": float(np.percentile(painted, 95)),
        "all pictures median ms": float(np.median(waited)), "all pictures p95 ms": p95,
        "slowest ms": float(np.max(waited)), "pictures a second": _rate(drawn),
        f"p95 within {_BUDGET_MS} ms": "yes" if p95 <= _BUDGET_MS else "NO",
    }  # fmt: skip


def _rate(moments: Any) -> float:
    return float(1000 * (len(moments) - 1) / (moments[-1] - moments[0]))


if __name__ == "__main__":
    main()
