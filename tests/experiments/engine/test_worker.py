"""The worker as a process of its own: its protocol, its manners, and its end."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest

from experiments import RunRequest, run
from experiments.engine.channel import Reader
from experiments.engine.priority import COURTESY
from experiments.engine.task import Outbox, RunTask
from tests.waiting import PATIENCE, until

ENDLESS = {"n_components": 4, "max_iter": 10_000_000, "tol": 0.0}

# Two methods that go wrong after the mathematics: one cannot be shown, the other cannot be scored.
BROKEN = """
import numpy as np
from methods import registry
from methods.nonnegative.nmf import NMF, SPEC
from dataclasses import replace
from experiments.engine.worker import main

class Growing(NMF):
    def iterate(self, *args, **kwargs):
        for step in super().iterate(*args, **kwargs):
            arrays = {"components": np.ones((step.iteration + 1, 3))}
            yield replace(step, state=arrays)

class Unscored(NMF):
    def transform(self, X):
        raise ZeroDivisionError("nothing to compare")

registry.specs()  # Everything is loaded before its place is taken.
for estimator, name in ((Growing, "lnmf"), (Unscored, "semi_nmf")):
    estimator.spec = replace(SPEC, id=name, estimator=estimator)
    registry.specs()[name] = estimator.spec
real = registry._load
registry._load = lambda module: registry.specs().get(module.split(".")[-1]) or real(module)
main()
"""


class Talk:
    """A worker process, and what it says."""

    def __init__(self, folder: Path, repository: Path, *how: str) -> None:
        folder.mkdir()
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, *(how or ("-m", "experiments.engine.worker")), str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=repository,
        )  # fmt: skip
        self._news: Queue[dict[str, Any]] = Queue()
        self.heard: list[dict[str, Any]] = []
        self.errors = ""
        self._threads = [threading.Thread(target=ear, daemon=True) for ear in (self._listen, self._overhear)]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self._news.put(json.loads(line))

    def _overhear(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            self.errors = lines.read()

    def say(self, **command: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def start(self, id: str, method: str = "nmf", params: dict[str, Any] | None = None, **how: Any) -> None:
        request = RunRequest("swimmer", method, ENDLESS if params is None else params)
        self.say(do="start", id=id, request=request.canonical(), **how)

    def until(self, run: str, *events: str) -> dict[str, Any]:
        """The next news of a run that is one of these events."""
        while True:
            news = self._news.get(timeout=PATIENCE)
            self.heard.append(news)
            if news["run"] == run and news["event"] in events:
                return news

    def until_heard(self, run: str, event: str) -> dict[str, Any]:
        """The news of a run that is this event, heard already or still to come."""
        known = (news for news in self.heard if (news["run"], news["event"]) == (run, event))
        return next(known, None) or self.until(run, event)

    def end(self) -> int:
        """Close its input and return its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        for thread in self._threads:
            thread.join()
        return status


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[Talk]:
    """One worker for all tests that leave it alive."""
    talk = Talk(tmp_path_factory.mktemp("worker") / "runs", repository)
    yield talk
    assert talk.process.poll() is None, "no test may cost the worker its life"
    assert talk.end() == 0
    assert talk.errors == ""


def test_a_run_is_started_paused_stepped_resumed_and_stopped(worker: Talk) -> None:
    worker.start("a", paused=True)
    reader = Reader(Path(worker.until("a", "opened")["path"]))
    worker.until("a", "paused")
    until(lambda: reader.version[0] == 1, "a paused run shows its start")
    assert reader.latest()[0] == 0

    worker.say(do="step", id="a", steps=3)
    until(lambda: reader.version[0] == 4)
    until(lambda: reader.latest()[0] == 3)
    sleep(0.1)
    assert reader.version[0] == 4, "three steps and no more"

    worker.say(do="resume", id="a")
    worker.until("a", "running")
    until(lambda: reader.version[0] > 30)
    worker.say(do="pause", id="a")
    worker.until("a", "paused")
    rows = reader.version[0]
    assert reader.latest()[0] == rows - 1, "what is shown is what the run stands at"
    sleep(0.1)
    assert reader.version[0] == rows

    worker.say(do="stop", id="a")
    ended = worker.until("a", "ended")
    assert (ended["status"], ended["iterations"]) == ("stopped", rows - 1)
    assert "accuracy_euclidean" in ended["scores"]
    kept = [news["iteration"] for news in worker.heard if news["run"] == "a" and news["event"] == "snapshot"]
    assert kept[:6] == [0, 1, 2, 3, 4, 6]
    assert kept[-1] == rows - 1
    with np.load(worker.folder / "a" / f"{kept[-1]}.npz") as last:
        assert np.array_equal(last["components"], reader.latest()[1]["components"])


def test_pausing_calls_off_the_steps_that_were_asked_for(worker: Talk) -> None:
    worker.start("b", paused=True)
    reader = Reader(Path(worker.until("b", "opened")["path"]))
    worker.say(do="pace", id="b", pace=50)
    worker.say(do="step", id="b", steps=1_000_000)
    until(lambda: reader.version[0] > 3)
    worker.say(do="pause", id="b")
    worker.say(do="pace", id="b", pace=None)  # It is answered after the pause has been heard.
    sleep(0.3)
    rows = reader.version[0]
    sleep(0.1)
    assert reader.version[0] == rows
    worker.say(do="stop", id="b")
    worker.until("b", "ended")


def test_a_run_waits_while_a_hand_holds_its_parameters(worker: Talk) -> None:
    worker.start("held")
    reader = Reader(Path(worker.until("held", "opened")["path"]))
    until(lambda: reader.version[0] > 3)
    warm = {"run": "held", "file": "none"}
    worker.start("hand", preview=True, turn=1, warm=warm, instead_of="held")
    worker.until("hand", "turned")
    hand = Reader(Path(worker.until_heard("hand", "opened")["path"]))
    until(lambda: hand.version[0] > 30)
    rows = reader.version[0]  # A turn that was under way has ended by now.
    until(lambda: hand.version[0] > 60)
    assert reader.version[0] == rows
    worker.say(do="stop", id="hand")
    until(lambda: reader.version[0] > rows + 3, "it goes on when the hand lets go")
    worker.say(do="stop", id="held")
    worker.until("held", "ended")


def test_a_run_ends_with_its_next_turn_for_another_may_be_awaited_in_its_place(
    tmp_path: Path,
) -> None:
    said = io.StringIO()
    begin = {"id": "a", "request": RunRequest("swimmer", "nmf", ENDLESS).canonical()}
    task = RunTask(Outbox(said), tmp_path, begin)
    task.take_turn()
    before = said.getvalue()
    for action in ("stop", "pause"):
        task.obey(action, {})
    assert (task.stopping, task.awaited, task.ended, said.getvalue()) == (True, False, False, before)
    assert task.due_in(0.0) == 0
    task.take_turn()
    assert json.loads(said.getvalue().splitlines()[-1])["status"] == "stopped"


def test_a_held_run_ends_when_it_is_told_to(worker: Talk) -> None:
    worker.start("let go")
    worker.until("let go", "opened")
    worker.start("hand on it", preview=True, turn=1, warm={"run": "let go", "file": "none"})
    worker.until("hand on it", "turned")
    worker.say(do="stop", id="let go")
    worker.until("let go", "ended")
    worker.say(do="stop", id="hand on it")
    worker.until("hand on it", "ended")


def test_it_steps_back_as_far_as_it_is_told(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(COURTESY, "3")
    talk, own = Talk(tmp_path / "runs", repository), os.getpriority(os.PRIO_PROCESS, 0)
    until(lambda: os.getpriority(os.PRIO_PROCESS, talk.process.pid) == own + 3)
    # Busy workers in the server's session may take all of the processor from every other session.
    until(lambda: os.getsid(talk.process.pid) == talk.process.pid)
    share = Path(f"/proc/{talk.process.pid}/autogroup")
    until(lambda: not share.exists() or share.read_text().split()[1:] == ["nice", "3"])
    assert talk.end() == 0


def test_a_pace_is_kept_to(worker: Talk) -> None:
    worker.start("c", pace=20)
    reader = Reader(Path(worker.until("c", "opened")["path"]))
    first, begun = reader.version[0], monotonic()
    sleep(0.5)
    made, spent = reader.version[0] - first, monotonic() - begun
    assert made <= 20 * spent + 2
    worker.say(do="pace", id="c", pace=None)
    until(lambda: reader.version[0] > first + made + 200)
    worker.say(do="stop", id="c")
    worker.until("c", "ended")


def test_a_run_in_a_worker_finds_what_a_run_here_finds(worker: Talk) -> None:
    params = {"n_components": 9, "max_iter": 40, "tol": 0.0}
    worker.start("d", "n2s2l", params)
    reader = Reader(Path(worker.until("d", "opened")["path"]))
    ended = worker.until("d", "ended")
    record = run(RunRequest("swimmer", "n2s2l", params))
    curve = reader.curve()
    assert ended["status"] == record.status
    assert np.allclose(curve[:, 0], record.objective)
    for place, name in enumerate(reader.layout.terms):
        assert np.allclose(curve[:, 2 + place], record.terms[name])
    assert ended["scores"].keys() == record.scores.keys()
    assert ended["seconds"] == curve[-1, 1]
    iteration, arrays = reader.latest()
    assert iteration == 40
    assert np.allclose(arrays["components"], record.arrays["components"], atol=1e-4)


def test_a_request_that_is_refused_fails_alone(worker: Talk) -> None:
    worker.start("e")
    worker.until("e", "running")
    worker.start("f", "n2s2l", {"n_components": 2, "n_discriminative": 5})
    failed = worker.until("f", "ended")
    assert failed["status"] == "failed"
    assert "n_discriminative=5 must be smaller than n_components=2" in failed["message"]
    worker.say(do="pause", id="nobody")
    worker.say(do="stop", id="f")
    worker.say(do="stop", id="e")
    assert worker.until("e", "ended")["status"] == "stopped"


def test_ctrl_c_in_the_terminal_is_left_to_the_server(worker: Talk) -> None:
    worker.start("g")
    worker.until("g", "running")
    worker.process.send_signal(signal.SIGINT)
    worker.say(do="stop", id="g")
    assert worker.until("g", "ended")["status"] == "stopped"


def test_a_very_long_run_needs_no_large_file(worker: Talk) -> None:
    worker.start("h", params=ENDLESS | {"max_iter": 10**15}, paused=True)
    path = Path(worker.until("h", "opened")["path"])
    assert path.stat().st_size < 20_000_000
    worker.say(do="stop", id="h")
    worker.until("h", "ended")


def test_a_method_that_breaks_costs_nobody_else_their_run(tmp_path: Path, repository: Path) -> None:
    talk = Talk(tmp_path / "runs", repository, "-c", BROKEN)
    talk.say(do="warm", dataset="nowhere", method="nmf")
    talk.start("good")
    talk.until("good", "running")
    talk.start("growing", "lnmf", {"max_iter": 10_000})
    talk.start("unscored", "semi_nmf", {"max_iter": 5, "tol": 0.0, "init": "random"})
    for id, why in (("growing", "could not be shown"), ("unscored", "nothing to compare")):
        ended = next((n for n in talk.heard if (n["run"], n["event"]) == (id, "ended")), None)
        ended = ended or talk.until(id, "ended")
        assert ended["status"] == "failed"
        assert why in ended["message"]
    talk.say(do="stop", id="good")
    assert talk.until("good", "ended")["status"] == "stopped"

    talk.start("last")
    talk.until("last", "running")
    assert talk.folder.is_dir()
    assert talk.end() == 0
    assert not talk.folder.exists(), "nothing stays behind when the server goes"
    assert "unknown data set 'nowhere'" in talk.errors


def test_a_run_whose_folder_is_gone_makes_no_noise(tmp_path: Path, repository: Path) -> None:
    """Of several workers one notices first that the server has died, and clears up for all."""
    talk = Talk(tmp_path / "runs", repository)
    talk.start("a", paused=True)
    reader = Reader(Path(talk.until("a", "opened")["path"]))
    until(lambda: reader.version[0] == 1)
    shutil.rmtree(talk.folder / "a")
    talk.say(do="step", id="a", steps=9)
    until(lambda: reader.version[0] == 10)
    talk.say(do="stop", id="a")
    assert talk.until("a", "ended")["status"] == "stopped"
    assert talk.end() == 0
    assert talk.errors == ""


SERVER = """
import sys, time
from experiments import RunRequest
from experiments.engine.service import Service
from experiments.engine.worker_process import PROGRAM
from experiments.engine.worker_template import prepare_template

service = Service(2)
runs = [service.submit(RunRequest("swimmer", "nmf", {"max_iter": 10**7, "tol": 0.0}, seed=s)) for s in (0, 1)]
while any(len(run.snapshots) < 5 for run in runs):
    time.sleep(0.01)
print(runs[0].folder.parent, *service.worker_pids, prepare_template(PROGRAM).pid, flush=True)
time.sleep(600)
"""


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    # Ended, but nobody has taken note yet: containers do not always have an init that does.
    return status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"


def test_a_server_that_is_killed_leaves_nothing_behind(tmp_path: Path, repository: Path) -> None:
    with (tmp_path / "errors").open("w+") as errors:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER], cwd=repository, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert server.stdout is not None
        with server.stdout as said:
            folder, *pids = said.readline().split()
            assert len(pids) == 3
            assert Path(folder).is_dir()
            server.kill()
            server.wait()
            until(lambda: all(gone(int(pid)) for pid in pids))
        until(lambda: not Path(folder).exists())
        errors.seek(0)
        assert errors.read() == ""
