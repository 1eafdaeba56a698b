"""Bring your own data, as a visitor does: a .mat with pixels by columns, corrected, used, run; and erased."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Locator, Page, expect

from scripts.app_server import SETTLED, Server
from tests.browser.conftest import settle, visiting
from tests.datasets.upload_files import faces, mat

OpenPage = Callable[[Page, str], Page]


def chosen_data(page: Page) -> Locator:
    return page.locator('[data-testid="stSidebar"]').get_by_role("combobox", name="Data", exact=True)


def test_a_file_is_understood_corrected_used_and_run_survives_a_reload_and_is_nobody_elses(
    page: Page, open_page: OpenPage, tmp_path: Path, browser: Browser, server: Server
) -> None:
    # Faces in a MATLAB file, their pixels column by column.
    pictures, people = faces()
    path = tmp_path / "my faces.mat"
    path.write_bytes(mat(fea=pictures.transpose(0, 2, 1).reshape(len(pictures), -1), gnd=people))
    open_page(page, "/data?look=own")
    page.locator('input[type="file"]').set_input_files(path)
    expect(page.get_by_role("button", name="Use these data")).to_be_visible()
    settle(page)
    expect(page.get_by_text("Pictures 32 high and 32 wide, stored column by column")).to_be_visible()
    page.get_by_text("Turn the pictures: rows for columns").click()
    expect(page.get_by_text("stored row by row, as asked")).to_be_visible()
    page.get_by_text("Turn the pictures: rows for columns").click()
    expect(page.get_by_text("stored column by column")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Use these data").click()
    expect(page.get_by_text("40 pictures of 20 classes")).to_be_visible()
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")
    page.wait_for_url("**upload-**")
    link = page.url

    page.get_by_role("link", name="Live run").click()
    settle(page)
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".root[data-elapsed]").wait_for()
    settle(page)
    assert page.locator('[data-testid="stAlert"]').count() == 0

    page.reload()
    page.wait_for_selector(SETTLED)
    expect(chosen_data(page)).to_have_value("my faces.mat (yours)")
    with visiting(browser, server) as stranger:
        open_page(stranger, link)
        expect(stranger.get_by_text("This link names uploaded data.")).to_be_visible()
        expect(chosen_data(stranger)).to_have_value(re.compile("^ORL faces"))


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
