"""The app in a real browser: one server and one Chromium for all tests here, a fresh context each.

Both end with the last of these tests: Playwright keeps an event loop open, which others would stumble over.

A test takes `page` and calls `open_page(page, "/live")`. Whatever goes wrong unseen (an
error in the console, a failed request, a request that leaves the machine) fails the test
when it ends, and so does a warning or an error in the server's log when all have ended.
Chromium writes into the console of every request that fails, and finds no other machine
here: to be told of each of the hundred requests of a page would cost a tenth of opening it.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from experiments.engine.service import UNWATCHED
from scripts import chromium
from scripts.app_server import CHROMIUM_ARGUMENTS, SETTLED, Server, serving
from tests.waiting import PATIENCE, until

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PROJECTOR = {"width": 1280, "height": 720}
# As many iterations as the page takes, at fifty a second: on any machine it runs longer than a test looks.
LONG = {"live.n2s2l.max_iter": "5000", "live.n2s2l.tol": "0", "pace": "50"}
# No colour and no shade is on its way to another.
AT_REST = "document.getAnimations().every(one => !(one instanceof CSSTransition))"
# By which one sees that the page has taken the other theme.
BACKGROUND = "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
BAD_LOG_LINE = re.compile(r"warning|traceback|error|exception", re.IGNORECASE)

# A page opens with a sixth less of the processor's time without a process of its own for what is painted, and
# with another sixth less where scripts are compiled, but not for the hours that no test lasts.
# Names of other machines are not looked up, nor are their numbers asked.
ARGUMENTS = [
    *CHROMIUM_ARGUMENTS,
    "--in-process-gpu",
    "--js-flags=--no-opt --no-maglev",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
]

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, started as a reader starts it, on a free port and with an empty run store."""
    # What a test leaves under way would take the processor from those after it.
    with serving(tmp_path_factory.mktemp("server"), **{UNWATCHED: "10"}) as running:
        yield running
        log = running.log.read_text()
        assert running.process.poll() is None, f"The server ended during the tests. Its log:\n{log}"
    log = running.log.read_text()
    bad = [line for line in log.splitlines() if BAD_LOG_LINE.search(line)]
    assert not bad, f"The server's log has warnings or errors. The whole log:\n{log}"


@pytest.fixture(scope="package", autouse=True)
def half_requests(server: Server) -> Iterator[list[socket.socket]]:
    """Connections without a request and with half of one; the server's patience runs out beside the tests."""
    place = urlsplit(server.url)
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection((place.hostname, place.port), PATIENCE))
            for _ in range(2)
        ]
        lines[1].sendall(b"GET /partwise/cast/x HTTP/1.1\r\nHost: ")
        yield lines


@pytest.fixture(scope="package")
def browser(server: Server) -> Iterator[Browser]:
    """Chromium without a window. A machine without one fails here: these tests are not optional."""
    try:
        executable = chromium.find_headless()
    except chromium.ChromiumMissingError as error:
        pytest.fail(str(error))
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        _tabs[launched, server] = Tabs(launched, server)
        yield launched
        _tabs.clear()
        launched.close()


class Witness:
    """Notes what goes wrong in a page without showing on it."""

    def __init__(self, page: Page) -> None:
        self.complaints: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught in the page: {error}"))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _is_probe(message.location["url"]):
            self.complaints.append(f"console {message.type}: {message.text} ({message.location['url']})")


def _is_probe(url: str) -> bool:
    """Say whether this is Streamlit looking for its server.

    Opened at /live, the front end cannot know whether the app lives at / or at /live and
    asks under both; one of them is answered 404, always.
    """
    return bool(re.match(r"^/.+/_stcore/", urlsplit(url).path))


class Tabs:
    """Tabs that one test after another uses, each in a context of its own.

    A new tab would parse and compile the whole front end again, which takes longer than most tests. Between
    two tests everything is forgotten but the files of the app: cookies, storage, sizes, requests held up.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser, self._server = browser, server
        self._idle: list[tuple[dict[str, Any], Page, Witness]] = []

    @contextmanager
    def lend(self, viewport: Any, how: dict[str, Any]) -> Iterator[tuple[Page, Witness]]:
        """Hand out a tab that nobody uses, and take it back unless the test has failed."""
        page, witness = self._take(how)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=how.get("color_scheme", "light"))
        yield page, witness
        self._clear(page)
        self._idle.append((how, page, witness))

    def _take(self, how: dict[str, Any]) -> tuple[Page, Witness]:
        for number, (others, page, witness) in enumerate(self._idle):
            if others == how:
                del self._idle[number]
                witness.complaints.clear()
                return page, witness
        return _new_tab(self._browser, self._server, **how)

    def _clear(self, page: Page) -> None:
        page.unroute_all()
        if page.url.startswith(self._server.url):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.goto("about:blank")
        page.context.clear_cookies()


# Of the one browser and the one server that all tests here share.
_tabs: dict[tuple[Browser, Server], Tabs] = {}


def _new_tab(browser: Browser, server: Server | None, **how: Any) -> tuple[Page, Witness]:
    context = browser.new_context(base_url=server and server.url, **how)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    return page, Witness(page)


@contextmanager
def visiting(browser: Browser, server: Server | None, viewport: Any = WIDE, **how: Any) -> Iterator[Page]:
    """Somebody with a browser of their own; paths are relative to the app, if that is one and the same."""
    if server is not None and (tabs := _tabs.get((browser, server))):
        with tabs.lend(viewport, how) as (page, witness):
            yield page
            _ask(witness)
        return
    with _in_a_new_tab(browser, server, viewport=viewport, **how) as page:
        yield page


@contextmanager
def _in_a_new_tab(browser: Browser, server: Server | None, **how: Any) -> Iterator[Page]:
    page, witness = _new_tab(browser, server, **how)
    yield page
    page.context.close()
    # A server that comes and goes leaves requests unanswered.
    if server is not None:
        _ask(witness)


def _ask(witness: Witness) -> None:
    assert not witness.complaints, "The page looked well but was not:\n" + "\n".join(witness.complaints)


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of its own context, on a wide screen."""
    with visiting(browser, server) as page:
        yield page


@pytest.fixture(scope="module")
def window(browser: Browser, server: Server) -> Iterator[tuple[Page, Witness]]:
    """One tab for all tests of a file that share it."""
    with _tabs[browser, server].lend(WIDE, {}) as (page, witness):
        yield page, witness


@pytest.fixture
def shared_page(window: tuple[Page, Witness]) -> Iterator[Page]:
    """A page as the test before has left it, for tests to which that is as good as opening it anew."""
    page, witness = window
    yield page
    _ask(witness)


@pytest.fixture
def untouched_page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that nobody has used or will use: its clock may be stopped, its sockets led elsewhere."""
    with _in_a_new_tab(browser, server, viewport=WIDE) as page:
        yield page


def open_page(page: Page, path: str = "/") -> Page:
    """Go to a path of the app and wait until its script has run to the end."""
    page.goto(path)
    page.wait_for_selector(SETTLED)
    return page


def give_time(page: Page, rounds: int = 30) -> None:
    """Let what should not happen have its chance: so many answers of the server and pictures of the page."""
    page.evaluate(
        """async (rounds) => {
          for (let round = 0; round < rounds; round++) {
            await fetch("/_stcore/health", { cache: "no-store" });
            await new Promise(requestAnimationFrame);
          }
        }""",
        rounds,
    )


def wait_for(page: Page, expression: str) -> Any:
    """Wait until something holds in the page and return it.

    Playwright's own `wait_for_function` evaluates text within the page, which its security policy forbids.
    """
    value: Any = None

    def holds() -> bool:
        nonlocal value
        value = page.evaluate(expression)
        return bool(value)

    until(holds, f"it never held: {expression[:80]}")
    return value


def settle(page: Page) -> None:
    """Wait until the script that an action has set off has run to the end."""
    give_time(page, 10)
    page.wait_for_selector(SETTLED)


def hears_keys(page: Page) -> None:
    """Wait until the script that listens to the keys of the page is there."""
    page.locator("dialog.partwise-keys").wait_for(state="attached")


def fits_before_a_room(page: Page, *parts: str) -> None:
    """Go over to presenter mode on a projector's screen: there these parts lie above the fold."""
    page.set_viewport_size(PROJECTOR)
    hears_keys(page)
    page.locator("h1").first.click()  # The focus is nowhere.
    page.keyboard.press("p")
    wait_for(page, "location.search.includes('present=1')")
    settle(page)
    for part in parts:
        for place in page.locator(part).all():
            box = place.bounding_box()
            assert box is not None, part
            assert box["height"] >= 18, part
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= PROJECTOR["height"], f"{part} lies below the fold: {box}"


@pytest.fixture(name="open_page")
def _open_page() -> Callable[[Page, str], Page]:
    """The same helper as a fixture, for tests that rather ask than import."""
    return open_page
