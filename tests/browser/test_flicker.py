"""While a run goes on, only what it is about changes on the screen, and no picture is ever blank or torn."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

from tests.browser.conftest import LONG, open_page, settle
from tests.waiting import until

_SHOTS = 12
# Of 256 levels: where a half-transparent button has round corners, Chromium rounds as it likes.
_ROUNDING = 2
# So few pixels are the edge of one round icon, drawn anew.
_SPECK = 16
# What may change: pictures, curve, points, numbers. All else on the page is to stand still.
_LIVING = "canvas, .line, .legend, .caption, .who, .features, .timeline"
_BOXES = """
(root, living) => [...root.querySelectorAll(living)].map((one) => one.getBoundingClientRect())
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])
"""


def screenshot(page: Page) -> NDArray[np.int16]:
    return np.asarray(Image.open(BytesIO(page.screenshot())).convert("RGB"), dtype=np.int16)


def cut(shot: NDArray[Any], box: list[float]) -> NDArray[Any]:
    left, top, right, bottom = (round(side) for side in box)
    return shot[top:bottom, left:right]


def test_consecutive_screenshots_differ_only_where_they_should(page: Page) -> None:
    open_page(page, f"/live?{urlencode(LONG)}&live.n2s2l.solver=multiplicative")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='running'][data-run]").wait_for()
    root = page.locator(".root[data-run]")
    # Marks of the kept iterations and the first words have come; the mouse points at nothing.
    page.mouse.move(2, 2)
    until(lambda: int(root.get_attribute("data-iteration") or 0) > 64, "it does not get on")
    settle(page)
    boxes = root.evaluate(_BOXES, _LIVING)
    shots = [screenshot(page) for _ in range(_SHOTS)]
    assert root.evaluate(_BOXES, _LIVING) == boxes, "Something has jumped."

    still = np.ones(shots[0].shape[:2], bool)
    for left, top, right, bottom in boxes:
        still[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = False
    assert still.mean() > 0.2, "There is something that should stand still."
    for before, after in pairwise(shots):
        changed = (np.abs(before - after).max(axis=2) > _ROUNDING) & still
        assert changed.sum() <= _SPECK, f"changed outside the pictures: {np.argwhere(changed)[0]}"

    stage = page.locator("canvas.parts-canvas").bounding_box()
    assert stage
    box = [stage["x"], stage["y"], stage["x"] + stage["width"], stage["y"] + stage["height"]]
    seen = [cut(shot, box).astype(float) for shot in shots]
    moved = [np.abs(after - before).mean() for before, after in pairwise(seen)]
    assert max(moved) > 0, "The parts do not move at all."
    # From one picture to the next a little changes everywhere; a blank or half drawn one differs by far more.
    ink = [np.abs(picture - np.median(picture)).mean() for picture in seen]
    assert max(moved) < 0.5 * min(ink), (moved, ink)


def test_what_appears_while_a_script_runs_is_not_dimmed_at_once(page: Page) -> None:
    """Streamlit fades what is out of date after half a second, but what is put there meanwhile in no time."""
    open_page(page, "/graphs?data=iris")
    page.locator(".stSlider").first.wait_for()
    opacity = page.evaluate("""() => {
      const sheet = document.head.appendChild(document.createElement("style"));
      sheet.textContent = ".faded { opacity: 0.33; transition: opacity 1s ease-in 0.5s; }";
      const made = document.createElement("div");
      Object.assign(made.dataset, { testid: "stElementContainer", stale: "true" });
      made.className = "faded";
      document.body.append(made);
      return getComputedStyle(made).opacity;
    }""")
    assert float(opacity) == 1
