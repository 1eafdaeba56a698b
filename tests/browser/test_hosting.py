"""Behind a real nginx, below a path, in another site's frame: with the settings in docs/hosting.md."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments.engine.service import UNWATCHED
from scripts import nginx
from scripts.app_server import Server, free_port, serving
from tests.browser.conftest import SETTLED, visiting
from tests.browser.test_server import watch
from tests.waiting import until
from ui.web.headers import EMBED_ORIGINS
from ui.web.sockets import UNKNOWN_RUN


def port(server: Server) -> int:
    return urlsplit(server.url).port or 0


def lively(page: Page, address: str) -> None:
    """Visit a page that watches a run and one that talks to the server; both must be alive."""
    page.goto(f"{address}/live?data.orl.size=16&method=pca")
    page.wait_for_selector(SETTLED)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".root[data-frames]")).to_be_visible()
    page.goto(f"{address}/occlusion?data.orl.size=16&recognisers=pca")
    expect(page.locator(".headline").filter(has_text="recognise")).to_be_visible()
    # Nothing is asked any more when nginx or the server goes away.
    page.goto("about:blank")


def named(address: str, name: str) -> str:
    """What is at 127.0.0.1 is always answered, as by Streamlit: visit it under another name."""
    return address.replace("127.0.0.1", name)


def test_behind_nginx(browser: Browser, server: Server) -> None:
    with (
        nginx.before([port(server)], nginx.settings("Behind nginx")) as address,
        visiting(browser, server) as page,
    ):
        lively(page, named(address, "app.localhost"))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server below a path that has been told under which name it is visited, and who may frame it."""
    settings = {
        "STREAMLIT_SERVER_BASE_URL_PATH": "lab",
        "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "http://lab.localhost",
        EMBED_ORIGINS: "nonsense; script-src *, http://other.localhost:*",
        UNWATCHED: "10",
    }
    with serving(tmp_path_factory.mktemp("told"), **settings) as server:
        yield server


def test_below_a_path_our_own_pages_may_ask_for_a_run(told: Server) -> None:
    assert watch(told, "unknown", told.url.removesuffix("/lab")) == UNKNOWN_RUN


def test_below_a_path_and_behind_nginx_that_does_not_say_the_host(browser: Browser, told: Server) -> None:
    """One behind the other at the same place, so that the browser loads the scripts of the app only once."""
    place = free_port()
    with visiting(browser, told) as page:
        for title in ("Below a path", "Behind a proxy that does not pass the host on"):
            with nginx.before([port(told)], nginx.settings(title), place) as address:
                lively(page, f"{named(address, 'lab.localhost')}/lab")


def test_pages_that_are_not_named_are_told_why_their_sockets_are_refused(untouched_page: Page) -> None:
    page = untouched_page
    page.clock.install()
    attempts: list[str] = []
    page.on("websocket", lambda socket: attempts.append(socket.url) if "/partwise/" in socket.url else None)
    page.goto("/live?data=iris&method=pca")
    page.wait_for_selector(SETTLED)
    page.route_web_socket(
        "**/partwise/live/**", lambda socket: socket.close(code=4403, reason="Not from here.")
    )
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Not from here.")).to_be_visible()
    before = len(attempts)
    page.clock.fast_forward(60_000)
    assert len(attempts) == before, "it must not be tried again and again"


def framed(browser: Browser, app: Server) -> str:
    """Return what another site sees of the app in a frame, or why it sees nothing."""
    text = f'<iframe src="{app.url}/?embed=true" width=900 height=700></iframe>'
    block = f"server {{ listen 80; location / {{ default_type text/html; return 200 '{text}'; }} }}"
    with nginx.before([], block) as site, browser.new_context() as context:
        page = context.new_page()
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text) if "fram" in message.text else None)
        page.goto(named(site, "other.localhost"))
        heading = page.frame_locator("iframe").get_by_role("heading", level=1)
        until(lambda: refused or heading.count() or page.wait_for_timeout(20))
        return refused[0] if refused else heading.inner_text()


def test_other_sites_frame_it_only_if_named(browser: Browser, server: Server, told: Server) -> None:
    assert "frame-ancestors" in framed(browser, server)
    assert framed(browser, told) == "What is a picture made of?"


def test_every_answer_says_what_browsers_may_do_with_it(server: Server) -> None:
    for path in ("/", "/live", "/_stcore/health", "/partwise/patch/grey?height=9&width=9", "/start"):
        with urllib.request.urlopen(server.url + path) as answer:
            told = answer.headers
        assert told["X-Content-Type-Options"] == "nosniff"
        assert told["Referrer-Policy"] == "same-origin"
        assert "frame-ancestors" in told["Content-Security-Policy"]
        assert "unsafe-eval" not in told["Content-Security-Policy"]
        assert "script-src 'self' blob: 'sha256-" in told["Content-Security-Policy"] or "/partwise/" in path
