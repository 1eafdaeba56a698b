"""Workers are forked from a template: none of them imports anything, and each is as if newly started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from experiments.engine.service import Service
from experiments.engine.worker_jobs import WorkerLostError
from tests.experiments.engine import counting_worker
from tests.experiments.engine.test_service import endless, rows, running
from tests.waiting import PATIENCE, ended, until


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Service]:
    """A service of one worker, whose jobs write into a folder of this test's."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    service = Service(1, forgotten_after=PATIENCE, program=("-m", counting_worker.__name__))
    yield service
    service.close()


def told(service: Service, name: str) -> tuple[str, int]:
    """Return the value of a variable in a worker, and the parent of the worker."""
    value, parent = service.jobs.submit("tell", name).result(PATIENCE).split()
    return value, int(parent)


def test_a_new_worker_comes_from_the_same_template_with_the_environment_of_now(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARTWISE_TOLD", "first")
    value, template = told(service, "PARTWISE_TOLD")
    assert value == "first"
    assert template != os.getpid()
    waiting = service.jobs.submit("count", "endless -1")
    monkeypatch.setenv("PARTWISE_TOLD", "second")
    os.kill(service.worker_pids[0], signal.SIGKILL)
    with pytest.raises(WorkerLostError, match="most likely the machine ran out of memory"):
        waiting.result(PATIENCE)
    assert told(service, "PARTWISE_TOLD") == ("second", template)

    run = running(service.submit(endless()))
    os.kill(template, signal.SIGKILL)
    at = rows(run)
    until(lambda: run.touch() or rows(run) > at + 20, "a run stops with the template of its worker")
    assert not run.ended
    os.kill(service.worker_pids[0], signal.SIGKILL)
    until(lambda: run.touch() or run.ended or run.restarted)
    service.command(run.id, "stop")  # One that begins again leaves no turn to others.
    ended(run)
    another = told(service, "PARTWISE_TOLD")
    assert another[0] == "second"
    assert another[1] not in (template, os.getpid())
