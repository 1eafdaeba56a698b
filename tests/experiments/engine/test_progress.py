"""How far a long preparation has come is told on the way, from the method to whoever watches the run."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

from experiments import RunRequest
from experiments.engine.handle import Handle
from experiments.engine.task import Outbox, RunTask


def test_a_preparation_under_way_says_how_far_it_is(
    tmp_path: Path, invent: Callable[[Callable[[int], float]], str]
) -> None:
    request = RunRequest("swimmer", invent(lambda iteration: 100.0 / iteration), {"max_iter": 3})
    stream = io.StringIO()
    task = RunTask(Outbox(stream), tmp_path, {"id": "a", "request": request.canonical()})
    task.take_turn()
    said = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert said[0] == {"run": "a", "event": "progress", "what": "neighbours", "percent": 40}
    assert [news["event"] for news in said].count("progress") == 1
    handle = Handle("a", request, tmp_path)
    before = handle.version
    handle.hear(said[0])
    assert (handle.status, handle.progress) == ("preparing", ("neighbours", 40))
    assert handle.version != before
