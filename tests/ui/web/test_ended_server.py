"""What a server leaves behind: nothing after SIGTERM, and after SIGKILL nothing once it has started again."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from scripts.app_server import Server, serving
from tests.waiting import until


def folders(temporary: Path) -> list[Path]:
    return [path for path in temporary.iterdir() if path.name.startswith("partwise-")]


def finished(temporary: Path) -> list[Path]:
    return [path for path in folders(temporary) if not path.name.startswith("partwise-new-")]


def members(server: Server) -> list[str]:
    """Return the living processes of the server's group."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == server.process.pid and fields[0] != "Z":
                found.append(entry.name)
    return found


def test_no_folder_and_no_process_outlives_a_server(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with serving(tmp_path, TMPDIR=str(temporary)) as server:
        # One that has no lock yet when its server is killed is left alone for a minute.
        until(lambda: len(finished(temporary)) == 2, "there is one for runs and one for uploads")
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait()
        until(lambda: not members(server))
        left = folders(temporary)
        assert len(left) == 2
    with serving(tmp_path, TMPDIR=str(temporary)) as server:
        until(lambda: len(folders(temporary)) == 2 and not {*left} & {*folders(temporary)})
        until(lambda: len(members(server)) > 1, "it has no workers")
        server.process.send_signal(signal.SIGTERM)
        server.process.wait()
        until(lambda: not members(server))
        assert folders(temporary) == []
