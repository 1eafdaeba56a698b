"""Slow answers: visitors take turns, and whoever asks very much leaves room and a thread for others."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from ui.web.threads import BusyError, Threads

GREEDY, OTHER_NAME, POLITE = ("far", "a"), ("far", "b"), ("near", "c")


def test_a_newcomer_waits_for_a_turn_and_not_for_all_that_another_has_asked() -> None:
    begun: list[str] = []
    gate = threading.Event()

    def work(name: str) -> Callable[[], None]:
        return lambda: (begun.append(name), gate.wait())[0]

    async def everybody() -> None:
        threads = Threads(1, name="test", patience=60.0)
        asked = [asyncio.create_task(threads.run(work("greedy"), GREEDY)) for _ in range(20)]
        await asyncio.sleep(0)
        asked += [asyncio.create_task(threads.run(work("other name"), OTHER_NAME)) for _ in range(3)]
        asked.append(asyncio.create_task(threads.run(work("polite"), POLITE)))
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*asked)

    asyncio.run(everybody())
    assert begun[:3] == ["greedy", "polite", "other name"]
    assert len(begun) == 24


def test_one_thread_and_half_of_the_waiting_places_are_for_others() -> None:
    gate = threading.Event()

    async def everybody() -> None:
        threads = Threads(3, name="test", patience=60.0, most_waiting=8)
        asked = [asyncio.create_task(threads.run(gate.wait, (GREEDY, OTHER_NAME)[n % 2])) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await threads.run(gate.wait, GREEDY)
        assert await threads.run(lambda: "answered", POLITE) == "answered"
        gate.set()
        assert all(await asyncio.gather(*asked))
        assert await threads.run(lambda: "again", GREEDY) == "again"

    asyncio.run(everybody())


def test_who_waits_too_long_is_told_and_what_fails_fails_for_whom_it_does() -> None:
    gate = threading.Event()

    async def everybody() -> None:
        threads = Threads(1, name="test", patience=0.01)
        with pytest.raises(BusyError):
            await threads.run(gate.wait)
        gate.set()
        patient = Threads(1, name="test", patience=60.0)
        with pytest.raises(ZeroDivisionError):
            await patient.run(lambda: 1 / 0)
        assert await patient.run(lambda: 1) == 1

    asyncio.run(everybody())
