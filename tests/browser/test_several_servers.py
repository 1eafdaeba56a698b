"""Two servers behind a real nginx, with a PostgreSQL and a folder in common, as docs/hosting.md says."""

from __future__ import annotations

import signal
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg
from playwright.sync_api import Browser, Page, expect

from experiments.server_name import SERVER_NAME
from experiments.store.places import DATA, DATABASE
from scripts import nginx, postgres
from scripts.app_server import Server, serving
from tests.browser.conftest import LONG, SETTLED, visiting
from tests.waiting import until
from ui.web.affinity import COOKIE


def named(page: Page) -> str:
    """Return the server that a browser is bound to."""
    return next(found["value"] for found in page.context.cookies() if found["name"] == COOKIE)


def pictures(page: Page) -> int:
    return int(page.locator(".root[data-frames]").first.get_attribute("data-frames") or 0)


def start(stack: ExitStack, folder: Path, database: str, name: str) -> Server:
    own = folder / name
    own.mkdir()
    shared = {DATABASE: database, DATA: str(folder), SERVER_NAME: name}
    return stack.enter_context(serving(own, **shared))


def begun(connection: psycopg.Connection) -> bool:
    """Whether a run has been written down; before the first one there is no table."""
    with suppress(psycopg.errors.UndefinedTable):
        return bool(connection.execute("SELECT id FROM partwise_runs").fetchall())
    return False


def test_a_run_is_watched_from_another_server_and_found_when_its_own_has_ended(
    browser: Browser, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(postgres.serving())
        servers = {name: start(stack, tmp_path, database, name) for name in ("a", "b")}
        ports = [urlsplit(server.url).port or 0 for server in servers.values()]
        address = stack.enter_context(nginx.before(ports, nginx.settings("Several servers")))
        mine = stack.enter_context(visiting(browser, None))
        mine.goto(f"{address}/live?{urlencode({**LONG, 'data.orl.size': '16'})}")
        mine.wait_for_selector(SETTLED)
        mine.get_by_role("button", name="Run", exact=True).click()
        expect(mine.locator(".root[data-frames]")).to_be_visible()
        here = named(mine)
        there = "b" if here == "a" else "a"
        until(lambda: "run=" in mine.evaluate("location.href"))

        theirs = stack.enter_context(visiting(browser, None))
        theirs.context.add_cookies([{"name": COOKIE, "value": there, "url": address}])

        with psycopg.connect(database, autocommit=True) as connection:
            until(lambda: begun(connection), "a run is written down some seconds after it began")
        theirs.goto(mine.evaluate("location.href"))
        expect(theirs.get_by_text(f"goes on at another server, {here}:").first).to_be_visible()
        expect(theirs.locator(".root[data-frames]")).to_be_visible()
        seen = pictures(theirs)
        until(lambda: pictures(theirs) > seen + 1)
        assert named(theirs) == there, "who watches stays where they are"

        servers[here].process.send_signal(signal.SIGTERM)
        servers[here].process.wait()
        expect(theirs.get_by_text("The app was closed while this ran").first).to_be_visible()
        # The open page goes on at the other server by itself, and has not forgotten its run.
        expect(mine.get_by_text("The app was closed while this ran").first).to_be_visible()
        assert named(mine) == there, "the cookie names who has answered"
        mine.get_by_role("button", name="Run", exact=True).click()
        expect(mine.get_by_text("The app was closed while this ran")).to_have_count(0)
        expect(mine.get_by_role("button", name="Pause", exact=True)).to_be_enabled()
