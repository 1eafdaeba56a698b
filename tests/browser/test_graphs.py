"""The map of samples in a real browser: pointed at, walked over with keys, its labels played like a film."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, WIDE, fits_before_a_room, give_time, open_page, settle

_ADDRESS = "/graphs?data=iris&graph.places=pca"


def ready(page: Page, path: str = _ADDRESS) -> Locator:
    """Open the page and return the first map once its graph is drawn."""
    open_page(page, path)
    expect(page.locator(".root[data-edges]").first).not_to_have_attribute("data-edges", "0")
    expect(page.get_by_text("worked out…")).to_have_count(0)
    root = page.locator(".root[data-edges]").first
    expect(root.locator("canvas.points")).to_be_visible()  # The style sheet is there as well.
    return root


def edges(root: Locator) -> int:
    return int(root.get_attribute("data-edges") or 0)


def test_the_map_is_opened_on_a_phone_pointed_at_played_and_drawn_anew(page: Page) -> None:
    page.set_viewport_size(PHONE)
    root = ready(page)
    fits_a_phone(page)
    page.set_viewport_size(WIDE)
    settle(page)
    a_point_says_who_it_is_and_shows_its_neighbours(page, root)
    labels_spread_over_two_graphs_together(page)
    more_neighbours_draw_more_edges(page, root)


def fits_a_phone(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
    canvas = page.locator("canvas.points").first.bounding_box()
    assert canvas is not None
    assert canvas["x"] >= 0
    assert canvas["x"] + canvas["width"] <= 390


def a_point_says_who_it_is_and_shows_its_neighbours(page: Page, root: Locator) -> None:
    canvas, over = root.locator("canvas.points"), root.locator("canvas.over")
    assert "150 samples, 6 labelled" in (canvas.get_attribute("aria-label") or "")
    plain = over.evaluate("canvas => canvas.toDataURL()")
    canvas.focus()
    canvas.press("ArrowRight")
    tip = root.locator(".tip")
    expect(tip).to_contain_text("neighbours")
    first = tip.inner_text()
    assert over.evaluate("canvas => canvas.toDataURL()") != plain, "edges and neighbours light up"
    canvas.press("ArrowRight")
    assert tip.inner_text() != first
    canvas.evaluate("canvas => canvas.blur()")
    expect(tip).to_be_hidden()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for step in range(40):
        if tip.is_visible():
            break
        page.mouse.move(box["x"] + box["width"] * (0.3 + step / 100), box["y"] + box["height"] / 2)
    expect(tip).to_contain_text("neighbours")


def labels_spread_over_two_graphs_together(page: Page) -> None:
    films = page.locator(".film:not([hidden])")
    expect(films).to_have_count(2)
    first, second = films.nth(0), films.nth(1)
    expect(first.locator("output")).to_contain_text("Round 0: 6 of 150 have a label")
    canvas = page.locator("canvas.points").nth(1)
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    first.get_by_role("button", name="Step").click()
    expect(first.locator("output")).to_contain_text("Round 1:")
    expect(second.locator("output")).to_contain_text("Round 1:")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before
    second.get_by_role("button", name="Play").click()
    expect(first.locator("output")).to_contain_text("Round 4:")
    # Both films run: both say so, and either stops both.
    expect(second.get_by_role("button", name="Pause")).to_be_visible()
    first.get_by_role("button", name="Pause").click()
    expect(films.get_by_role("button", name="Play")).to_have_count(2)
    stopped = second.locator("output").inner_text()
    give_time(page, 60)
    assert second.locator("output").inner_text() == stopped
    first.get_by_role("button", name="Reset").click()
    expect(second.locator("output")).to_contain_text("Round 0:")
    assert canvas.evaluate("canvas => canvas.toDataURL()") == before


def more_neighbours_draw_more_edges(page: Page, root: Locator) -> None:
    few = edges(root)
    slider = page.get_by_role("slider", name="Neighbours (p)")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowRight")
    expect(page.get_by_role("columnheader", name="p = 7")).to_be_visible()
    expect(root).not_to_have_attribute("data-edges", str(few))
    fits_before_a_room(page, ".st-key-map-iris canvas.points", ".st-key-graph_facts table")
    assert edges(root) > few


def test_nothing_runs_over_the_edge_and_a_long_legend_says_so(page: Page) -> None:
    ready(page, "/graphs?data.orl.size=16&graph.places=pca")
    for width in (390, 1280, 1360):
        page.set_viewport_size({"width": width, "height": 850})
        give_time(page, 10)
        fits(page)


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 2
    for wide in (
        page.locator(".st-key-graph_facts .stMarkdownContainer").first,
        page.locator(".stMain").get_by_role("radiogroup"),
    ):
        for box in wide.all():
            assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 1
    legend = page.locator(".legend").first
    shown = "(box) => box.scrollHeight <= box.clientHeight"
    assert not legend.evaluate(shown)
    page.get_by_role("button", name="Show all 40").click()
    assert legend.evaluate(shown)
    page.get_by_role("button", name="Show fewer").click()
    assert not legend.evaluate(shown)
