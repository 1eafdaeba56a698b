"""Noise turned up by hand in a real browser, and whom the methods then see."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from experiments.measures.recognition import nearest_with_margin
from experiments.requests.noise import add_noise
from tests.browser.conftest import give_time
from tests.browser.test_occlusion import METHODS, SIZE, fitted, settled

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
        margin = float(card.get_attribute("data-margin") or -1)
        assert margin == pytest.approx(float(found.margin[0] / found.distance[0]), rel=2e-2, abs=1e-3)


@pytest.mark.parametrize("kind", ["gaussian", "salt and pepper"])
def test_the_slider_turns_the_noise_up_and_the_panel_follows(page: Page, kind: str) -> None:
    ready(page, kind)
    panel_is_right(page, kind, 20)
    before = page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()")
    slider = page.locator("input[data-of='amount']")
    slider.focus()
    for _ in range(15):
        page.keyboard.press("ArrowRight")
    panel_is_right(page, kind, 35)
    assert page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()") != before
    label = page.locator("canvas.face").get_attribute("aria-label") or ""
    assert f"35 percent of {kind} noise" in label
    page.wait_for_url(re.compile(re.escape("noise.place=47%2C0%2C0%2C35")))
    expect(page.locator(".legend")).to_contain_text(re.compile("PCA .* at 35"))
    expect(page.locator(".places")).to_be_hidden()


def test_a_patch_cannot_be_drawn_on_a_noisy_face(page: Page) -> None:
    ready(page, "uniform")
    asked = page.locator(".root[data-asked]").get_attribute("data-asked")
    page.locator("canvas.face").click()
    give_time(page, 10)
    assert page.locator(".root[data-asked]").get_attribute("data-asked") == asked
