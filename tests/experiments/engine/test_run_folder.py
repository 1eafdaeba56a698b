"""What killed servers leave behind goes with the next start; what belongs to a living one stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from experiments.engine.run_folder import make_run_folder

_SERVER = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from experiments.engine.run_folder import make_run_folder
folder, lock = make_run_folder()
print(folder, flush=True)
time.sleep(600)
"""


def test_folders_of_killed_servers_go_and_those_of_living_ones_stay(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    command = [sys.executable, "-c", _SERVER, str(tmp_path)]
    with subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        theirs = Path(server.stdout.readline().strip())
        mine, lock = make_run_folder()
        assert theirs.is_dir(), "its server lives"
        server.send_signal(signal.SIGKILL)
    again, another = make_run_folder()
    assert not theirs.exists()
    assert mine.is_dir()
    assert again.is_dir()
    lock.close()
    another.close()


def test_a_folder_whose_server_was_killed_before_it_was_locked_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, fresh = tmp_path / "partwise-new-left", tmp_path / "partwise-new-fresh"
    left.mkdir()
    fresh.mkdir()
    os.utime(left, (0, 0))
    mine, lock = make_run_folder()
    lock.close()
    assert set(tmp_path.iterdir()) == {mine, fresh}
