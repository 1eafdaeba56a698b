"""Every lesson in a browser, from its first step to its last: by mouse, by keys, by touch on a telephone.

What a step asks for is really done wherever that takes a moment; the numbers that lessons promise are checked
without a browser, over three seeds (`tests/ui/teaching/test_effects.py`). With `--every-hand` each lesson is
walked by all three, which takes two minutes more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scripts.app_server import Server
from tests.browser.conftest import PHONE, WIDE, open_page, settle, visiting, wait_for
from ui.teaching.catalogue import all_lessons
from ui.teaching.lesson import Amount, LessonStep, OneOf, Sketch, Spot

Hand = Literal["mouse", "keys", "touch"]
WALKS: dict[Hand, tuple[str, ...]] = {
    "mouse": ("parts", "how_many", "kernel", "faster"),
    "keys": ("explode", "junk", "sparser", "topics", "flattered"),
    "touch": ("travel", "patch", "luck", "unlabelled"),
}


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).press("Enter")


def typed(label: str, *values: str) -> Callable[[Page], None]:
    """Have numbers typed for a parameter, each when the run with the one before is over."""

    def act(page: Page) -> None:
        for value in values:
            before = page.locator(".root[data-elapsed]").get_attribute("data-run")
            page.get_by_label(f"{label}, as a number").fill(value)
            page.keyboard.press("Enter")
            page.locator(f".root[data-elapsed]:not([data-run='{before}'])").wait_for()

    return act


def neighbours(key: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("slider", name="Neighbours (p)").press(key)


def without_parts(page: Page) -> None:
    nmf = page.locator(".basis", has_text="NMF").last
    expect(nmf).to_have_attribute("data-state", "done")
    nmf.get_by_role("button", name="All off").click()


def seed(value: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        offered = page.get_by_role("button", name=f"Set the seed to {value}")
        if "embed=true" in page.url:  # There is no sidebar.
            offered.click()
            return
        expect(offered).to_be_hidden()
        page.get_by_role("spinbutton", name="Seed").fill(value)
        page.keyboard.press("Enter")

    return act


def lever(measure: str, value: str, patch: str = "") -> Callable[[Page], None]:
    """Have a slider below the face moved, of a kind of patch."""

    def act(page: Page) -> None:
        if patch:
            page.get_by_role("radio", name=patch).or_(
                page.get_by_role("button", name=patch, exact=True)
            ).click()
            settle(page)
        page.locator(f".root [data-of={measure}]").fill(value)

    return act


# What a step asks for, by lesson and step; for those left out it takes long, and one goes on without.
ACTS: dict[tuple[str, int], Callable[[Page], None]] = {
    ("parts", 1): without_parts,
    ("how_many", 0): run,
    ("how_many", 1): typed("Parts (k)", "9", "12"),
    ("luck", 0): seed("1"),
    ("luck", 1): seed("2"),
    ("explode", 0): run,
    ("explode", 1): run,
    ("explode", 2): run,
    ("patch", 0): lever("left", "3"),
    ("patch", 2): lever("amount", "16"),
    ("patch", 3): lever("amount", "24", patch="grey"),
    ("kernel", 1): lever("amount", "40"),
    ("flattered", 0): lambda page: page.get_by_role("button", name="Start", exact=True).press("Enter"),
    ("travel", 1): neighbours("Home"),
    ("travel", 2): neighbours("End"),
}


def press(target: Locator, hand: Hand) -> None:
    """Use a button as this visitor does."""
    if hand == "keys":
        target.press("Enter")
    else:
        target.click()


def predict(guide: Locator, step: LessonStep, hand: Hand) -> None:
    if isinstance(step.predict, OneOf):
        press(guide.get_by_role("button", name=step.predict.answer, exact=True), hand)
    elif isinstance(step.predict, Sketch):
        points = guide.get_by_role("slider")
        for place in range(len(step.predict.places)):
            points.nth(place).press("PageUp" if place else "PageDown")
        press(guide.get_by_role("button", name="That is my sketch"), hand)
    elif isinstance(step.predict, Spot):
        press(guide.get_by_role("button", name=step.predict.answer[0], exact=True), hand)
    elif isinstance(step.predict, Amount):
        press(guide.get_by_role("button", name="That is my guess"), hand)
    if step.predict is not None:
        expect(guide).to_contain_text("You said")


def looks_right(page: Page, guide: Locator, hand: Hand) -> None:
    """The guide stands beside the page, on a telephone below it, and nothing is wider than the screen."""
    box: Any = guide.bounding_box()
    screen = PHONE if hand == "touch" else WIDE
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    if hand == "touch":
        assert box["y"] > PHONE["height"] / 2
        assert box["width"] == PHONE["width"]
        for menu in ("stSidebar", "stExpandSidebarButton"):  # It is embedded here.
            expect(page.get_by_test_id(menu)).to_be_hidden()
        # Nothing of Streamlit's lies over the title.
        page.locator("h1").first.click(trial=True)
        return
    title: Any = page.locator("h1").first.bounding_box()
    assert title["x"] + title["width"] <= box["x"], "the guide covers none of the page"


def walk(page: Page, id: str, hand: Hand) -> None:
    lesson = all_lessons()[id]
    open_page(
        page, f"/{lesson.steps[0].page}?lesson={id}&step=1" + ("&embed=true" if hand == "touch" else "")
    )
    guide = page.locator(".st-key-lesson_guide")
    for number, step in enumerate(lesson.steps):
        expect(guide).to_contain_text(f"step {number + 1} of {len(lesson.steps)}")
        wait_for(page, f"location.pathname.endsWith('/{step.page}')")
        looks_right(page, guide, hand)
        predict(guide, step, hand)
        act = ACTS.get((id, number))
        if act is not None:
            act(page)
        if act is not None or step.done is None:
            expect(guide.locator(".st-key-lesson_reveal")).to_contain_text(step.reveal.split("*")[0])
        if number == len(lesson.steps) - 1:
            break
        if hand == "keys":
            page.locator("h1").first.click()  # The focus is nowhere, and the arrows turn the pages.
            page.keyboard.press("ArrowRight")
        else:
            guide.locator(".st-key-lesson_next").get_by_role("button").click()
    if act is not None:
        expect(guide).to_contain_text("You can now say")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Have each lesson walked by one hand, or by every hand."""
    if "hand" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-hand")
        walks = [(hand, id) for hand, ids in WALKS.items() for id in (all_lessons() if every else ids)]
        metafunc.parametrize(("hand", "id"), walks)


def test_a_lesson_is_walked_from_its_first_step_to_its_last(
    browser: Browser, server: Server, hand: Hand, id: str
) -> None:
    how: dict[str, Any] = {"has_touch": True, "is_mobile": True} if hand == "touch" else {}
    with visiting(browser, server, PHONE if hand == "touch" else WIDE, **how) as page:
        walk(page, id, hand)


def test_every_lesson_is_walked() -> None:
    assert sorted(id for ids in WALKS.values() for id in ids) == sorted(all_lessons())
