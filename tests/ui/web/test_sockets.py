"""Sockets of greedy, silent and strange visitors: refused in words, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from time import sleep
from typing import Any

import pytest
from starlette.applications import Starlette

from experiments import RunRequest
from experiments.engine.handle import Handle
from tests.ui.asgi import Socket, talk, watch
from tests.waiting import PATIENCE, ended, until
from ui.live import sockets as live_sockets
from ui.live.turns import PictureTurns
from ui.robustness import socket as robustness_socket
from ui.run_routes import run_routes
from ui.service import service
from ui.web import sockets

ROUTES = run_routes()
GREEDY = {"cookie": f"partwise_owner={'g' * 32}"}


@pytest.fixture(scope="module")
def run() -> Iterator[Handle]:
    request = RunRequest("orl", "nmf", {"n_components": 4, "max_iter": 3}, dataset_options={"size": 12})
    return ended(service().shared(request))


def crowd(run: Handle, count: int, headers: dict[str, str], address: str = "1.2.3.4") -> Counter[int | None]:
    """Open many sockets at once; return how many were closed with which code."""

    async def everybody() -> list[int | None]:
        app = Starlette(routes=ROUTES)
        lines = [Socket(app, f"/partwise/live/{run.id}", headers, address) for _ in range(count)]
        tasks = [asyncio.create_task(line.serve()) for line in lines]
        while not all(line.received or line.code for line in lines):
            for line in lines:
                line.say("next")
            await asyncio.sleep(0.05)
        for line in lines:
            line.leave()
        await asyncio.gather(*tasks)
        return [line.code for line in lines]

    return Counter(asyncio.run(everybody()))


def test_one_visitor_holds_so_many_sockets_and_the_rest_are_refused_in_words(run: Handle) -> None:
    most = sockets.MOST_A_VISITOR
    assert crowd(run, most + 20, GREEDY) == {None: most, sockets.TOO_MANY: 20}
    assert not sockets._open, "who has left counts no more"
    assert crowd(run, 3, GREEDY) == {None: 3}


def test_many_names_at_one_address_do_not_help(run: Handle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_AN_ADDRESS", 10)
    assert crowd(run, 14, {}) == {None: 10, sockets.TOO_MANY: 4}


def test_the_silent_are_let_go(run: Handle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SILENT_AFTER", 0.05)
    for what in ("live", "race"):

        async def silent(what: str = what) -> int | None:
            line = Socket(Starlette(routes=ROUTES), f"/partwise/{what}/{run.id}", {})
            await line.serve()
            return line.code

        assert asyncio.run(silent()) == sockets.SILENT


def test_a_greedy_visitor_leaves_another_a_share_of_the_pictures() -> None:
    drawn: Counter[str] = Counter()

    def draw(who: str) -> None:
        drawn[who] += 1
        sleep(0.005)

    async def pictures() -> None:
        turns = PictureTurns()

        async def watch(visitor: tuple[str, str], urgent: bool) -> None:
            while True:
                await turns.draw(lambda: draw("greedy"), visitor=visitor, urgent=urgent)

        # As many names as sockets, and each picture urgent: nothing of that helps.
        greedy = [asyncio.create_task(watch(("far", f"name {i}"), True)) for i in range(500)]
        await asyncio.sleep(0.1)
        for _ in range(15):
            await turns.draw(lambda: draw("polite"), visitor=("near", "polite"))
        for task in greedy:
            task.cancel()

    asyncio.run(pictures())
    # Ten of the two hundred that can be drawn in a second; it had been one of two thousand.
    assert drawn["greedy"] <= 20 * drawn["polite"], drawn


def test_the_first_parts_do_not_wait_for_what_was_sent_before_there_were_any(
    run: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_sockets, "_FRAME_EVERY", 3600.0)
    reader, run.reader = run.reader, None

    async def both() -> int:
        line = Socket(Starlette(routes=ROUTES), f"/partwise/live/{run.id}", {})
        serving = asyncio.create_task(line.serve())
        for picture in (1, 2):
            line.say("next")
            async with asyncio.timeout(PATIENCE):
                while len(line.received) < picture:
                    await asyncio.sleep(0.01)
            run.reader = reader
        line.leave()
        await serving
        return len(line.received)

    assert asyncio.run(both()) == 2


def test_a_wish_that_makes_no_sense_changes_nothing(run: Handle) -> None:
    address = f"/partwise/live/{run.id}?sample=1"
    [plain] = watch(ROUTES, address, ["next"], 1).received
    for odd in ("sample " + "9" * 4300, "sample -1", "sample ٣", "", b"\xff\x00", "still here"):
        assert watch(ROUTES, address, [odd, "next"], 1).received == [plain]
    long = talk(ROUTES, f"/partwise/live/{run.id}?sample={'9' * 4300}", ["next"])
    assert long.code == sockets.NOT_UNDERSTOOD


def test_a_message_of_many_megabytes_is_refused_unread(run: Handle, monkeypatch: pytest.MonkeyPatch) -> None:
    """150 MB of bytes had been written out as text: the server stood still for 22 s."""
    monkeypatch.setattr(sockets, "_LONGEST_MESSAGE", 1000)
    for what in ("live", "race", "robustness"):
        for long in (bytes(1001), "n" * 1001):
            heard = talk(ROUTES, f"/partwise/{what}/{run.id}", [long])
            assert (heard.code, heard.reason) == (sockets.NOT_UNDERSTOOD, "The message is too long.")


def test_a_page_that_is_left_lets_go_of_what_is_worked_out_for_it(
    run: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[tuple[str, ...]] = []
    monkeypatch.setattr(robustness_socket, "let_go", lambda *what: left.append(what))
    talk(ROUTES, f"/partwise/robustness/{run.id}", [json.dumps({"number": 1})], GREEDY)
    until(lambda: left)
    assert left == [("g" * 32, "accuracy", "places")]


def test_a_refused_question_says_why(run: Handle) -> None:
    question: dict[str, Any] = {"number": 1}
    heard = talk(ROUTES, f"/partwise/robustness/{run.id}", [json.dumps(question)])
    assert heard.code == sockets.NOT_UNDERSTOOD
    assert heard.reason.startswith("The message is not a question")
