"""A fit that follows a hand: each change goes on from where it is, is seen at once, and nothing is kept."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from experiments import RunRequest
from experiments.engine.channel import Reader
from experiments.engine.preview_task import PreviewTask
from experiments.engine.run import Run
from experiments.engine.task import Outbox

SMALL = {"n_components": 6, "tol": 0.0, "alpha": 1.0}


def asked(**params: Any) -> str:
    return RunRequest("swimmer", "n2s2l", SMALL | params).as_given()


def begun(folder: Path, **params: Any) -> tuple[PreviewTask, StringIO]:
    """A preview that goes on from a run of five steps."""
    run, output = Run(RunRequest("swimmer", "n2s2l", SMALL)), StringIO()
    for _ in range(6):
        run.advance()
    command = {"id": "preview", "request": asked(**params), "turn": 1}
    return PreviewTask(Outbox(output), folder, command, run.left()), output


def news(output: StringIO, event: str) -> list[dict[str, Any]]:
    return [
        message for line in output.getvalue().splitlines() if (message := json.loads(line))["event"] == event
    ]


def turn(task: PreviewTask, number: int, **params: Any) -> None:
    task.obey("turn", {"request": asked(**params), "turn": number})
    task.take_turn()


def test_each_change_is_seen_at_once_and_goes_on_from_the_one_before(tmp_path: Path) -> None:
    task, output = begun(tmp_path, alpha=2.0)
    task.take_turn()
    reader = Reader(Path(news(output, "opened")[0]["path"]))
    iteration, first = reader.latest()
    assert iteration == 1, "the start and a step from it"
    for number, alpha in enumerate((4.0, 8.0), start=2):
        turn(task, number, alpha=alpha)
    assert [message["turn"] for message in news(output, "turned")] == [1, 2, 3]
    assert len(news(output, "opened")) == 1, "all of it is one curve"
    assert reader.latest()[0] == len(reader.curve()) - 1 == 5
    assert not np.array_equal(first["components"], reader.latest()[1]["components"])
    objective = reader.curve()[:, 0]
    cold = Run(RunRequest("swimmer", "n2s2l", SMALL | {"alpha": 8.0}))
    cold.advance()
    assert objective[4] < 0.9 * cold.objective[0], "it has not begun anew"
    assert (np.diff(reader.curve()[:, 1]) >= 0).all(), "seconds go on, too"
    assert news(output, "scores")
    assert not list(tmp_path.glob("*/*.npz")), "nothing is kept"


def test_of_changes_that_come_together_the_last_one_counts(tmp_path: Path) -> None:
    task, output = begun(tmp_path)
    for number in (1, 2, 3):
        task.obey("turn", {"request": asked(alpha=float(number)), "turn": number})
    task.take_turn()
    assert [message["turn"] for message in news(output, "turned")] == [3]
    assert task.run.request.params["alpha"] == 3.0


def test_another_number_of_parts_is_another_curve_and_what_cannot_be_a_sentence(tmp_path: Path) -> None:
    task, output = begun(tmp_path)
    task.take_turn()
    turn(task, 2, n_components=9)
    paths = [message["path"] for message in news(output, "opened")]
    assert len(set(paths)) == 2
    assert Reader(Path(paths[1])).latest()[1]["components"].shape[0] == 9
    turn(task, 3, n_discriminative=40)
    assert "must be smaller than" in news(output, "turned")[-1]["problem"]
    turn(task, 4, alpha=3.0)
    assert news(output, "turned")[-1]["problem"] == "", "and it follows again"


def test_what_is_solved_at_once_is_shown_whole(tmp_path: Path) -> None:
    output = StringIO()
    request = RunRequest("swimmer", "pca", {"n_components": 6}).as_given()
    task = PreviewTask(Outbox(output), tmp_path, {"id": "preview", "request": request, "turn": 1})
    task.take_turn()
    _, arrays = Reader(Path(news(output, "opened")[0]["path"])).latest()
    assert np.abs(arrays["components"]).sum(axis=1).all(), "not one part after the other"


def test_it_waits_when_it_has_settled_and_ends_when_the_hand_lets_go(tmp_path: Path) -> None:
    task, output = begun(tmp_path, max_iter=2)
    for _ in range(4):
        task.take_turn()
    assert task.run.status == "max_iter"
    assert not task.ended
    assert task.due_in(0.0) is None
    assert not news(output, "ended")
    turn(task, 2, max_iter=2, alpha=2.0)
    assert task.run.step is not None
    task.obey("stop", {})
    assert task.ended
    assert [message["status"] for message in news(output, "ended")] == ["stopped"]
