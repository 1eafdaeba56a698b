"""Ten labels given by clicking on faces, what N²S²L makes of them, and the way back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scripts.app_server import Server
from tests.browser.conftest import PHONE, WIDE, open_page, settle, visiting, wait_for

_ADDRESS = "/recognition?data.orl.size=16&labelled=1&recognition.part=label"
_COLUMNS, _FACES = 20, 360
# Faces spread over the people; the first of them are those whom the method takes for somebody else.
_CLICKED = (0, 2, 40, 42, 80, 120, 160, 200, 240, 300)


def recognised(page: Page) -> float:
    """The share recognised, in percent, once it is known."""
    expect(metric(page, 0)).to_have_text(re.compile(r"\d%$"))
    expect(page.get_by_text("is taking your labels in…")).to_have_count(0)
    return float(metric(page, 0).inner_text().rstrip("%"))


def metric(page: Page, number: int) -> Locator:
    return page.locator("[data-testid=stMetricValue]").nth(number)


def click_face(page: Page, number: int) -> None:
    picture = page.locator("canvas.picture").first
    box = picture.bounding_box()
    assert box is not None
    side = box["width"] / _COLUMNS
    row, column = divmod(number, _COLUMNS)
    picture.click(position={"x": (column + 0.5) * side, "y": (row + 0.5) * side})


def test_ten_labels_by_clicking_raise_accuracy_and_undo_takes_them_back(
    page: Page, browser: Browser, server: Server
) -> None:
    open_page(page, _ADDRESS)
    before = recognised(page)
    page.get_by_text("Gallery", exact=True).click()
    page.locator("canvas.picture").first.wait_for()
    for count, face in enumerate(_CLICKED, 1):
        click_face(page, face)
        expect(page.get_by_text(re.compile(rf"^{count} pictures? chosen"))).to_be_visible()
    page.get_by_role("button", name="Give the true class").click()
    expect(metric(page, 1)).to_have_text("10")
    expect(page.locator("[data-testid=stMetricDelta]")).to_contain_text("points")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("50 of them labelled")
    after = recognised(page)
    print(f"N²S²L recognises {before} % before, {after} % with ten labels given by clicking")
    assert after > before
    gained = page.locator("[data-testid=stMetricDelta]").inner_text()
    assert re.search(r"\+\d", gained), "more of the very same pictures are recognised"
    the_link_says_the_same(page, browser, server, before)
    page.get_by_role("button", name="Undo").click()
    expect(metric(page, 1)).to_have_text("0")
    expect(metric(page, 0)).to_have_text(f"{before}%")
    expect(page.get_by_test_id("stSidebar")).to_contain_text("40 of them labelled")


def the_link_says_the_same(page: Page, browser: Browser, server: Server, before: float) -> None:
    """Somebody else's browser, which has never been here."""
    wait_for(page, "new URLSearchParams(location.search).has('labels')")
    with visiting(browser, server) as elsewhere:
        open_page(elsewhere, page.url)
        expect(metric(elsewhere, 1)).to_have_text("10")
        expect(elsewhere.get_by_test_id("stSidebar")).to_contain_text("50 of them labelled, 10 by hand")
        assert recognised(elsewhere) > before


def test_several_points_of_the_map_get_a_new_name(page: Page) -> None:
    page.set_viewport_size(PHONE)
    open_page(page, "/recognition?data=iris&labelled=1&recognition.part=label")
    recognised(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
    page.set_viewport_size({"width": 1440, "height": 1300})
    settle(page)
    canvas = page.locator("canvas.points")
    root = page.locator(".root[data-chosen]")
    expect(root).not_to_have_attribute("data-edges", "0")
    page.get_by_role("button", name="Draw around several").click()
    box = canvas.bounding_box()
    assert box is not None
    corners = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    expect(root).to_have_attribute("data-chosen", "150")
    expect(page.get_by_text("147 samples chosen")).to_be_visible()
    page.get_by_role("button", name="Choose none").click()
    expect(page.get_by_text("Nothing is chosen yet")).to_be_visible()
    canvas.focus()
    for _ in range(3):
        canvas.press("ArrowRight")
    canvas.press(" ")
    expect(root).to_have_attribute("data-chosen", "1")
    expect(page.get_by_text("1 sample chosen")).to_be_visible()
    box = page.locator('[data-testid="stSelectbox"]', has_text="Class").last.locator("input")
    box.fill("my own")
    box.press("Enter")
    give = page.get_by_role("button", name="Give this class")
    expect(give).to_be_enabled()
    give.click()
    expect(metric(page, 1)).to_have_text("1")
    expect(page.locator(".legend").get_by_role("button", name="my own")).to_be_visible()
    page.reload()
    expect(metric(page, 1)).to_have_text("1")
    page.get_by_role("button", name="Undo").click()
    expect(metric(page, 1)).to_have_text("0")


def test_on_a_phone_faces_are_large_enough_to_be_touched_and_a_known_one_gives_the_name(page: Page) -> None:
    said = []
    for screen, columns in ((PHONE, 14), (WIDE, _COLUMNS)):
        page.set_viewport_size(screen)
        open_page(page, f"{_ADDRESS}&label.look=gallery")
        recognised(page)
        picture = page.locator("canvas.picture").first
        box = picture.bounding_box()
        assert box is not None
        side = box["width"] / columns
        assert side >= 24
        assert box["height"] == pytest.approx(-(-_FACES // columns) * side, rel=0.03)
        row, column = divmod(47, columns)
        picture.click(position={"x": (column + 0.5) * side, "y": (row + 0.5) * side})
        expect(page.get_by_text("1 picture chosen")).to_be_visible()
        said.append(page.locator(".tip:visible").first.inner_text())
    assert said[0] == said[1], "the same face is at the same place in the row"
    click_face(page, 47)
    expect(page.get_by_text("1 picture chosen")).to_be_hidden()
    a_known_face_that_looks_like_it_gives_the_name(page)


def a_known_face_that_looks_like_it_gives_the_name(page: Page) -> None:
    click_face(page, 40)
    expect(page.get_by_text("The people most like it, the nearest first")).to_be_visible()
    known = page.locator("canvas.picture").nth(2)
    expect(known).to_be_visible()
    box = known.bounding_box()
    assert box is not None
    place = {"x": box["width"] * 1.5 / 6, "y": box["height"] / 2}
    known.hover(position=place)
    tip = page.locator(".tip:visible", has_text="Person").last
    name = tip.inner_text()
    known.click(position=place)
    expect(page.locator('[data-testid="stSelectbox"]', has_text="Class").last.locator("input")).to_have_value(
        name
    )
    page.get_by_role("button", name="Give this class").click()
    expect(metric(page, 1)).to_have_text("1")
