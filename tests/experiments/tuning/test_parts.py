"""How many parts: what the criteria say together, in any range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from experiments.requests.request import RunRequest
from experiments.trials import Result
from experiments.tuning import SweepTable, advice, how_many_parts, parts_sweep, table_of, trials_of
from experiments.tuning.parts import CRITERIA
from experiments.tuning.sweep import SEEN
from tests.experiments.trials.carriers import Here

PLANTED = RunRequest(
    "planted_parts",
    "nmf",
    {"solver": "accelerated", "max_iter": 60},
    {"parts": 4, "noise": 0.1, "samples": 100},
)


def made_up(ks: range, error: Any, stable: Any, effective: int = 6) -> SweepTable:
    """A table without fits: `error` and `stable` say what a number of parts comes to."""
    sweep = parts_sweep(PLANTED, ks, splits=2)
    results = {}
    for (k,), trials in trials_of(sweep).trials.items():
        for split, trial in enumerate(trials):
            scores = [error(k), error(k), stable(k), stable(k), effective]
            names = [item.name for item in CRITERIA]
            jitter = 1e-4 * split
            results[trial.key] = Result(
                {name: score + jitter for name, score in zip(names, scores, strict=True)}
                | {SEEN.name: 0.5 + 0.01 * k}
            )
    return table_of(sweep, results)


def falls_until(most: int) -> Any:
    return lambda k: 1.0 - 0.1 * min(k, most)


def test_criteria_that_agree_give_one_number_and_widening_the_range_does_not_move_it() -> None:
    tables = [
        made_up(ks, falls_until(6), lambda k: 1.0 if k <= 6 else 0.5) for ks in (range(4, 10), range(2, 20))
    ]
    narrow, wide = (advice(table) for table in tables)
    assert narrow is not None
    assert wide is not None
    assert narrow.advice == wide.advice == 6
    assert narrow.by_criterion == wide.by_criterion
    assert "About 6 parts: 5 of 5 criteria say so" in narrow.sentences[0]
    assert (narrow.accuracy, wide.accuracy) == (9, 19)


def test_criteria_that_disagree_are_named_with_their_numbers() -> None:
    found = advice(made_up(range(2, 15), falls_until(12), lambda k: 1.0 if k <= 5 else 0.5, effective=8))
    assert found is not None
    text = " ".join(found.sentences)
    assert found.by_criterion["error on hidden entries"] == 12
    assert found.by_criterion["stability of single parts"] == 5
    assert "says 5" in text or "says 12" in text
    assert "matter of the start" in text


def test_a_criterion_that_has_not_decided_says_to_widen_the_range() -> None:
    found = advice(made_up(range(2, 6), falls_until(12), lambda k: 0.2))
    assert found is not None
    assert found.by_criterion["error on hidden entries"] is None
    assert any("widen the range" in sentence for sentence in found.sentences)
    assert any("too low at every number" in sentence for sentence in found.sentences)


def test_planted_parts_are_counted_by_most_criteria() -> None:
    found = how_many_parts(PLANTED, range(2, 8), splits=2, carrier=Here())
    near = [number for number in found.by_criterion.values() if number is not None and abs(number - 4) <= 1]
    assert len(near) >= 3
    assert found.advice is not None
    assert abs(found.advice - 4) <= 1
    assert all(np.isfinite(curve.values).all() for curve in found.curves)


@pytest.mark.parametrize("ks", [(2, 3, 5, 8), range(2, 5)])
def test_numbers_of_parts_may_be_any(ks: Any) -> None:
    assert parts_sweep(PLANTED, ks).axes[0].values == tuple(ks)
