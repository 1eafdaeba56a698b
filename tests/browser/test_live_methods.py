"""Every method of the registry on the live page: it opens, it runs to its end, nothing goes wrong unseen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.requests.library import method_specs
from scripts.app_server import Server
from tests.browser.conftest import open_page, visiting

SHORT = 8


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: Server) -> Iterator[Page]:
    """One window for all methods: opening one costs more than a short run."""
    with visiting(browser, server) as page:
        yield page


@pytest.mark.parametrize("method", sorted(method_specs()))
def test_every_method_opens_and_runs(visitor: Page, method: str) -> None:
    spec = method_specs()[method]
    data = {"data": "planted_views"} if "views" in spec.needs else {"data.orl.size": "16"}
    wanted = data | {"method": method, f"live.{method}.max_iter": str(SHORT)}
    if "max_iter" not in {param.name for param in spec.params}:
        del wanted[f"live.{method}.max_iter"]
    open_page(visitor, "/live?" + "&".join(f"{name}={value}" for name, value in wanted.items()))
    visitor.get_by_role("button", name="Run", exact=True).click()
    ended = visitor.locator(".root[data-status='done'], .root[data-status='max_iter']")
    ended.first.wait_for()
    expect(visitor.locator(".name")).to_have_text(spec.title)
    expect(visitor.get_by_role("alert")).to_have_count(0)
    assert visitor.locator(".state").inner_text() in ("settled", "solved", "all iterations made")
    caption = visitor.locator(".sample .who").text_content() or ""
    assert ("comes only near it" in caption) == (spec.family == "kernel"), caption
