"""When a run is stopped without its worker, by the test's own clock: that of a busy machine says nothing."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from experiments.engine import supervisor
from experiments.engine.supervisor import Supervisor


@pytest.mark.parametrize("ready", [True, False])
def test_stop_is_carried_out_within_a_second_whatever_the_worker_does(
    monkeypatch: pytest.MonkeyPatch, ready: bool
) -> None:
    clock, stopped, killed = [100.0], list[str](), list[str]()
    monkeypatch.setattr(supervisor, "monotonic", lambda: clock[0])
    # One that is at a step, or at reading data, that takes for ever: it has not been heard of since.
    worker: Any = SimpleNamespace(busy=["slow"] * ready, beat_at=clock[0], ready=ready, kill=killed.append)
    pool: Any = SimpleNamespace(of=lambda run: worker, workers=[worker])
    closed = threading.Event()
    closed.set()  # Its own thread ends at once: the test looks in its stead.

    def stop(run: str) -> None:
        stopped.append(run)
        looks.note_end(run)

    def look(seconds: float) -> None:
        for _ in range(round(seconds / supervisor._LOOK_EVERY)):
            clock[0] += supervisor._LOOK_EVERY
            looks._end_what_was_stopped(clock[0])

    looks = Supervisor(pool, threading.RLock(), closed, stop, lambda *_: None, lambda: None)
    looks.expect_end("slow")
    look(0.5)
    assert stopped == [], "a worker that listens stops it itself"
    look(0.5)
    assert stopped == ["slow"]
    assert killed == [], "it may come to the end of its step"
    look(10.0)
    assert len(killed) == ready, "one that is still being started has not begun what it would be killed for"
    assert not looks.stopping
