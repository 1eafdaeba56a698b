"""Runs outlive the page: listed, compared, shared, taken away, brought in, and resumed after a crash."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from scripts.app_server import Server, serving
from tests.browser.conftest import open_page, visiting
from tests.waiting import until

SMALL = "/live?data.orl.size=16&method=nmf"
ENDED = ".root[data-status='max_iter'], .root[data-status='done']"


def run_once(page: Page, path: str) -> None:
    open_page(page, path)
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(ENDED).first.wait_for()


def wait_for_iteration(page: Page, wanted: int) -> None:
    view = page.locator(".root[data-iteration]").first
    until(lambda: int(view.get_attribute("data-iteration") or 0) >= wanted, "the run does not get on")


def rows(page: Page) -> list[str]:
    page.locator(".runs tbody tr").first.wait_for()
    return page.locator(".runs tbody tr .name").all_inner_texts()


def test_list_compare_share_take_away(page: Page, browser: Browser, server: Server, tmp_path: Path) -> None:
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

    with visiting(browser, server) as other:
        open_page(other, "/runs")
        expect(other.get_by_text("Every run you start on")).to_be_visible()
        other.get_by_text("Shared shelf").click()
        assert rows(other) == ["Twelve <b>parts</b>"]
        other.locator(".runs .name").first.click()
        expect(other.get_by_role("button", name="Delete")).to_have_count(0)
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


def test_a_killed_server_loses_no_finished_run_and_the_other_resumes(
    browser: Browser, tmp_path: Path
) -> None:
    with visiting(browser, None) as page:
        _killed_and_resumed(page, tmp_path)


def _killed_and_resumed(page: Page, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        run_once(page, f"{server.url}{SMALL}&live.nmf.max_iter=25")
        finished = re.search(r"[?&]run=([\w-]+)", page.url)
        assert finished
        endless = "&live.nmf.max_iter=5000&live.nmf.tol=0&live.nmf.solver=multiplicative&pace=50"
        open_page(page, f"{server.url}{SMALL}{endless}")
        page.get_by_role("button", name="Run", exact=True).click()
        wait_for_iteration(page, 150)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    with serving(tmp_path) as server:
        open_page(page, f"{server.url}/runs")
        expect(page.locator(".runs tr[data-status='interrupted']")).to_have_count(1)
        expect(page.locator(".runs tr[data-status='max_iter']")).to_have_count(1)
        page.locator(".runs tr[data-status='interrupted'] .name").click()
        expect(page.get_by_text(re.compile(r"go on from iteration \d\d"))).to_be_visible()
        page.get_by_role("button", name="Resume").click()
        page.locator(".root[data-status='running']").wait_for()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.locator(".root[data-status='stopped']").wait_for()
        page.get_by_role("link", name="Runs", exact=True).click()
        expect(page.locator(".runs tr[data-status='stopped']")).to_have_count(1)
        expect(page.locator(".runs tr[data-status='interrupted']")).to_have_count(0)
        # The finished one is shown from the store, without being run again.
        open_page(page, f"{server.url}{SMALL}&live.nmf.max_iter=25&run={finished[1]}")
        page.locator(".root[data-status='max_iter'][data-iteration='25']").wait_for()


def test_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    run_once(page, f"{SMALL}&live.nmf.max_iter=20")
    open_page(page, "/runs")
    page.locator(".runs.narrow .name").first.click()
    expect(page.get_by_role("button", name="Open in Live run")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 2
