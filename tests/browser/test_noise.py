"""Noise turned up by hand in a real browser, and whom the methods then see."""

from __future__ import annotations

import re
from functools import partial

from playwright.sync_api import Page, expect

from experiments.measures.recognition import nearest_with_margin
from experiments.requests.noise import add_noise
from tests.browser.conftest import give_time, settle
from tests.browser.test_occlusion import METHODS, SIZE, fitted, says_margin, settled
from tests.waiting import until

_ADDRESS = f"/noise?data.orl.size={SIZE}&recognisers={','.join(METHODS)}&noise.kind="


def ready(page: Page, kind: str) -> Page:
    page.goto(_ADDRESS + kind)
    expect(page.locator(".card[data-right]")).to_have_count(len(METHODS))
    return page


def panel_is_right(page: Page, kind: str, percent: int) -> None:
    """The persons in the panel are those that `methods` finds for the same pixels."""
    settled(page)
    row = int(page.locator(".root[data-row]").get_attribute("data-row") or -1)
    for method in METHODS:
        now = fitted(method).prepared
        known = now.y_partial >= 0
        noisy = add_noise(now.ds.X[row : row + 1], percent / 100, kind, 0)  # type: ignore[arg-type]
        train, asked = (now.estimator.transform(X) for X in (now.X[known], noisy))
        found = nearest_with_margin(train, now.y_partial[known], asked)
        name = now.ds.target_names[now.y_partial[known][found.index[0]]]
        card = page.locator(f".card[data-method='{method}']")
        expect(card).to_have_attribute("data-person", name)
        margin = float(found.margin[0] / found.distance[0])
        until(partial(says_margin, card, margin), f"not by the margin of {margin}, for {method}")


def test_the_slider_turns_the_noise_up_and_the_panel_follows(page: Page) -> None:
    ready(page, "gaussian")
    turned_up(page, "gaussian", 20, 35)
    choose(page, "salt and pepper")
    turned_up(page, "salt and pepper", 35, 50)
    choose(page, "uniform")
    a_patch_cannot_be_drawn(page)


def choose(page: Page, kind: str) -> None:
    page.get_by_role("radio", name=kind, exact=True).click()
    expect(page.locator("canvas.face")).to_have_attribute("aria-label", re.compile(f"{kind} noise"))


def turned_up(page: Page, kind: str, start: int, end: int) -> None:
    panel_is_right(page, kind, start)
    before = page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()")
    slider = page.locator("input[data-of='amount']")
    slider.focus()
    for _ in range(end - start):
        page.keyboard.press("ArrowRight")
    panel_is_right(page, kind, end)
    assert page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()") != before
    label = page.locator("canvas.face").get_attribute("aria-label") or ""
    assert f"{end} percent of {kind} noise" in label
    page.wait_for_url(re.compile(re.escape(f"noise.place=47%2C0%2C0%2C{end}")))
    expect(page.locator(".legend")).to_contain_text(re.compile(f"PCA .* at {end}"))
    expect(page.locator(".places")).to_be_hidden()


def a_patch_cannot_be_drawn(page: Page) -> None:
    settle(page)
    settled(page)
    asked = page.locator(".root[data-asked]").get_attribute("data-asked")
    page.locator("canvas.face").click()
    give_time(page, 10)
    assert page.locator(".root[data-asked]").get_attribute("data-asked") == asked
