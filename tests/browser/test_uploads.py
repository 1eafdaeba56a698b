"""Bring your own data, as a visitor does: a .mat with pixels by columns, corrected, used, run; and erased."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scripts.app_server import SETTLED, Server, serving
from tests.browser.conftest import settle, visiting
from tests.datasets.upload_files import faces, mat

OpenPage = Callable[[Page, str], Page]


@pytest.fixture(scope="module")
def by_columns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Faces in a MATLAB file, their pixels column by column."""
    pictures, people = faces()
    path = tmp_path_factory.mktemp("upload") / "my faces.mat"
    path.write_bytes(mat(fea=pictures.transpose(0, 2, 1).reshape(len(pictures), -1), gnd=people))
    return path


def hand_over(page: Page, path: Path) -> None:
    page.locator('input[type="file"]').set_input_files(path)
    expect(page.get_by_role("button", name="Use these data")).to_be_visible()
    settle(page)


def use(page: Page, path: Path) -> None:
    """Hand a file over and go on with it as it is understood."""
    hand_over(page, path)
    page.get_by_role("button", name="Use these data").click()
    page.wait_for_url("**upload-**")


def chosen_data(page: Page) -> Locator:
    return page.locator('[data-testid="stSidebar"]').get_by_role("combobox", name="Data", exact=True)


def test_a_file_is_understood_corrected_used_and_run(
    page: Page, open_page: OpenPage, by_columns: Path
) -> None:
    open_page(page, "/data?look=own")
    hand_over(page, by_columns)
    expect(page.get_by_text("Pictures 32 high and 32 wide, stored column by column")).to_be_visible()
    page.get_by_text("Turn the pictures: rows for columns").click()
    expect(page.get_by_text("stored row by row, as asked")).to_be_visible()
    page.get_by_text("Turn the pictures: rows for columns").click()
    expect(page.get_by_text("stored column by column")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("40 pictures of 20 classes")).to_be_visible()
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")

    page.get_by_role("link", name="Live run").click()
    settle(page)
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-elapsed]").wait_for()
    settle(page)
    assert page.locator('[data-testid="stAlert"]').count() == 0


def test_it_is_nobody_elses_and_survives_a_reload(
    page: Page, open_page: OpenPage, by_columns: Path, browser: Browser, server: Server
) -> None:
    open_page(page, "/data?look=own")
    use(page, by_columns)
    link = page.url
    page.reload()
    page.wait_for_selector(SETTLED)
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")

    with visiting(browser, server) as stranger:
        open_page(stranger, link)
        expect(stranger.get_by_text("This link names uploaded data.")).to_be_visible()
        expect(chosen_data(stranger)).to_have_value(re.compile("^ORL faces"))


def test_a_run_on_it_comes_back_on_another_server(
    page: Page, open_page: OpenPage, by_columns: Path, browser: Browser, tmp_path: Path
) -> None:
    """Uploaded, run, bundled; brought in on a fresh server, which asks for the file; the same page again."""
    open_page(page, "/data?look=own&method=nmf&live.nmf.max_iter=12&live.nmf.n_components=9")
    use(page, by_columns)
    page.get_by_role("link", name="Live run").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-status='max_iter'][data-iteration='12']").wait_for()
    here = what_is_shown(page)
    assert len(here["numbers"]) >= 2
    page.get_by_role("button", name="Take away").click()
    page.get_by_role("button", name="Keep on the Runs page").click()
    settle(page)
    page.get_by_role("link", name="Runs", exact=True).click()
    page.locator(".runs .name").first.click()
    page.get_by_role("button", name="Take away").click()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Bundle").click()
    bundle, other, same = (tmp_path / name for name in ("run.zip", "my faces.mat", "called otherwise.mat"))
    taken.value.save_as(bundle)
    other.write_bytes(by_columns.read_bytes() + b"\0")
    same.write_bytes(by_columns.read_bytes())

    with serving(tmp_path) as fresh, visiting(browser, None) as there:
        open_page(there, f"{fresh.url}/runs")
        there.get_by_text("Bring in a bundle").click()
        there.locator("input[type=file]").set_input_files(bundle)
        expect(there.get_by_text("1 run brought in")).to_be_visible()
        expect(there.get_by_text("which is not here now")).to_be_visible()
        expect(there.get_by_role("button", name="Open in Live run")).to_have_count(0)
        file = there.locator("input[type=file]:not([accept*=zip])")
        file.set_input_files(other)
        digests = [hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in (other, same)]
        said = re.compile(rf"begins with {digests[0]}, that of my faces.mat with {digests[1]}")
        expect(there.get_by_text(said)).to_be_visible()
        file.set_input_files(same)
        there.get_by_role("button", name="Open in Live run").click()
        there.locator(".root[data-status='max_iter'][data-iteration='12']").wait_for()
        assert what_is_shown(there) == here


def what_is_shown(page: Page) -> dict[str, Any]:
    """The data, the numbers of the method and where its run has ended."""
    settle(page)
    numbers = page.locator('[data-testid="stMain"]').get_by_label(re.compile("as a number$"))
    return {
        "data": chosen_data(page).input_value(),
        "rows": page.get_by_text(re.compile("of them labelled")).inner_text(),
        "iteration": page.locator(".root[data-status]").first.get_attribute("data-iteration"),
        "numbers": numbers.evaluate_all("all => all.map(one => one.value)"),
    }


def test_a_bad_file_is_a_sentence_and_the_data_in_use_stay(
    page: Page, open_page: OpenPage, tmp_path: Path
) -> None:
    bad = tmp_path / "faces.mat"
    bad.write_bytes(np.random.default_rng(0).bytes(5000))
    open_page(page, "/data?look=own&data=iris")
    page.locator('input[type="file"]').set_input_files(bad)
    expect(page.get_by_text("faces.mat is damaged, or not a .mat file")).to_be_visible()
    expect(page.get_by_text("The data in use stay as they were.")).to_be_visible()
    expect(page.get_by_text("150 samples of 3 species")).to_be_visible()
