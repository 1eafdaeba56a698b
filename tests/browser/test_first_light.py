"""What a person does on the first day, in a real browser."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import cycle

from playwright.sync_api import Page, TimeoutError, expect

from scripts.app_server import SETTLED
from tests.browser.conftest import LONG, give_time, open_page, settle
from tests.waiting import until


def iteration(page: Page) -> int:
    return int(page.locator(".root[data-iteration]").first.get_attribute("data-iteration") or 0)


def pixels(page: Page) -> str:
    """What is painted on the canvas with the parts."""
    return str(page.locator("canvas.parts-canvas").first.evaluate("canvas => canvas.toDataURL()"))


def has_status(page: Page, status: str) -> None:
    page.locator(f".root[data-status='{status}']").first.wait_for()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def small(page: Page, path: str = "/live", **choices: str) -> Page:
    """Open a page on small pictures, so that nothing takes long."""
    wanted = {"data.orl.size": "16"} | choices
    return open_page(page, f"{path}?" + "&".join(f"{name}={value}" for name, value in wanted.items()))


# From before anything is drawn: where the first door has been, in pixels from the title.
DOOR = """
window.doors = new Set();
(function look() {
  const buttons = [...document.querySelectorAll("button")];
  const door = buttons.find((one) => one.textContent.startsWith("Explore faces"));
  const title = document.querySelector("h1"), at = door && title && door.offsetParent &&
    door.getBoundingClientRect().top - title.getBoundingClientRect().top;
  if (at) window.doors.add(Math.round(at));
  requestAnimationFrame(look);
})();
"""


def test_start_shows_a_figure_coming_apart_and_nothing_jumps(page: Page) -> None:
    page.add_init_script(DOOR)
    # What was recorded needs no worker, and says what it is.
    page.route(re.compile(r"/partwise/strip/"), lambda route: None)
    open_page(page, "/")
    expect(page.get_by_role("heading", level=1)).to_have_text("What is a picture made of?")
    page.locator(".root[data-shown='110']").wait_for()
    expect(page.locator(".opening .said")).to_contain_text("recorded · step 110")
    expect(page.locator(".opening .said")).to_contain_text("slowed down")
    expect(page.get_by_test_id("stSidebar").get_by_text("Seed")).to_have_count(0)
    assert len(page.evaluate("[...window.doors]")) == 1, "the doors have moved"
    parts, total = page.locator(".terms button"), page.locator(".strip-view .total figcaption")
    whole = total.inner_text()
    limb = parts.first
    expect(limb).to_have_attribute("aria-pressed", "true")
    limb.press("Enter")
    expect(limb).to_have_attribute("aria-pressed", "false")
    expect(total).to_contain_text("without 1 of 5")
    limb.click()
    expect(total).to_have_text(whole)
    page.locator(".glossary").get_by_role("button", name="weight").click()
    expect(page.locator(".glossary .meaning")).to_have_text("weight: How much of a part is in a sample.")


def test_the_real_run_takes_over_from_the_recording(page: Page) -> None:
    open_page(page, "/")
    expect(page.locator(".opening .said")).to_contain_text("live · step 110")
    page.get_by_role("button", name="Another figure").click()
    expect(page.locator(".terms button")).not_to_have_count(0)
    page.get_by_role("radio", name="Faces").click()
    has_status(page, "running")
    first, seen = pixels(page), iteration(page)
    until(lambda: iteration(page) > seen + 3 and pixels(page) != first, "the faces do not move")


def test_run_pause_step_stop_reset(page: Page) -> None:
    small(page, **LONG)
    press(page, "Run")
    has_status(page, "running")
    press(page, "Pause")
    has_status(page, "paused")
    settle(page)
    stands = iteration(page)
    give_time(page)
    assert iteration(page) == stands, "a paused run does not move"
    press(page, "Step")
    page.locator(f".root[data-iteration='{stands + 1}']").wait_for()
    press(page, "Run")
    has_status(page, "running")
    until(lambda: iteration(page) > stands + 1, "it does not go on")
    press(page, "Stop")
    has_status(page, "stopped")
    stands = iteration(page)
    give_time(page)
    assert iteration(page) == stands, "a stopped run does not move"
    press(page, "Reset")
    expect(page.locator(".invitation")).to_be_visible()


def test_a_refusal_is_a_sentence_in_a_box(page: Page) -> None:
    small(page, **{"live.n2s2l.n_components": "10"})
    press(page, "Run")
    box = page.get_by_role("alert")
    expect(box).to_contain_text("must be smaller than Parts (k) = 10")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_run_is_promised_looked_back_on_and_there_after_a_reload(page: Page) -> None:
    # A run that nobody knows is an invitation.
    small(page, method="nmf", run="made-up", **{"live.nmf.max_iter": "200", "live.nmf.tol": "0"})
    expect(page.locator(".invitation")).to_be_visible()
    # What will be seen is said where it will be seen, and makes room for it.
    promises = page.locator(".promise")
    for words in ("The objective", "All samples as points", "One sample, rebuilt"):
        expect(promises.filter(has_text=words)).to_be_visible()
    press(page, "Run")
    page.locator(".root[data-status='max_iter'][data-elapsed]").wait_for()
    for place in promises.all():
        expect(place).to_be_hidden()
    scrubbing_back_shows_what_was(page)
    reload_keeps_the_run_and_the_choices(page)


def scrubbing_back_shows_what_was(page: Page) -> None:
    expect(page.locator(".slowed"), "a quick run is shown once more, slowly").to_be_hidden()
    page.locator(".root[data-shown='200']").wait_for()
    end = pixels(page)
    slider = page.locator(".timeline input")
    slider.focus()
    slider.press("Home")
    page.locator(".root[data-shown='0']").wait_for()
    expect(page.locator(".timeline output")).to_have_text("iteration 0")
    until(lambda: pixels(page) != end, "the picture is still that of the end")
    press(page, "Live")
    until(lambda: pixels(page) == end, "Live does not come back to the present")


def reload_keeps_the_run_and_the_choices(page: Page) -> None:
    address = page.url
    assert re.search(r"[?&]run=[\w-]+", address)
    page.reload()
    page.wait_for_selector(SETTLED)
    page.locator(".root[data-iteration='200']").wait_for()
    assert page.url == address
    page.get_by_role("link", name="Methods", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What does each method do?")
    page.get_by_role("link", name="Live run", exact=True).click()
    page.locator(".root[data-iteration='200']").wait_for()


def test_data_page_explains_a_sample(page: Page) -> None:
    small(page, "/data")
    picture = page.locator("canvas.picture")
    tip = page.locator(".tip")
    places = cycle((8, 9))

    def point() -> None:
        # Playwright may have scrolled it below the bar while the page was still growing.
        picture.evaluate("one => one.scrollIntoView({ block: 'center' })")
        place = next(places)
        with suppress(TimeoutError):
            picture.hover(position={"x": place, "y": place}, timeout=2_000)

    # Until the picture listens, a mouse that moves over it is told nothing.
    until(lambda: tip.is_visible() or point(), "the picture says nothing")
    expect(tip).to_contain_text("Person 1")


def test_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, "/")
    page.locator(".root[data-shown]").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
