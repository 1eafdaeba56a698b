"""Lessons in a browser: by mouse beside the page, by keyboard below it on a telephone, embedded."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from scripts.app_server import Server
from tests.browser.conftest import PHONE, open_page, settle, visiting, wait_for
from ui.teaching.catalogue import all_lessons


def test_a_part_is_switched_off_and_the_lesson_has_seen_it(page: Page) -> None:
    step = all_lessons()["parts"].steps[1]
    open_page(page, "/live?lesson=parts&step=2")
    wait_for(page, "location.pathname.endsWith('/bases')")
    guide = page.locator(".st-key-lesson_guide")
    guide.get_by_role("button", name="The figure without that limb").click()
    expect(guide).to_contain_text("Not done yet")
    nmf = page.locator(".basis", has_text="NMF").last
    expect(nmf).to_have_attribute("data-state", "done")
    nmf.get_by_role("button", name="All off").click()
    expect(guide.locator(".st-key-lesson_reveal")).to_contain_text("Just as you said")
    expect(guide).to_contain_text(step.reveal)
    # The control in question is framed, and the guide covers none of the page.
    framed = page.locator(".st-key-bases-view")
    assert framed.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    beside = guide.bounding_box() or {}
    assert (framed.bounding_box() or {})["x"] + (framed.bounding_box() or {})["width"] <= beside["x"]


def test_a_lesson_is_walked_by_keyboard_on_a_telephone_in_somebody_elses_page(
    browser: Browser, server: Server
) -> None:
    with visiting(browser, server, PHONE) as page:
        open_page(page, "/graphs?lesson=travel&step=2&embed=true")
        guide = page.locator(".st-key-lesson_guide")
        expect(guide).to_contain_text("step 2 of 3")
        assert not page.locator('[data-testid="stSidebar"]').is_visible()
        assert not page.locator('[data-testid="stExpandSidebarButton"]').is_visible()
        page.keyboard.press("ArrowRight")
        expect(guide).to_contain_text("step 3 of 3")
        wait_for(page, "location.search.includes('step=3') && location.search.includes('embed=true')")
        slider = page.get_by_role("slider", name="Neighbours (p)")
        slider.focus()
        slider.press("End")
        expect(guide.locator(".st-key-lesson_reveal")).to_contain_text("Everybody is reached")
        expect(guide).to_contain_text("step 3 of 3")
        expect(guide).to_contain_text("You can now say")
        # An arrow that a slider needs does not turn the page.
        slider.press("ArrowLeft")
        settle(page)
        expect(guide).to_contain_text("step 3 of 3")
        box = guide.bounding_box() or {}
        assert box["y"] > PHONE["height"] / 2
        assert box["width"] == PHONE["width"]
