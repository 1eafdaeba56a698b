"""Every method of the registry opens in Methods and in Bases, on data that fit it, in a telephone's width."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.requests.library import method_specs
from scripts.app_server import Server
from tests.browser.conftest import PHONE, open_page, visiting
from ui.handbook import miniature
from ui.method_menu import FAMILIES

SPECS = method_specs()


@pytest.fixture(scope="module")
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """One page for all methods: it is the same visitor who looks at one after the other."""
    with visiting(browser, server, PHONE) as page:
        yield page


def pill(page: Page, group: str, name: str) -> None:
    buttons = page.locator('[data-testid="stButtonGroup"]', has_text=group)
    button = buttons.get_by_role("radio", name=name, exact=True)
    if button.get_attribute("aria-checked") != "true":
        button.click()


def too_wide(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# By family, so that most methods are one click away from the one before.
@pytest.mark.parametrize("method", sorted(SPECS, key=lambda name: list(FAMILIES).index(SPECS[name].family)))
def test_methods(phone: Page, method: str) -> None:
    spec = SPECS[method]
    if "/methods" not in phone.url:
        open_page(phone, "/methods")
    members = sum(other.family == spec.family for other in SPECS.values())
    pill(phone, "Family", f"{FAMILIES[spec.family].capitalize()} ({members})")
    pill(phone, "Method", spec.title)
    expect(phone.get_by_role("heading", level=2).first).to_have_text(spec.title)
    expect(phone.locator("[data-testid=stMain] .katex").first).to_be_visible()
    expect(phone.locator(".katex-error")).to_have_count(0)
    player = phone.locator(".root[data-state=ready]")
    expect(player.locator("figcaption")).to_have_text(miniature.in_words(spec, miniature.request(method)))
    assert too_wide(phone) <= 2
    # Long formulas are cut into lines, so that nothing of one has to be pushed into sight.
    hidden = phone.evaluate(
        """[...document.querySelectorAll('[data-testid=stMain] .katex')].filter((formula) => {
          const line = formula.closest('p');
          return line.scrollWidth > line.clientWidth + 1;
        }).length"""
    )
    assert hidden == 0


@pytest.mark.parametrize("method", sorted(SPECS))
def test_bases(phone: Page, method: str) -> None:
    data = miniature.request(method).dataset
    open_page(phone, f"/bases?data={data}&labelled=5&compare={method}")
    column = phone.locator(".basis")
    expect(column).to_have_count(1)
    expect(column.locator(".title")).to_have_text(SPECS[method].title)
    if "components" in SPECS[method].gives:
        expect(phone.locator(".basis[data-state=done]")).to_have_count(1)
        expect(column.locator(".mean")).to_contain_text("mean sparsity")
    else:
        expect(column.locator(".note")).to_contain_text("finds no parts")
    expect(column.locator(".note.wrong")).to_have_count(0)
    assert too_wide(phone) <= 2
