"""What a decoder taken over by a foreign file might do, as jobs for the limited process."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

from datasets import UploadError


def echo(folder: Path, given: dict[str, Any]) -> Any:
    return given


def compute_for_ever(folder: Path, given: dict[str, Any]) -> None:
    while True:
        pass


def sleep_for_ever(folder: Path, given: dict[str, Any]) -> None:
    while True:
        time.sleep(60)


def take_memory(folder: Path, given: dict[str, Any]) -> int:
    return len(bytearray(given["bytes"]))


def crash(folder: Path, given: dict[str, Any]) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def be_killed(folder: Path, given: dict[str, Any]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def kill_the_server(folder: Path, given: dict[str, Any]) -> str:
    """Kill the server process once; the second time there is an answer."""
    mark = folder / "killed"
    if not mark.exists():
        mark.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return "answered"


def write_for_ever(folder: Path, given: dict[str, Any]) -> None:
    with (folder / "large").open("wb") as file:
        file.truncate(10**13)


def open_many_files(folder: Path, given: dict[str, Any]) -> int:
    return len([(folder / str(number)).open("wb") for number in range(1000)])


def say_nothing_readable(folder: Path, given: dict[str, Any]) -> None:
    (folder / "answer.json").write_bytes(b"\xff not JSON")
    os._exit(0)


def say_too_much(folder: Path, given: dict[str, Any]) -> None:
    (folder / "answer.json").write_text(json.dumps({"answer": "x" * 20_000_000}))
    os._exit(0)


def preach(folder: Path, given: dict[str, Any]) -> None:
    raise UploadError("word\n" * 10_000)


def raise_anything(folder: Path, given: dict[str, Any]) -> None:
    raise KeyboardInterrupt("of its own kind")


def pid_of_server(folder: Path, given: dict[str, Any]) -> int:
    return os.getppid()
