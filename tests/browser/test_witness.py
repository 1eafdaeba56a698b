"""What goes wrong in a page without showing on it fails the test in which it does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from scripts.app_server import Server
from tests.browser.conftest import visiting

ELSEWHERE = "http://elsewhere.example/"


@pytest.mark.parametrize("bypass_csp", [False, True])
@pytest.mark.parametrize(
    "deed",
    [
        f"fetch('{ELSEWHERE}').catch(() => null)",
        "fetch('http://192.0.2.1/elsewhere').catch(() => null)",
        f"navigator.sendBeacon('{ELSEWHERE}')",
        f"new Promise((done) => {{ new WebSocket('{ELSEWHERE.replace('http', 'ws')}').onerror = done; }})",
        f"new Promise((done) => {{ Object.assign(new Image(), {{ src: '{ELSEWHERE}', onerror: done }}); }})",
        "fetch('/partwise/kept/elsewhere/3')",
        "console.warn('elsewhere')",
    ],
)
def test_it_is_noticed(browser: Browser, server: Server, deed: str, bypass_csp: bool) -> None:
    with pytest.raises(AssertionError, match=r"elsewhere|192\.0\.2\.1"):
        do(deed, browser, server, bypass_csp)


def do(deed: str, browser: Browser, server: Server, bypass_csp: bool) -> None:
    with visiting(browser, server, bypass_csp=bypass_csp) as page:
        page.goto("/_stcore/health")
        page.evaluate(f"async () => {{ await {deed}; }}")
        for _ in range(2):
            page.evaluate("() => new Promise(requestAnimationFrame)")
