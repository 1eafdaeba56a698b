"""Reading documents as a person does: topics, a document, a search, labels that steer, undo."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import open_page

SMALL = "/documents?data=docstrings&data.docstrings.vocabulary=500&documents.k=8"


def settled(page: Page) -> Locator:
    """The page's component when its run has ended."""
    root = page.locator(".root[data-shown]")
    expect(root).to_have_attribute("data-status", re.compile("done|max_iter"))
    return root


def test_faces_are_met_with_an_invitation_then_read_search_label_and_undo(page: Page) -> None:
    open_page(page, SMALL.replace("data=docstrings", "data=iris"))
    page.get_by_role("button", name="Read these").first.click()
    root = settled(page)
    assert "data=docstrings" in page.url
    expect(page.locator(".topic")).to_have_count(8)
    expect(page.locator(".docs .reader .text mark").first).to_be_visible()

    # The number of topics: they follow while it is held, and are as before if it goes back.
    slider, facts = page.get_by_role("slider", name="Number of topics"), page.locator(".docs .facts")
    before = facts.inner_text()
    slider.focus()
    page.keyboard.down("ArrowRight")
    expect(root).to_have_attribute("data-followed", "1")
    expect(page.locator(".topic")).to_have_count(9)
    expect(facts).to_contain_text("Follows your hand")
    page.keyboard.press("Escape")
    expect(page.locator(".topic")).to_have_count(8)
    expect(facts).to_have_text(before)
    page.keyboard.up("ArrowRight")

    # A topic: its documents, the words of it lit up in the one that is open.
    topic = page.locator(".topic").nth(3)
    name = topic.locator(".topic-title").inner_text()
    topic.click()
    expect(page.locator(".shelf h2")).to_have_text(f"Documents with most of “{name}”")
    page.locator(".documents .document").nth(1).click()
    expect(page.locator(".reader h2")).to_have_text(page.locator(".document-title").nth(1).inner_text())
    first = name.split(", ")[0]
    expect(
        page.locator(".reader .text mark", has_text=re.compile(first, re.IGNORECASE)).first
    ).to_be_visible()
    # Whatever a text holds, it is text: nothing in it has become an element of the page.
    assert set(page.locator(".reader .text *").evaluate_all("all => all.map(e => e.tagName)")) <= {
        "MARK",
        "P",
        "SPAN",
    }

    # Search answers while one types, by keyboard as well.
    page.get_by_label("Find a word or a document").fill("matri")
    expect(page.locator(".found-word b").first).to_have_text("matrix")
    page.keyboard.press("Enter")
    expect(page.locator(".shelf h2")).to_have_text("Found: “matri”")

    # Labels: several at once, a new class; the run goes on from where it was.
    run = root.get_attribute("data-shown")
    for box in page.locator(".documents input").all()[:4]:
        box.check()
    page.get_by_label("Class for the ticked documents").fill("matrices <b>&amp;")
    page.get_by_role("button", name="Give 4 documents this class").click()
    expect(root).not_to_have_attribute("data-shown", run or "")
    settled(page)
    row = page.locator(".heat tbody tr", has_text="matrices <b>&amp;")
    expect(row.locator("td.count").first).to_have_text("4 ✎")
    row.get_by_role("button", name="matrices <b>&amp;").click()
    expect(page.locator(".documents li")).to_have_count(4)

    # They outlive a reload, and can be taken back.
    page.reload()
    settled(page)
    expect(page.locator(".labeller")).to_contain_text("4 labelled by hand")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".heat tbody tr")).to_have_count(6)
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    settled(page)
    the_map_and_the_classes_are_walked_by_keyboard(page)


def the_map_and_the_classes_are_walked_by_keyboard(page: Page) -> None:
    page.locator(".map-place canvas").focus()
    page.keyboard.press("ArrowRight")
    tip = page.locator(".map-place .tip")
    expect(tip).to_be_visible()
    first = tip.inner_text()
    read = page.locator(".reader h2").inner_text()
    for _ in range(12):
        page.keyboard.press("ArrowDown")
    assert tip.inner_text() != first
    page.keyboard.press("Enter")
    expect(page.locator(".reader h2")).not_to_have_text(read)

    square = page.locator(".heat td[data-topic][tabindex='0']")
    expect(square).to_have_count(1)
    square.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(square).to_be_focused()
    said = square.get_attribute("title") or ""
    page.keyboard.press("Enter")
    expect(page.locator(".heat tr.picked")).to_have_count(1)
    expect(square).to_have_attribute("title", said)
    expect(square).to_be_focused()


def test_narrow_and_dark_with_two_texts_side_by_side(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    open_page(page, f"{SMALL}&documents.beside=parameters&documents.method=nmf")
    settled(page)
    expect(page.locator(".topic-head", has_text="parameters").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    cut = page.locator(".topic .word-name").evaluate_all(
        "all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length / all.length"
    )
    assert cut < 0.1, "words are readable"
    page.locator(".documents .document").nth(2).click()
    expect(page.locator(".texts .text")).to_have_count(2)
