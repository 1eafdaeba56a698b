"""Trials carried by the workers of the app, between its runs: the same numbers if a worker is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest

from experiments.engine.service import Service
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Trial, evaluate
from experiments.trials.carriers.app_workers import AppWorkers
from experiments.trials.carry import carry
from experiments.trials.result_cache import ResultCache
from experiments.worker_program import PROGRAM
from tests.waiting import PATIENCE, until

SWIMMER = RunRequest("swimmer", "nmf", {"n_components": 16, "max_iter": 30})
WANTED = (MeasureRequest("error"), MeasureRequest("iterations"))


def trials(count: int) -> list[Trial]:
    return [Trial(replace(SWIMMER, seed=seed), WANTED) for seed in range(count)]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service(2, forgotten_after=PATIENCE, program=PROGRAM)
    yield service
    service.close()


def test_killed_workers_in_the_middle_of_a_table_change_no_number(service: Service) -> None:
    work, results = trials(12), {}
    for key, result in carry(work, AppWorkers(service), ResultCache()):
        results[key] = result
        if len(results) in (2, 6):
            os.kill(service.worker_pids[-1], signal.SIGKILL)
    assert {key: result.scores for key, result in results.items()} == {
        trial.key: evaluate(trial).scores for trial in work
    }
    assert all(result.where for result in results.values())


def test_a_run_somebody_watches_moves_on_while_a_table_is_filled_in(service: Service) -> None:
    watched = service.submit(replace(SWIMMER, params={"n_components": 4, "max_iter": 10_000_000}), pace=50.0)
    until(lambda: watched.version[0] > 2)
    arrivals, at = carry(trials(8), AppWorkers(service), ResultCache()), watched.version[0]
    assert len(dict(arrivals)) == 8
    until(lambda: watched.version[0] > at)
    assert not watched.restarted
    service.command(watched.id, "stop")


def test_nothing_goes_on_for_a_table_that_was_closed(service: Service) -> None:
    endless = replace(SWIMMER, params={"n_components": 16, "max_iter": 10_000_000, "tol": 0.0})
    arrivals = carry([Trial(endless, WANTED), *trials(1)], AppWorkers(service), ResultCache())
    next(arrivals)
    arrivals.close()
    until(lambda: not any(worker.jobs for worker in service._pool.workers), "the trial goes on for nobody")
    assert len(dict(carry(trials(4), AppWorkers(service), ResultCache()))) == 4
