"""Guided search: from the results alone, the same for everybody, better than chance, and loaded late."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Result
from experiments.tuning import Sweep, axis, importances, pareto_front, table_of, trials_of, work_of
from tests.ready_python import ReadyPython

SEEN, ERROR = MeasureRequest("accuracy"), MeasureRequest("error")
AXES = (axis("n2s2l", "alpha", 1e-3, 1e4), axis("n2s2l", "beta", 1e-4, 1e2))
SWEEP = Sweep(RunRequest("iris", "n2s2l"), AXES, (SEEN,), splits=2, strategy="guided", budget=40)


def answered(sweep: Sweep, score: Any, results: dict[str, Result] | None = None) -> dict[str, Result]:
    """Go on with a search to its end; `score` says what a point comes to (None: it fails)."""
    results = dict(results or {})
    while work_of(sweep, results):
        for point, trials in trials_of(sweep, results).trials.items():
            for trial in trials:
                scores = score(point)
                results[trial.key] = (
                    Result(status="diverged", message="It diverged.") if scores is None else Result(scores)
                )
    return results


def hill(point: Any) -> dict[str, float]:
    distance = (math.log10(point[0]) - 2) ** 2 + 0.1 * (math.log10(point[1]) + 1) ** 2
    return {SEEN.name: math.exp(-distance / 4), ERROR.name: 0.5 + math.log10(point[0]) / 20}


def test_a_search_comes_closer_than_chance_within_its_budget() -> None:
    table = table_of(SWEEP, answered(SWEEP, hill))
    assert len(table.cells) == 40
    assert table.whole
    best = table.best()
    assert best is not None
    chance = replace(SWEEP, strategy="random")
    by_chance = table_of(chance, answered(chance, hill)).best()
    assert by_chance is not None
    assert best.mean(SEEN) > 0.99
    assert best.mean(SEEN) >= by_chance.mean(SEEN)


def test_whoever_has_the_results_is_told_the_same_points() -> None:
    results = answered(SWEEP, hill)
    assert list(trials_of(SWEEP, results).trials) == list(
        trials_of(Sweep.from_json(SWEEP.to_json()), answered(SWEEP, hill)).trials
    )
    # Broken off at any moment it goes on from there.
    keys = [trial.key for trials in trials_of(SWEEP, results).trials.values() for trial in trials]
    some = {key: results[key] for key in keys[:31]}
    begun = list(trials_of(SWEEP, some).trials)
    assert 12 <= len(begun) < 40
    assert begun == list(trials_of(SWEEP, results).trials)[: len(begun)]
    assert answered(SWEEP, hill, some) == results


def test_a_search_goes_round_what_fails() -> None:
    table = table_of(SWEEP, answered(SWEEP, lambda point: None if point[0] > 500 else hill(point)))
    best = table.best()
    assert best is not None
    assert best.mean(SEEN) > 0.95
    assert {cell.status for cell in table.cells if cell.point[0] > 500} <= {"failed"}


def test_a_small_space_is_used_up_and_the_search_ends() -> None:
    few = replace(SWEEP, axes=(axis("n2s2l", "smooth_neighbors", 1, 5),), budget=30)
    table = table_of(few, answered(few, lambda point: {SEEN.name: float(point[0])}))
    assert {cell.point for cell in table.cells} == {(value,) for value in range(1, 6)}
    assert table.whole


def test_several_goals_give_a_front() -> None:
    several = replace(SWEEP, measures=(SEEN, ERROR), goals=(SEEN.name, ERROR.name))
    table = table_of(several, answered(several, hill))
    front = pareto_front(table, (SEEN, ERROR))
    scores = np.array([[-cell.mean(SEEN), cell.mean(ERROR)] for cell in front])
    assert len(front) > 2
    for cell in table.cells:
        cost = np.array([-cell.mean(SEEN), cell.mean(ERROR)])
        beaten = ((scores <= cost).all(axis=1) & (scores < cost).any(axis=1)).any()
        assert beaten != (cell in front)
    assert (np.diff(scores[:, 0]) >= 0).all()


@pytest.mark.parametrize("strategy", ["grid", "sobol"])
def test_importance_tells_what_matters(strategy: Any) -> None:
    sweep = replace(SWEEP, strategy=strategy, budget=60)
    found = importances(table_of(sweep, answered(sweep, hill)))
    assert sum(found.values()) == pytest.approx(1)
    assert found["alpha"] > 2 * found["beta"]
    assert importances(table_of(sweep, answered(sweep, lambda point: {SEEN.name: 0.5}))) == {}


def test_optuna_is_loaded_late(repository: Path, ready_python: ReadyPython) -> None:
    program = (
        "import sys, app, experiments, experiments.tuning, experiments.cli.command_line\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'optuna'])"
    )
    done = ready_python.run(["-c", program], cwd=repository)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith("[]")


def test_a_search_with_too_many_points_is_refused() -> None:
    with pytest.raises(ValueError, match="up to 500"):
        replace(SWEEP, budget=501)
