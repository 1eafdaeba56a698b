"""A worker that has nothing to do holds no more memory than before it had something to do."""

from __future__ import annotations

import time
from pathlib import Path

from experiments import RunRequest
from experiments.engine.service import Service
from tests.waiting import ended


def resident(pid: int) -> float:
    """Return the memory of a process in MB that is its own, mapped files not counted."""
    line = next(
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("RssAnon")
    )
    return int(line.split()[1]) / 1000


def carried_out(service: Service, seed: int) -> None:
    """Carry out a few runs, each with arrays of about 10 MB."""
    runs = [
        service.submit(RunRequest("orl", "nmf", {"n_components": 60, "max_iter": 4}, seed=seed + i))
        for i in range(6)
    ]
    ended(*runs)
    time.sleep(0.5)


def test_memory_is_given_back_after_runs() -> None:
    service = Service(1)
    try:
        carried_out(service, 0)  # What is loaded and compiled now stays.
        before = resident(service.worker_pids[0])
        for turn in range(1, 4):
            carried_out(service, 10 * turn)
        assert resident(service.worker_pids[0]) < before + 15
    finally:
        service.close()
