"""One method of each kind on the pages that show any; the formulas of all of them on a telephone.

What differs from method to method within a kind is numbers and words: tests/ui reads those of every method
without a browser (`test_every_method_runs_on_the_live_page`, `test_every_method_shows_its_parts_or_says_...`,
`test_every_method_is_told_from_its_spec`, `test_the_small_run_is_small_and_makes_sense`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.requests.library import Spec, method_specs
from scripts.app_server import Server, serving
from tests.browser.conftest import PHONE, open_page, visiting
from ui.handbook import miniature
from ui.method_menu import FAMILIES

SPECS = method_specs()
SHORT = 8


def one_of_each(kind: Callable[[Spec], Hashable]) -> pytest.MarkDecorator:
    """Parametrise over one method of each kind, the first in the registry."""
    first = {kind(spec): spec.id for spec in reversed(SPECS.values())}
    return pytest.mark.parametrize("method", sorted(first.values()))


def iterates(spec: Spec) -> bool:
    return "max_iter" in {param.name for param in spec.params}


def data_of(spec: Spec) -> frozenset[str]:
    return frozenset(spec.needs & {"views", "tensor"})


def drawn(spec: Spec) -> Hashable:
    """What decides what of a run there is to draw, and how; of those that project, parts have either sign."""
    gives = frozenset(spec.gives & {"components", "embedding", "predict"})
    return gives, data_of(spec), iterates(spec), spec.family == "kernel"


@pytest.fixture(scope="module")
def visitor(browser: Browser, server: Server) -> Iterator[Page]:
    """One window for all methods: opening one costs more than a short run."""
    with visiting(browser, server) as page:
        yield page


@pytest.fixture(scope="module")
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    """One telephone for all methods: it is the same visitor who looks at one after the other."""
    with visiting(browser, server, PHONE) as page:
        yield page


def pill(page: Page, group: str, name: str) -> None:
    buttons = page.locator('[data-testid="stButtonGroup"]', has_text=group)
    button = buttons.get_by_role("radio", name=name, exact=True)
    if button.get_attribute("aria-checked") != "true":
        button.click()


def too_wide(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@one_of_each(drawn)
def test_it_opens_and_runs(visitor: Page, method: str) -> None:
    spec = SPECS[method]
    data = {"data": "planted_views"} if "views" in spec.needs else {"data.orl.size": "16"}
    wanted = data | {"method": method}
    if iterates(spec):
        wanted[f"live.{method}.max_iter"] = str(SHORT)
    open_page(visitor, "/live?" + "&".join(f"{name}={value}" for name, value in wanted.items()))
    visitor.get_by_role("button", name="Run", exact=True).click()
    ended = visitor.locator(".root[data-status='done'], .root[data-status='max_iter']")
    ended.first.wait_for()
    expect(visitor.locator(".name")).to_have_text(spec.title)
    expect(visitor.get_by_role("alert")).to_have_count(0)
    assert visitor.locator(".state").inner_text() in ("settled", "solved", "all iterations made")
    caption = visitor.locator(".sample .who").text_content() or ""
    assert ("comes only near it" in caption) == (spec.family == "kernel"), caption


@one_of_each(lambda spec: spec.family)
def test_methods(phone: Page, method: str) -> None:
    spec = SPECS[method]
    if "/methods" not in phone.url:
        open_page(phone, "/methods")
    members = sum(other.family == spec.family for other in SPECS.values())
    pill(phone, "Family", f"{FAMILIES[spec.family].capitalize()} ({members})")
    pill(phone, "Method", spec.title)
    expect(phone.get_by_role("heading", level=2).first).to_have_text(spec.title)
    expect(phone.locator("[data-testid=stMain] .katex").first).to_be_visible()
    player = phone.locator(".root[data-state=ready]")
    expect(player.locator("figcaption")).to_have_text(miniature.in_words(spec, miniature.request(method)))
    assert too_wide(phone) <= 2


@one_of_each(lambda spec: ("components" in spec.gives, data_of(spec)))
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


def test_every_formula_is_understood_and_fits_a_telephone(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, str(Path(__file__).with_name("every_formula.py"))) as server,
        visiting(browser, server, PHONE) as page,
    ):
        open_page(page)
        expect(page.locator("[class*=st-key-of-]")).to_have_count(len(SPECS))
        expect(page.locator("[class*=st-key-of-]:not(:has(.katex))")).to_have_count(0)
        # What KaTeX cannot read at all is marked; a command it does not know is printed in a colour.
        assert page.locator(".katex-error, .katex [mathcolor]").all_text_contents() == []
        assert too_wide(page) <= 2
        # Long formulas are cut into lines, so that nothing of one has to be pushed into sight.
        lines = page.locator("[data-testid=stMain] p:has(.katex)")
        cut = "all => all.filter(p => p.scrollWidth > p.clientWidth + 1).map(p => p.textContent)"
        assert lines.evaluate_all(cut) == []
