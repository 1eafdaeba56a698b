"""A worker that has nothing to do holds no more memory than before it had something; threads share heaps."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments import RunRequest
from experiments.engine.service import Service
from tests.waiting import ended, until

# Says how many heaps the C library has made while eight threads hold some memory at the same time.
HEAPS = """
import ctypes, sys, threading
from experiments.engine.memory import share_heaps
if sys.argv[1] == "shared":
    share_heaps()
libc = ctypes.CDLL("libc.so.6")
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
together = threading.Barrier(8)
def hold():
    libc.malloc(5000)
    together.wait()
threads = [threading.Thread(target=hold) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fclose(out)
"""


def resident(pid: int) -> float:
    """Return the memory of a process in MB that is its own, mapped files not counted."""
    line = next(
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("RssAnon")
    )
    return int(line.split()[1]) / 1000


def carried_out(service: Service, seed: int) -> None:
    """Carry out a few runs, each with arrays of about 10 MB, and leave the worker alone for a moment."""
    runs = [
        service.submit(RunRequest("orl", "nmf", {"n_components": 60, "max_iter": 4}, seed=seed + i))
        for i in range(6)
    ]
    ended(*runs)
    time.sleep(1.0)


def test_memory_is_given_back_after_runs() -> None:
    service = Service(1)
    try:
        carried_out(service, 0)  # What is loaded and compiled now stays.
        before = resident(service.worker_pids[0])
        for turn in range(1, 4):
            carried_out(service, 10 * turn)
        until(lambda: resident(service.worker_pids[0]) < before + 15, "it keeps what runs have held")
    finally:
        service.close()


@pytest.mark.parametrize(("how", "few"), [("shared", True), ("as it is", False)])
def test_threads_share_their_heaps(repository: Path, how: str, few: bool) -> None:
    """With one for each thread, pages are asked of the system and handed back all the time."""
    told = subprocess.run(
        [sys.executable, "-c", HEAPS, how], capture_output=True, text=True, check=True, cwd=repository
    )
    assert (told.stdout.count("<heap nr") <= 2) is few, told.stdout
