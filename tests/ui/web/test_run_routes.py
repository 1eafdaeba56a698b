"""Addresses of our own under attack: too many ids, a database that stands still, strangers' pages."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from experiments import RunRequest
from experiments.engine.handle import Handle
from tests.ui.asgi import ask, get, talk
from tests.waiting import PATIENCE
from ui.run_routes import QUESTIONS, run_routes
from ui.web import lookup
from ui.web.sockets import NOT_OURS, UNKNOWN_RUN

ROUTES = run_routes()
OF_RUNS = [question.address for question in QUESTIONS if "{run" in question.address]
OWNER = "o" * 32


class Store:
    """A service whose database stands still, until it is let go."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.asked = 0

    def at_hand(self, id: str) -> Handle | None:
        return Handle(id, RunRequest("orl", "pca"), Path()) if id == "at-hand" else None

    def get(self, id: str) -> Handle | None:
        self.asked += 1
        assert self.goes_on.wait(PATIENCE)
        return None


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    store = Store()
    monkeypatch.setattr("ui.web.lookup.service", lambda: store)
    yield store
    store.goes_on.set()


def address(pattern: str, ids: str) -> str:
    filled = pattern.replace("{runs}", ids).replace("{run}", ids)
    return "/partwise/" + filled.replace("{iteration}", "0").replace("{row}", "0")


@pytest.mark.parametrize("pattern", OF_RUNS)
def test_thirty_thousand_ids_are_refused_before_any_is_looked_up(store: Store, pattern: str) -> None:
    answer = get(ROUTES, address(pattern, ",".join("x" * 30_000)))
    assert 400 <= answer.status < 500
    assert store.asked == 0
    for no_id in ("x" * 65, "a b", "ä" * 16, "'or'1'='1"):
        assert get(ROUTES, address(pattern, no_id)).status == 404
    assert store.asked == 0


def test_sockets_do_not_look_up_thirty_thousand_ids_either(store: Store) -> None:
    for what in ("live", "race", "robustness"):
        heard = talk(ROUTES, f"/partwise/{what}/{','.join('x' * 30_000)}", ["next"])
        assert (heard.received, heard.code) == ([], 4400)
    assert store.asked == 0


def test_a_database_that_stands_still_holds_up_nothing_else(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def health(request: Request) -> PlainTextResponse:
        return PlainTextResponse("ok")

    async def visitors() -> list[int]:
        app = Starlette(routes=[*ROUTES, Route("/_stcore/health", health)])
        stuck = [asyncio.create_task(ask(app, f"/partwise/cast/unknown-{i}")) for i in range(60)]
        while not store.asked:
            await asyncio.sleep(0.01)
        # Whatever does not need the database is answered while it stands still, runs at hand included.
        quick = ("/_stcore/health", "/partwise/patch/grey?height=9&width=9", "/partwise/cast/at-hand")
        found = [(await ask(app, one)).status for one in quick]
        assert not any(task.done() and task.result().status != 503 for task in stuck)
        return [*found, *{answer.status for answer in await asyncio.gather(*stuck)}]

    monkeypatch.setattr(lookup._database, "_patience", 2.0)
    begun = monotonic()
    *quick, refused = asyncio.run(visitors())
    assert quick == [200, 200, 200]
    assert refused == 503
    assert monotonic() - begun < PATIENCE / 2, "who waits for the database is told so in time"


def test_pages_of_others_are_told_nothing(store: Store) -> None:
    store.goes_on.set()
    for headers in (
        {"origin": "https://elsewhere"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://["},
    ):
        for question in QUESTIONS:
            assert get(ROUTES, address(question.address, "at-hand"), headers).status == 403
        assert talk(ROUTES, "/partwise/live/at-hand", ["next"], headers).code == NOT_OURS
    assert get(ROUTES, "/partwise/cast/at-hand", {"origin": "http://here"}).status == 200
    assert get(ROUTES, "/partwise/cast/at-hand", {"sec-fetch-site": "same-origin"}).status == 200
    assert talk(ROUTES, "/partwise/live/unknown", ["next"]).code == UNKNOWN_RUN
