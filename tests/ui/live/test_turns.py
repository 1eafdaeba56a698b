"""Drawing for many: one at a time, the urgent first, rests in between, nobody forgotten."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from tests.waiting import PATIENCE
from ui.live.turns import PictureTurns


def drawing(log: list[str], name: str, seconds: float = 0.03) -> Callable[[], str]:
    def draw() -> str:
        log.append(f"{name} begins")
        time.sleep(seconds)
        log.append(f"{name} ends")
        return name

    return draw


def test_one_at_a_time_and_the_urgent_first() -> None:
    log: list[str] = []

    async def everybody() -> list[str]:
        turns = PictureTurns()
        calm = [turns.draw(drawing(log, name)) for name in "abc"]
        return await asyncio.gather(*calm, turns.draw(drawing(log, "new"), urgent=True))

    assert asyncio.run(everybody()) == ["a", "b", "c", "new"]
    assert log == [f"{name} {what}" for name in ("a", "new", "b", "c") for what in ("begins", "ends")]


def test_an_urgent_one_comes_before_whoever_has_waited_longer() -> None:
    log: list[str] = []

    async def everybody() -> None:
        turns = PictureTurns()
        await turns.draw(drawing(log, "earlier"), visitor=("home", "mover"))
        calm = [turns.draw(drawing(log, name), visitor=("home", name)) for name in "abc"]
        await asyncio.gather(*calm, turns.draw(drawing(log, "moved"), visitor=("home", "mover"), urgent=True))

    asyncio.run(everybody())
    assert [line.split()[0] for line in log[::2]].index("moved") < 3


def test_the_urgent_leave_half_of_the_time_to_others() -> None:
    drawn = {"urgent": 0, "calm": 0}

    async def ask(turns: PictureTurns, name: str) -> None:
        def draw() -> None:
            drawn[name] += 1
            time.sleep(0.02)

        while drawn["calm"] < 15:
            await turns.draw(draw, visitor=(name,), urgent=name == "urgent")

    async def both() -> None:
        turns = PictureTurns()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(ask(turns, name) for name in ("urgent",) * 9 + ("calm",)))

    asyncio.run(both())
    assert drawn["urgent"] <= 2 * 15 + 0.25 / 0.02 + 9


def test_it_rests_as_long_as_it_has_drawn() -> None:
    async def several() -> float:
        turns, begun = PictureTurns(), time.monotonic()
        await asyncio.gather(*(turns.draw(drawing([], "x", 0.05)) for _ in range(4)))
        return time.monotonic() - begun

    assert asyncio.run(several()) >= 4 * 0.05 + 3 * 0.05 - 0.01


def test_the_urgent_do_not_wait_for_a_rest() -> None:
    async def after_a_long_one() -> float:
        turns = PictureTurns()
        await turns.draw(drawing([], "long", 2.0))
        begun = time.monotonic()
        await turns.draw(drawing([], "new", 0.0), urgent=True)
        return time.monotonic() - begun

    assert asyncio.run(after_a_long_one()) < 1.5


def test_who_leaves_holds_up_nobody() -> None:
    log: list[str] = []

    async def some_leave() -> str:
        turns = PictureTurns()
        first = asyncio.create_task(turns.draw(drawing(log, "first", 0.1)))
        waiting = asyncio.create_task(turns.draw(drawing(log, "waiting")))
        last = asyncio.create_task(turns.draw(drawing(log, "last")))
        await asyncio.sleep(0.02)
        first.cancel()
        waiting.cancel()
        return await asyncio.wait_for(last, 5)

    assert asyncio.run(some_leave()) == "last"
    assert "waiting begins" not in log


def test_what_goes_wrong_is_raised_and_the_next_is_drawn() -> None:
    def fails() -> None:
        raise KeyError("gone")

    async def two() -> str:
        turns = PictureTurns()
        with pytest.raises(KeyError):
            await turns.draw(fails)
        return await asyncio.wait_for(turns.draw(drawing([], "next")), 5)

    assert asyncio.run(two()) == "next"
