"""Turns that take long have threads of their own; whatever becomes of these, each job has its answer."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import cast

import pytest

from experiments.engine.job_task import JobTask
from experiments.engine.turns import ATTENDED, WATCHED
from experiments.engine.worker_threads import TaskTurn
from tests.experiments.engine.test_worker import Talk
from tests.waiting import until

# Jobs that wait, in a system call, until somebody writes to a pipe, and two threads that are halted as they
# hand their tasks back.
PROGRAM = """
import os
from pathlib import Path
from experiments.engine.worker import main
from experiments.engine.worker_loop import Worker
from experiments.engine.worker_threads import Halt

class Wait:
    def __init__(self, text, folder):
        self.pipe = Path(text)
    def advance(self):
        if self.pipe.exists():
            os.close(os.open(self.pipe, os.O_RDONLY))
        return False
    def answer(self):
        return self.pipe.name

class Clumsy(Wait):
    left = 2
    def advance(self):
        Clumsy.left -= 1
        return Clumsy.left >= 0

real = Worker._hand_back
def hand_back(self, turn):
    if Clumsy.left in (0, 1) and turn.thread.is_alive():
        raise Halt
    real(self, turn)
Worker._hand_back = hand_back
main({"wait": Wait, "clumsy": Clumsy})
"""


@pytest.fixture
def worker(tmp_path: Path, repository: Path):
    talk = Talk(tmp_path / "runs", repository, "-c", PROGRAM)
    yield talk
    assert talk.end() == 0
    assert talk.errors == ""


def ask(worker: Talk, id: str, kind: str, text: str, priority: int = ATTENDED) -> None:
    worker.say(do="job", id=id, kind=kind, text=text, owner="me", priority=priority)


def test_a_job_that_comes_back_while_its_old_turn_still_goes_on_is_answered(
    worker: Talk, tmp_path: Path
) -> None:
    """What a busy server does: it moves a job to another worker, and from there to this one again."""
    os.mkfifo(pipe := tmp_path / "pipe")
    ask(worker, "moved", "wait", str(pipe))
    worker.until("moved", "job begun")
    worker.say(do="drop", id="moved")
    ask(worker, "moved", "wait", str(tmp_path / "none"))
    ask(worker, "behind", "wait", str(tmp_path / "none"), priority=WATCHED)
    worker.until("behind", "job answered")  # All that was said before has been heard.
    # Opened both ways this does not wait for a reader: the turn may have been halted before it became one.
    writer = os.open(pipe, os.O_RDWR)
    assert worker.until("moved", "job answered")["text"] == "none"
    os.close(writer)


def test_a_thread_halted_as_it_hands_its_task_back_loses_nothing(worker: Talk) -> None:
    ask(worker, "clumsy", "clumsy", "any")
    assert worker.until("clumsy", "job answered")["problem"] == ""


def test_a_thread_that_is_about_to_begin_is_not_over() -> None:
    """Taken for over, its task was given to another thread as well."""
    thread = threading.Thread(target=int)
    turn = TaskTurn(cast(JobTask, None), thread=thread)
    thread._ident = 1  # type: ignore[attr-defined]  # The first that it gets, while it does not run yet.
    assert not turn.over
    thread.start()
    until(lambda: turn.over)
