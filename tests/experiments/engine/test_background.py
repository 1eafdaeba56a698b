"""Work behind the page: done once, the latest wish first, dropped when nobody waits, refusals in words."""

from __future__ import annotations

import threading
import time

import pytest

from experiments.engine.background import Background, BackgroundJob
from tests.waiting import until


def wait_for(task: BackgroundJob) -> BackgroundJob:
    until(lambda: task.done, "the task is never done")
    return task


def test_asked_twice_worked_out_once() -> None:
    behind, calls = Background(), []
    first = behind.ask("a", lambda: calls.append(1) or 7)
    assert wait_for(first).value == 7
    assert behind.ask("a", lambda: calls.append(2)) is first
    assert calls == [1]


def test_asking_never_waits_and_the_latest_wish_comes_first() -> None:
    behind, gate, order = Background(threads=1), threading.Event(), []
    behind.ask("blocks", gate.wait)
    time.sleep(0.05)
    old = behind.ask("old", lambda: order.append("old"))
    new = behind.ask("new", lambda: order.append("new"))
    assert not old.done
    gate.set()
    wait_for(old)
    wait_for(new)
    assert order == ["new", "old"]


def test_what_nobody_waits_for_any_more_is_dropped() -> None:
    behind, gate, order = Background(threads=1, forgotten_after=0.05), threading.Event(), []
    blocking = behind.ask("blocks", gate.wait)
    time.sleep(0.02)
    left = behind.ask("left", lambda: order.append("left"))
    time.sleep(0.1)
    stayed = behind.ask("stayed", lambda: order.append("stayed"))
    gate.set()
    wait_for(blocking)
    wait_for(stayed)
    assert order == ["stayed"]
    assert not left.done
    assert wait_for(behind.ask("left", lambda: 3)).value == 3


@pytest.mark.parametrize(
    ("error", "message"), [(ValueError("too many"), "too many"), (KeyError("x"), "could not be worked out")]
)
def test_failures_are_sentences(error, message) -> None:
    def fail() -> None:
        raise error

    behind = Background(threads=1)
    assert message in wait_for(behind.ask("a", fail)).message
    assert wait_for(behind.ask("b", lambda: 1)).value == 1, "the thread lives on"


def test_only_so_many_results_are_kept() -> None:
    behind = Background(most=2)
    for number in range(4):
        wait_for(behind.ask(number, lambda number=number: number))
    behind.ask(3, lambda: None)
    assert len([task for task in behind._jobs.values() if task.done]) == 2


def test_a_slow_task_does_not_hold_up_a_quick_one() -> None:
    behind, gate = Background(threads=2), threading.Event()
    slow = behind.ask("slow", gate.wait)
    assert wait_for(behind.ask("quick", lambda: 1)).value == 1
    assert not slow.done
    gate.set()
    wait_for(slow)
