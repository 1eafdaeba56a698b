"""The process that decodes foreign bytes: whatever it does, its parent gets an answer or a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from datasets import Limits, UploadError
from datasets.reading import sandbox
from tests.datasets import hostile_jobs
from tests.waiting import until

QUICK = Limits(seconds=1)


def carried_out(job: sandbox.Job, folder: Path, limits: Limits = QUICK, **given: Any) -> Any:
    return sandbox.carry_out(job, folder, given, limits, 0)


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    given = {"words": ["é", "x\n"], "number": 0.1, "nested": {"none": None}}
    assert carried_out(hostile_jobs.echo, tmp_path, **given) == given


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (hostile_jobs.compute_for_ever, r"takes longer to open than a file of its size may \(1 s\)"),
        (hostile_jobs.crash, "The upload is damaged or not what its name says"),
        (hostile_jobs.be_killed, "takes more memory to open than a file of its size may"),
        (hostile_jobs.write_for_ever, "is damaged"),
        (hostile_jobs.open_many_files, "is damaged"),
        (hostile_jobs.say_nothing_readable, "is damaged"),
        (hostile_jobs.say_too_much, "is damaged"),
        (hostile_jobs.raise_anything, "is damaged"),
        (hostile_jobs.preach, "word word"),
    ],
)
def test_whatever_it_does_is_told_in_a_sentence(job: sandbox.Job, said: str, tmp_path: Path) -> None:
    with pytest.raises(UploadError, match=said) as told:
        carried_out(job, tmp_path)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 700
    assert carried_out(hostile_jobs.echo, tmp_path, still="there") == {"still": "there"}


def test_one_that_sleeps_is_ended_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_PATIENCE_MORE", 0)
    with pytest.raises(UploadError, match="takes longer to open"):
        carried_out(hostile_jobs.sleep_for_ever, tmp_path)


def test_memory_is_limited_by_what_is_allowed(tmp_path: Path) -> None:
    limits = Limits(memory_bytes=100_000_000)
    assert carried_out(hostile_jobs.take_memory, tmp_path, limits, bytes=60_000_000) == 60_000_000
    with pytest.raises(UploadError, match=r"more memory to open than a file of its size may \(100 MB\)"):
        carried_out(hostile_jobs.take_memory, tmp_path, limits, bytes=120_000_000)
    # A larger file may take more.
    larger = sandbox.carry_out(
        hostile_jobs.take_memory, tmp_path, {"bytes": 120_000_000}, limits, size=2_000_000
    )
    assert larger == 120_000_000


def test_a_killed_server_process_is_replaced(tmp_path: Path) -> None:
    assert carried_out(hostile_jobs.kill_the_server, tmp_path) == "answered"
    os.kill(carried_out(hostile_jobs.pid_of_server, tmp_path), 9)
    assert carried_out(hostile_jobs.echo, tmp_path, a=1) == {"a": 1}


def test_several_at_once_do_not_wait_for_each_other(tmp_path: Path) -> None:
    limits, done = Limits(seconds=2), threading.Event()
    refused: list[UploadError] = []

    def slow() -> None:
        (tmp_path / "slow").mkdir()
        try:
            carried_out(hostile_jobs.compute_for_ever, tmp_path / "slow", limits)
        except UploadError as refusal:
            refused.append(refusal)
        done.set()

    thread = threading.Thread(target=slow)
    thread.start()
    for number in range(5):
        assert carried_out(hostile_jobs.echo, tmp_path, n=number) == {"n": number}
    assert not done.is_set()
    thread.join()
    assert refused


def test_nothing_is_left_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = (
        "import os, threading, time, pathlib\n"
        "from datasets import Limits\n"
        "from datasets.reading import sandbox\n"
        "from tests.datasets import hostile_jobs\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "def carry(job, name):\n"
        "    (folder / name).mkdir()\n"
        "    return sandbox.carry_out(job, folder / name, {}, Limits(), 0)\n"
        "server = carry(hostile_jobs.pid_of_server, 'a')\n"
        "threading.Thread(target=carry, args=(hostile_jobs.sleep_for_ever, 'b'), daemon=True).start()\n"
        "children = pathlib.Path(f'/proc/{server}/task/{server}/children')\n"
        "while not children.read_text().split(): time.sleep(0.01)\n"
        "print(server, children.read_text(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False
    )
    pids = run.stdout.split()
    assert len(pids) == 2, run.stderr
    until(lambda: not any(Path("/proc", pid).exists() for pid in pids), "they live on")
