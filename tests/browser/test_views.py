"""Several views in a real browser: weights move with λ, the printed rule is found out, a contest fills in."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import fits_before_a_room, open_page

_ADDRESS = "/views?data=planted_views&data.planted_views.samples=100&by=share"


def course(page: Page) -> Locator:
    """Return the charts once the run has come to its end."""
    root = page.locator(".root[data-weights]").first
    expect(root).to_have_attribute("data-status", re.compile("done|max_iter"))
    return root


def weights(root: Locator) -> list[float]:
    return [float(weight) for weight in (root.get_attribute("data-weights") or "").split()]


def test_weights_answer_to_evenness_and_parts_are_shown_by_view(page: Page) -> None:
    open_page(page, _ADDRESS)
    root = course(page)
    assert abs(sum(weights(root)) - 1) < 1e-3
    even = weights(root)
    assert "view 1" in (root.locator("canvas.weights").get_attribute("aria-label") or "")
    slider = page.get_by_role("slider", name="Evenness of views (λ)")
    first = root.get_attribute("data-run") or ""
    slider.focus()
    page.keyboard.down("Home")
    expect(root).to_have_attribute("data-by", re.compile(".+"))
    expect(page.locator(".root[data-frames]")).not_to_have_attribute("data-followed", "0")
    expect(root).to_contain_text("Follows your hand")
    page.keyboard.up("Home")
    expect(root).to_have_attribute("data-by", "")
    expect(root).not_to_have_attribute("data-run", first)
    uneven = weights(course(page))
    assert max(uneven) > 0.99 > max(even)
    page.get_by_role("radio", name="view 2").click()
    expect(page.get_by_text("Parts in view 2")).to_be_visible()
    fits_before_a_room(page, "canvas.weights", "canvas.errors", ".course table")


def test_the_app_says_when_the_printed_rule_raises_the_objective(page: Page) -> None:
    open_page(page, f"{_ADDRESS}&views.sulf.rule=printed&views.sulf.beta=1e%2B08")
    flag = page.get_by_role("alert").filter(has_text="The objective rose at iteration")
    expect(flag).to_be_visible()
    expect(flag).to_contain_text("The printed rule does not guarantee descent")
    # Errors of a billion per cent would not fit beside the axis.
    expect(page.locator("canvas.errors")).to_have_attribute("data-axis", "powers of ten")
    expect(page.locator("canvas.weights")).to_have_attribute("data-axis", "percent")


def test_one_click_from_pictures_to_three_views_and_on_to_the_contest(page: Page) -> None:
    open_page(page, "/views?data=swimmer")
    expect(page.get_by_text("is seen in one way only")).to_be_visible()
    page.get_by_role("button", name="Swimmer: pixels, textures and edges as three views").click()
    expect(page.get_by_role("cell", name="edges")).to_be_visible()
    sidebar = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Views")
    expect(sidebar).to_have_value("Pixels, textures and edges")
    page.get_by_role("button", name="Compare them").click()
    rows = page.locator(".root[data-known]")
    expect(rows).not_to_have_attribute("data-known", "0")
    page.get_by_role("button", name="clusters: NMI").click()
    expect(rows).to_have_attribute("data-measure", "nmi")
    expect(page.get_by_role("cell", name="SULF₂ · textures")).to_be_visible()
