"""Runs of one owner and what the store has of them. Servers of tests load it: it loads little itself."""

from __future__ import annotations

from experiments import RunRequest
from experiments.engine.service import Service
from experiments.persistence.run_keeper import RunKeeper
from experiments.store import RunFilter, StoredRun
from tests.waiting import ended

ME = "a token of mine"
QUICK = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 30, "tol": 0.0})
ENDLESS = RunRequest("swimmer", "nmf", {"n_components": 5, "max_iter": 100_000, "tol": 0.0})


def own(keeper: RunKeeper) -> list[StoredRun]:
    assert keeper.store is not None
    return list(keeper.store.find(RunFilter(ME)).runs)


def statuses(keeper: RunKeeper) -> dict[str, str]:
    return {run.id: run.status for run in own(keeper)}


def six(service: Service) -> list[str]:
    handles = [service.submit(QUICK, owner=ME) for _ in range(6)]
    ended(*handles)
    return [handle.id for handle in handles]
