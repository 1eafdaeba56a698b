"""Runs outlive the page: listed, compared, shared, taken away, brought in."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from scripts.app_server import Server
from tests.browser.conftest import PHONE, open_page, visiting

SMALL = "/live?data.orl.size=16&method=nmf"
ENDED = ".root[data-status='max_iter'], .root[data-status='done']"


def run_once(page: Page, path: str) -> None:
    open_page(page, path)
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(ENDED).first.wait_for()


def rows(page: Page) -> list[str]:
    page.locator(".runs tbody tr").first.wait_for()
    return page.locator(".runs tbody tr .name").all_inner_texts()


def test_list_compare_share_take_away_on_a_telephone_too(
    page: Page, browser: Browser, server: Server, tmp_path: Path
) -> None:
    run_once(page, f"{SMALL}&live.nmf.max_iter=32&live.nmf.n_components=8")
    run_once(page, f"{SMALL}&live.nmf.max_iter=32&live.nmf.n_components=12")
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What have I tried?")
    expect(page.locator(".runs tbody tr")).to_have_count(2)
    expect(page.locator(".runs .params").first).to_have_text("k 12 · accelerated")
    for box in page.locator(".runs .box").all():
        box.click()
    expect(page.get_by_role("heading", name="2 runs compared")).to_be_visible()
    expect(page.locator(".compared tbody tr", has_text="Parts (k)")).to_have_text("Parts (k)128")
    expect(page.locator(".js-plotly-plot .scatterlayer .trace")).to_have_count(2)

    page.locator(".runs .name").first.click()
    page.get_by_label("Name", exact=True).fill("Twelve <b>parts</b>")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.locator(".runs .name").first).to_have_text("Twelve <b>parts</b>")
    page.get_by_text("On the shared shelf").click()
    expect(page.locator(".runs .tag")).to_have_text("on the shelf")
    compared = page.url
    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as bundle:
        page.get_by_role("button", name="Bundle").click()
    path = tmp_path / "run.zip"
    bundle.value.save_as(path)

    with visiting(browser, server, PHONE) as other:
        open_page(other, "/runs")
        expect(other.get_by_text("Every run you start on")).to_be_visible()
        other.get_by_text("Shared shelf").click()
        assert rows(other) == ["Twelve <b>parts</b>"]
        other.locator(".runs.narrow .name").first.click()
        expect(other.get_by_role("button", name="Open in Live run")).to_be_visible()
        expect(other.get_by_role("button", name="Delete")).to_have_count(0)
        width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert other.evaluate(width) <= 2
        other.get_by_role("button", name="Open in Live run").click()
        other.locator(".root[data-status='max_iter'][data-iteration='32']").wait_for()
        other.goto(compared)
        expect(other.get_by_role("heading", name="Twelve")).to_be_visible()
        other.get_by_text("Bring in a bundle").click()
        other.locator("input[type=file]").set_input_files(path)
        expect(other.get_by_text("1 run brought in")).to_be_visible()
        assert rows(other) == ["Twelve <b>parts</b>"]

    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".runs tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".runs tbody tr")).to_have_count(2)
