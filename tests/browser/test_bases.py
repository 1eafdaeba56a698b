"""The Bases page in a browser: sort, look closer, switch parts off, keep it, take it away."""

from __future__ import annotations

import csv
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import fits_before_a_room, give_time, open_page, settle, wait_for
from tests.waiting import until
from ui.param_slider import FOLLOWING


def bases(page: Page, query: str = "data=swimmer", count: int = 3) -> Page:
    open_page(page, f"/bases?data.orl.size=16&{query}")
    expect(page.locator(".basis[data-state=done]")).to_have_count(count)
    return page


def error(column: Locator) -> float:
    return float(column.get_attribute("data-error") or "nan")


def wait_for_error(column: Locator, above: float) -> float:
    until(lambda: error(column) > above, "nothing was switched off")
    return error(column)


def tips(page: Page, column: int) -> list[float]:
    """Walk over the first parts of a sheet with the arrow keys and read their sparsity."""
    picture = page.locator("canvas.picture").nth(column)
    picture.focus()
    found = []
    for _ in range(8):
        picture.press("ArrowRight")
        text = page.locator(".tip").nth(column).inner_text()
        found.append(float(text.split("sparsity ")[1].split()[0]))
    picture.evaluate("element => element.blur()")
    return found


def test_sorted_by_sparsity(page: Page) -> None:
    bases(page)
    page.locator('[data-testid="stSelectbox"]', has_text="Order").locator("input").click()
    with page.expect_response(lambda answer: "order=sparsity" in answer.url):
        page.get_by_role("option", name="sparsest first").click()

    def sorted_by_sparsity() -> bool:
        sparsity = tips(page, 1)
        return len(set(sparsity)) > 3 and sparsity == sorted(sparsity, reverse=True)

    until(sorted_by_sparsity, "the parts are not in the order asked for")
    fits_before_a_room(page, "canvas.picture", ".whole canvas", ".total canvas", ".term canvas")


def test_parts_are_switched_off_and_stay_off_after_a_reload(page: Page) -> None:
    bases(page, "data=swimmer&compare=nmf,n2s2l", 2)
    column = page.locator(".basis").first
    expect(column.locator(".words-of")).to_contain_text("All 17 parts together")
    whole, picture = error(column), column.locator("canvas.picture")
    picture.click(position={"x": 10, "y": 10})
    expect(column.locator(".who")).to_contain_text("Used most by")
    assert error(column) == whole, "the first click only looks closer"
    column.get_by_role("button", name="All off").click()
    wait_for_error(column, 0.99)
    column.get_by_role("button", name="All on").click()
    until(lambda: error(column) <= whole, "not all are on again")
    page.locator(".basis").nth(1).get_by_role("button", name="Only U¹").click()
    less = wait_for_error(page.locator(".basis").nth(1), whole + 0.1)
    page.get_by_role("button", name="Next sample").click()
    # Both the second sample and the parts that are off.
    wait_for(page, r"/bases\.look=[^&]*~1~[^&]*n2s2l/.test(decodeURIComponent(location.search))")
    page.reload()
    column = page.locator(".basis").nth(1)
    wait_for_error(column, 0.01)
    expect(column.locator(".words-of")).to_contain_text("The 4 left on")
    expect(page.locator(".which")).to_contain_text("picture 2")
    assert abs(error(column) - less) < 1


def test_parts_follow_the_number_of_parts_while_it_is_held_and_are_as_before_if_it_goes_back(
    page: Page,
) -> None:
    bases(page, "data=swimmer&compare=pca,nmf", 2)
    columns, slider = page.locator(".basis"), page.get_by_role("slider", name="Number of parts (k)")
    facts, told = (columns.first.locator(place).inner_text() for place in (".mean", ".facts"))
    slider.focus()
    page.keyboard.down("ArrowRight")
    for column in columns.all():
        expect(column).to_have_attribute("data-followed", "1")
        expect(column.locator(".facts")).to_have_text(FOLLOWING)
    page.keyboard.press("Escape")
    expect(page.locator(".basis.following")).to_have_count(0)
    expect(columns.first.locator(".mean")).to_have_text(facts)
    expect(columns.first.locator(".facts")).to_have_text(told)
    page.keyboard.up("ArrowRight")
    assert "k=" not in page.url
    slider.press("ArrowRight")
    wait_for(page, "location.search.includes('k=18')")
    expect(page.locator(".basis[data-state=done]:not(.following)")).to_have_count(2)
    expect(columns.first.locator(".words-of")).to_contain_text("All 18 parts together")


def test_nothing_jumps_when_the_parts_are_there(page: Page) -> None:
    open_page(page, "/bases?data.orl.size=16&compare=nmf,lda&seed=7")
    below = page.get_by_text("How sparse is each part?")
    below.wait_for()
    page.locator(".basis").nth(1).wait_for()
    give_time(page, 5)
    early = [round(box["y"]) for box in (below.bounding_box(), page.locator(".facts").first.bounding_box())]
    expect(page.locator(".basis[data-state=done]")).to_have_count(2)
    page.locator(".js-plotly-plot").first.wait_for()
    settle(page)
    late = [round(box["y"]) for box in (below.bounding_box(), page.locator(".facts").first.bounding_box())]
    assert late == early
    expect(page.locator(".basis").nth(1).locator(".words-of")).to_contain_text("looks for directions")


def test_the_numbers_taken_away_are_those_of_the_parts(page: Page, tmp_path: Path) -> None:
    bases(page, "data=wine&compare=nmf&k=3", 1)
    # The page hears later than the view that the parts are there; until then the last Download is a chart's.
    page.get_by_role("heading", name="Take the parts away").wait_for()
    settle(page)
    page.locator("[data-testid=stPopover] button").filter(has_text="Download").last.click()
    with page.expect_download() as told:
        page.get_by_role("button", name="Numbers (CSV)").click()
    assert told.value.suggested_filename == "nmf-wine-k3-seed0.csv"
    told.value.save_as(tmp_path / "parts.csv")
    with (tmp_path / "parts.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:2] == ["part", "alcohol"]
    assert len(rows) == 3
    assert all(float(value) >= 0 for row in rows for value in row[1:])
    assert "pixel" not in page.locator("[data-testid=stMain]").inner_text()


def test_words_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    bases(page, "data=wine&compare=nmf,n2s2l", 2)
    expect(page.locator(".basis").first.locator(".topic")).not_to_have_count(0)
    page.locator(".topic").first.click()
    expect(page.locator(".who").first).to_contain_text("Used most by")
    expect(page.locator(".users-place li").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
