"""Sweeps as plain data, the trials they take, and what their table says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Result, evaluate
from experiments.trials.result_cache import ResultCache
from experiments.tuning import (
    Sweep,
    axis,
    carry_sweep,
    edge_sentence,
    optimism,
    table_of,
    ties,
    trials_of,
    work_of,
)
from tests.experiments.trials.carriers import Here

ALPHA, BETA = axis("n2s2l", "alpha", 0.1, 1000, count=3), axis("n2s2l", "beta", 1e-2, 100, count=3)
BASE = RunRequest("iris", "n2s2l", {"n_components": 4, "max_iter": 8})
SWEEP = Sweep(BASE, (ALPHA, BETA), splits=2)
SEEN = MeasureRequest("accuracy")


def made_up(sweep: Sweep, score: Any, name: str = SEEN.name) -> dict[str, Result]:
    """Results without fits: `score` says what each point and split comes to, or a sentence."""
    results = {}
    for point, trials in trials_of(sweep).trials.items():
        for split, trial in enumerate(trials):
            value = score(point, split)
            results[trial.key] = (
                Result(status="diverged", message=value)
                if isinstance(value, str)
                else Result(
                    {name: value, "inner_accuracy(folds=2, metric=euclidean, reading=own, repeats=1)": value}
                )
            )
    return results


def test_a_sweep_is_plain_data_with_a_key_of_its_content() -> None:
    again = Sweep.from_json(SWEEP.to_json())
    assert again == SWEEP
    assert again.key == SWEEP.key
    assert replace(SWEEP, name="mine").key == SWEEP.key
    others = [replace(SWEEP, splits=3), replace(SWEEP, axes=(ALPHA,)), replace(SWEEP, measures=(SEEN,))]
    assert len({SWEEP.key, *(other.key for other in others)}) == 4


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"axes": ()}, "1 to 6 different"),
        ({"axes": (ALPHA, ALPHA)}, "1 to 6 different"),
        ({"measures": ()}, "something that counts"),
        ({"splits": 0}, "splits=0"),
        ({"strategy": "random"}, "1 to 5000 points, not 0"),
        ({"request": replace(BASE, params={"alpha": 1.0})}, "cannot be fixed"),
        ({"axes": (axis("nmf", "features"),), "request": replace(BASE, method="lda")}, "no parameter"),
        ({"axes": (axis("n2s2l", "metric"),), "measures": (MeasureRequest("iterations"),)}, "depends on the"),
        ({"goals": ("seconds",)}, "not among the measures"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_a_sentence(changes: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        replace(SWEEP, **changes)


def test_a_grid_tries_every_point_on_every_split_the_paper_first() -> None:
    table = trials_of(SWEEP)
    assert len(table.trials) == 9
    assert len(table.in_turn()) == 18
    assert next(iter(table.trials)) == (10.0, 1.0)
    first = table.in_turn()[0].request
    assert (first.params["alpha"], first.params["beta"], first.seed) == (10.0, 1.0, 0)


def test_points_that_only_read_otherwise_share_a_fit() -> None:
    sweep = replace(SWEEP, axes=(ALPHA, axis("n2s2l", "metric"), axis("n2s2l", "reading")), measures=(SEEN,))
    table = trials_of(sweep)
    assert len(table.trials) == 3 * 2 * 6
    assert len(table.in_turn()) == 3 * 2
    trial = table.in_turn()[0]
    result = evaluate(trial)
    names = {sweep.score_name(SEEN, point) for point in table.trials}
    assert names == set(result.scores)


@pytest.mark.parametrize("strategy", ["random", "sobol"])
def test_other_strategies_stay_within_the_ranges_and_always_try_the_same(strategy: Any) -> None:
    sweep = replace(SWEEP, strategy=strategy, budget=20)
    points = list(trials_of(sweep).trials)
    assert len(points) == 20
    assert points == list(trials_of(Sweep.from_json(sweep.to_json())).trials)
    assert all(0.1 <= alpha <= 1000 and 1e-2 <= beta <= 100 for alpha, beta in points)


def test_a_sweep_is_carried_out_and_what_is_known_is_not_done_again() -> None:
    sweep, cache, first, second = replace(SWEEP, axes=(ALPHA,)), ResultCache(), Here(), Here()
    arrivals = carry_sweep(sweep, first, cache)
    before = {next(arrivals)[0] for _ in range(3)}
    arrivals.close()
    results = dict(carry_sweep(sweep, second, cache))
    assert len(results) == 6
    assert not work_of(sweep, results)
    assert not before & set(second.done)
    table = table_of(sweep, results)
    assert table.whole
    assert [cell.status for cell in table.cells] == ["done"] * 3
    for cell in table.cells:
        assert 0 <= cell.mean(SEEN) <= 1


def test_a_trial_that_diverged_is_a_cell_with_a_sentence_and_never_the_best() -> None:
    table = table_of(
        SWEEP, made_up(SWEEP, lambda p, s: "It diverged." if p[0] == 1000 and s else p[0] / 1000)
    )
    failed = [cell for cell in table.cells if cell.point[0] == 1000]
    assert {cell.status for cell in failed} == {"failed"}
    assert failed[0].sentence == "It diverged."
    best = table.best()
    assert best is not None
    assert best.point[0] == 10


def test_of_equal_cells_the_plateau_is_chosen() -> None:
    heights = {(0.1, 0.01): 1.0, (1000.0, 1.0): 1.0, (1000.0, 100.0): 0.9, (10.0, 1.0): 0.9}
    table = table_of(SWEEP, made_up(SWEEP, lambda p, s: heights.get(p, 0.2)))
    best = table.best()
    assert best is not None
    assert best.point == (1000.0, 1.0)


def test_ties_are_those_the_corrected_test_cannot_tell_from_the_best() -> None:
    sweep = replace(SWEEP, splits=6)

    def score(point: Any, split: int) -> float:
        if point == (1000.0, 100.0):
            return 0.30 + 0.01 * split  # far below
        return 0.90 + 0.02 * (hash((point, split)) % 5)

    found = ties(table_of(sweep, made_up(sweep, score)))
    assert found is not None
    assert found.tested
    assert found.best in found.points
    assert (1000.0, 100.0) not in found.points
    assert len(found.points) == 8
    assert "Any of these 8 will do" in found.sentence
    assert "among them" in found.sentence


def test_few_splits_say_that_they_are_too_few() -> None:
    found = ties(table_of(SWEEP, made_up(SWEEP, lambda p, s: p[0] / 1000)))
    assert found is not None
    assert not found.tested
    assert "too few for a test" in found.sentence
    assert {point[0] for point in found.points} == {1000}


def test_the_optimism_is_what_choosing_by_the_test_flatters() -> None:
    inner = SWEEP.chosen_by.name
    results = {
        trial.key: Result({inner: point[0] / 1000, SEEN.name: 0.5 + point[1] / 1000})
        for point, trials in trials_of(SWEEP).trials.items()
        for trial in trials
    }
    told = optimism(table_of(SWEEP, results))
    assert told is not None
    assert told.honest[0] == 1000
    assert told.flattered[1] == 100
    assert told.gap == pytest.approx(told.flattered_score - told.honest_score)
    assert "optimism of choosing on the test set" in told.sentence


def test_a_winner_at_the_edge_says_so_and_the_wider_sweep_finds_its_trials_again() -> None:
    table = table_of(SWEEP, made_up(SWEEP, lambda p, s: p[0] / 1000 + (p[1] == 1) / 10))
    best = table.best()
    assert best is not None
    assert table.edges(best) == {"alpha": "high"}
    assert "alpha = 1000, the upper end" in edge_sentence(table, best)
    wider = table.widened(best)
    before = {trial.key for trial in trials_of(SWEEP).in_turn()}
    after = {trial.key for trial in trials_of(wider).in_turn()}
    assert before < after
