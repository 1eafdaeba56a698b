"""A patch dragged, pulled and pushed over a face in a real browser, and whom the methods then see."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from experiments import RunRequest, occlude
from experiments.engine.run import Run
from experiments.measures.recognition import nearest_with_margin
from scripts.app_server import SETTLED, Server
from tests.browser.conftest import PHONE, fits_before_a_room, give_time, open_page, visiting
from tests.waiting import until

SIZE = 32
METHODS = ("pca", "lda")
_ADDRESS = f"/occlusion?data.orl.size={SIZE}&recognisers={','.join(METHODS)}"


def ready(page: Page, path: str = _ADDRESS) -> Page:
    """Open the page and wait until all methods have said something."""
    open_page(page, path)
    cards = page.locator(".card[data-right]")
    expect(cards).to_have_count(len(METHODS))
    expect(cards.first).to_be_visible()  # The style sheet is there as well.
    return page


def place(page: Page) -> dict[str, int]:
    """Where the patch is, as the sliders say."""
    values = page.locator(".sliders input").evaluate_all(
        "inputs => inputs.map((input) => [input.dataset.of, Number(input.value)])"
    )
    return {"size" if name == "amount" else name: value for name, value in values}


def settled(page: Page) -> None:
    """Wait until the latest question is answered."""
    root = page.locator(".root[data-drawn]")
    until(lambda: root.evaluate("root => root.dataset.drawn === root.dataset.asked"))


def on_face(page: Page, x: float, y: float) -> tuple[float, float]:
    """The point of the screen where a pixel of the face is."""
    box = page.locator("canvas.face").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"] / SIZE, box["y"] + y * box["height"] / SIZE


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*on_face(page, *start))
    page.mouse.down()
    page.mouse.move(*on_face(page, *end), steps=6)
    page.mouse.up()


@cache
def fitted(method: str, seed: int = 0) -> Run:
    """The same run as the page's, in this process."""
    split = {"labelled_per_class": 2, "held_out_per_class": 4}
    run = Run(RunRequest("orl", method, dataset_options={"size": SIZE}, split=split, seed=seed))
    while run.advance():
        pass
    return run


def said_by_methods(method: str, row: int, kind: Any, patch: dict[str, int]) -> tuple[str, float]:
    """Whom a method takes a covered face for, by its own transform, and its margin."""
    now = fitted(method).prepared
    face = now.ds.X[row : row + 1]
    covered = occlude(face, (SIZE, SIZE), patch["size"], kind, 0, position=(patch["top"], patch["left"]))
    known = now.y_partial >= 0
    found = nearest_with_margin(
        now.estimator.transform(now.X[known]), now.y_partial[known], now.estimator.transform(covered)
    )
    code = now.y_partial[known][found.index[0]]
    return now.ds.target_names[code], float(found.margin[0] / found.distance[0])


def says_margin(card: Locator, margin: float) -> bool:
    return float(card.get_attribute("data-margin") or -1) == pytest.approx(margin, rel=2e-2, abs=1e-3)


def panel_is_right(page: Page, kind: str) -> None:
    """The persons in the panel are those that `methods` finds for the same pixels."""
    settled(page)
    row, patch = int(page.locator(".root[data-row]").get_attribute("data-row") or -1), place(page)
    for method in METHODS:
        name, margin = said_by_methods(method, row, kind, patch)
        card = page.locator(f".card[data-method='{method}']")
        expect(card).to_have_attribute("data-person", name)
        until(partial(says_margin, card, margin), f"not by the margin of {margin}, for {method}")
        truth = f"Person {row // 10 + 1}"
        expect(card).to_have_attribute("data-right", str(name == truth).lower())


def test_the_person_in_the_panel_is_the_one_the_methods_find(page: Page) -> None:
    ready(page)
    answers_are_two_beside_each_other(page)
    for kind in ("grey", "noise", "piggy bank"):
        page.get_by_role("radio", name=kind, exact=True).click()
        panel_is_right(page, kind)
        drag(page, (16, 16), (12, 9))
        panel_is_right(page, kind)
        seen = page.locator(".root[data-row]").get_attribute("data-row")
        page.get_by_role("button", name="The next face").click()
        settled(page)
        assert page.locator(".root[data-row]").get_attribute("data-row") != seen
        panel_is_right(page, kind)


def answers_are_two_beside_each_other(page: Page) -> None:
    cards = page.locator(".card")
    for width in (390, 1280, 1360):
        page.set_viewport_size({"width": width, "height": 850})
        give_time(page, 10)
        boxes = cards.evaluate_all("cards => cards.map((c) => c.getBoundingClientRect()).map((b) => b.top)")
        assert boxes[0] == boxes[1], width


def test_the_mouse_drags_the_patch_and_pulls_its_corners(page: Page) -> None:
    ready(page)
    assert place(page) == {"size": 10, "left": 11, "top": 11}
    before = page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()")
    drag(page, (16, 16), (20, 13))
    assert place(page) == {"size": 10, "left": 15, "top": 8}
    assert page.locator("canvas.face").evaluate("canvas => canvas.toDataURL()") != before
    drag(page, (25, 18), (29, 22))
    assert place(page) == {"size": 14, "left": 15, "top": 8}
    drag(page, (15, 8), (18, 11))
    assert place(page) == {"size": 11, "left": 18, "top": 11}
    drag(page, (25, 16), (60, 60))
    assert place(page) == {"size": 11, "left": 21, "top": 21}, "it stays on the face"
    drag(page, (5.7, 5.7), (8.7, 8.7))
    assert place(page) == {"size": 11, "left": 3, "top": 3}, "it comes to where one presses"
    fits_before_a_room(page, "canvas.face", ".sliders", ".card canvas", ".whole canvas", ".total canvas")


def test_the_patch_follows_at_once_even_if_the_server_says_nothing(untouched_page: Page) -> None:
    page = untouched_page
    page.route_web_socket(re.compile("/partwise/robustness/"), lambda socket: _once(socket))
    open_page(page, _ADDRESS)
    page.locator(".root[data-drawn]").wait_for()
    drag(page, (16, 16), (8, 8))
    assert place(page) == {"size": 10, "left": 3, "top": 3}
    middle = (
        "canvas => [...canvas.getContext('2d').getImageData(canvas.width / 4, canvas.height / 4, 1, 1).data]"
    )
    red, green, blue, _ = page.locator("canvas.face").evaluate(middle)
    assert red == green == blue
    assert abs(red - 128) <= 1, "grey where the patch is now"
    assert page.locator(".root[data-drawn]").evaluate("root => root.dataset.drawn < root.dataset.asked")


def _once(socket: Any) -> None:
    """Let one question through and swallow the others."""
    server, asked = socket.connect_to_server(), []

    def forward(message: Any) -> None:
        asked.append(message)
        if len(asked) == 1:
            server.send(message)

    socket.on_message(forward)


def test_keys_move_and_resize_and_reach_everything(page: Page) -> None:
    ready(page)
    curves_fill_in_and_the_present_size_is_read_off(page)
    a_map_shows_for_each_method_where_the_patch_hurts(page)
    page.locator("canvas.face").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowLeft", "+", "+", "-"):
        page.keyboard.press(key)
    assert place(page) == {"size": 11, "left": 8, "top": 12}
    for _ in range(20):
        page.keyboard.press("-")
    assert place(page)["size"] == 0
    panel_is_right(page, "grey")
    page.keyboard.press("+")
    label = page.locator("canvas.face").get_attribute("aria-label") or ""
    assert "grey patch of 1 by 1 pixels" in label
    page.keyboard.press("Tab")
    slider = page.locator("input:focus, button:focus")
    expect(slider).to_have_attribute("data-of", "amount")
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    assert place(page)["size"] == 8
    for _ in range(3):
        page.keyboard.press("Tab")
    row = page.locator(".root[data-row]").get_attribute("data-row")
    expect(page.locator("input:focus, button:focus")).to_have_attribute("aria-label", "The face before")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator(".root[data-row]").get_attribute("data-row") != row
    panel_is_right(page, "grey")


def curves_fill_in_and_the_present_size_is_read_off(page: Page) -> None:
    page.locator(".curves[data-complete='true']").wait_for(timeout=250_000)
    row = page.locator("table tr").nth(1)
    expect(row).to_contain_text("0×0")
    share = np.mean([recognised(fitted("pca", seed)) for seed in range(5)])
    expect(row).to_contain_text(f"{100 * share:.0f} %")
    expect(page.locator(".legend")).to_contain_text("at 10")
    page.locator("canvas.face").focus()
    for _ in range(8):
        page.keyboard.press("-")
    expect(page.locator(".legend")).to_contain_text("at 2")
    for _ in range(8):
        page.keyboard.press("+")


def a_map_shows_for_each_method_where_the_patch_hurts(page: Page) -> None:
    maps = page.locator(".maps canvas")
    expect(maps).to_have_count(2)
    said = re.compile(r"PCA: between \d+ % and \d+ % recognised")
    expect(maps.first).to_have_attribute("aria-label", said)
    expect(page.locator(".places .progress")).to_contain_text("10 by 10 pixels")
    maps.first.hover()
    expect(page.locator(".maps output").first).to_contain_text(
        re.compile(r"\d+ % with the patch \d+ from the left")
    )
    page.locator("canvas.face").focus()
    page.keyboard.press("+")
    expect(page.locator(".places .progress")).to_contain_text("11 by 11 pixels")
    page.keyboard.press("-")


def test_a_finger_drags_and_pulls_and_the_page_does_not_scroll(browser: Browser, server: Server) -> None:
    with visiting(browser, server, PHONE, has_touch=True, is_mobile=True) as page:
        ready(page)
        page.locator("canvas.face").scroll_into_view_if_needed()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 2
        touch = page.context.new_cdp_session(page)
        top = _scrolled(page)
        _swipe(page, touch, (16, 16), (10, 19))
        until(lambda: place(page) == {"size": 10, "left": 5, "top": 14})
        _swipe(page, touch, (15, 24), (19, 28))
        until(lambda: place(page) == {"size": 14, "left": 5, "top": 14})
        assert _scrolled(page) == top
        panel_is_right(page, "grey")


def _scrolled(page: Page) -> float:
    box = page.locator("canvas.face").bounding_box()
    assert box is not None
    return box["y"]


def _swipe(page: Page, touch: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    for step, kind in ((0.0, "touchStart"), (0.5, "touchMove"), (1.0, "touchMove"), (1.0, "touchEnd")):
        at = on_face(page, *(np.array(start) + step * (np.array(end) - np.array(start))))
        points = [] if kind == "touchEnd" else [{"x": at[0], "y": at[1]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_the_address_keeps_the_patch_and_a_reload_finds_it(page: Page) -> None:
    ready(page)
    drag(page, (16, 16), (12, 12))
    here = place(page)
    wanted = f"place=47%2C{here['left']}%2C{here['top']}%2C{here['size']}"
    page.wait_for_url(re.compile(re.escape(wanted)))
    page.get_by_role("radio", name="strawberry", exact=True).click()
    page.wait_for_url(re.compile(re.escape("patch=strawberry")))
    assert place(page) == here
    page.reload()
    page.wait_for_selector(SETTLED)
    expect(page.locator(".card[data-right]")).to_have_count(2)
    assert place(page) == here
    panel_is_right(page, "strawberry")
    choosing_another_method_adds_its_card(page)


def recognised(run: Run) -> float:
    """The share of held-out faces, uncovered, that a run recognises."""
    now = run.prepared
    known = now.y_partial >= 0
    train, labels = now.estimator.transform(now.X[known]), now.y_partial[known]
    found = nearest_with_margin(train, labels, now.estimator.transform(now.unseen))
    return float(np.mean(labels[found.index] == now.ds.y[now.rows.held_out]))


def choosing_another_method_adds_its_card(page: Page) -> None:
    page.get_by_role("combobox", name="Methods").click()
    page.get_by_role("option", name="NMF · non-negative parts", exact=True).click()
    expect(page.locator(".card[data-method='nmf'][data-right]")).to_be_visible()
    expect(page.locator(".headline")).to_contain_text(re.compile("recognise"))
    assert _labelled(page.locator(".card canvas")) == 6


def _labelled(pictures: Locator) -> int:
    """How many pictures have words for those who cannot see them."""
    return int(pictures.evaluate_all("all => all.filter((one) => one.getAttribute('aria-label')).length"))
