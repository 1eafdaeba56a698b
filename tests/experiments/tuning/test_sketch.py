"""A quick look at every cell: first of all, for a few iterations, and gone where the fit itself is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Result, Trial
from experiments.tuning import Sweep, all_work_of, axis, table_of, trials_of
from experiments.tuning.report import as_csv

SEEN = MeasureRequest("accuracy")
BASE = RunRequest("iris", "n2s2l", {"n_components": 4, "max_iter": 500})
AXES = (axis("n2s2l", "alpha", 0.1, 1000, count=3),)
SWEEP = Sweep(BASE, AXES, (SEEN,), splits=2, continuation="sketched")


def lone(work: Any) -> list[Trial]:
    assert all(isinstance(piece, Trial) for piece in work)
    return list(work)


def test_every_cell_is_looked_at_before_any_is_fitted() -> None:
    work = lone(all_work_of(SWEEP, {}))
    assert [trial.request.params["max_iter"] for trial in work] == [10] * 3 + [500] * 6
    assert [trial.request.seed for trial in work[:3]] == [0, 0, 0]


def test_a_look_stands_in_until_the_fit_is_there() -> None:
    work = lone(all_work_of(SWEEP, {}))
    results = {trial.key: Result({SEEN.name: 0.25}) for trial in work[:3]}
    table = table_of(SWEEP, results)
    assert [cell.mean(SEEN) for cell in table.cells] == [0.25] * 3
    assert {cell.provisional for cell in table.cells} == {True}
    assert (table.done, table.total, table.whole) == (0, 6, False)
    assert "provisional" in as_csv(table)
    first, second = next(iter(trials_of(SWEEP).trials.values()))
    results[first.key] = Result({SEEN.name: 0.75})
    cell = table_of(SWEEP, results).cells[0]
    assert (cell.mean(SEEN), cell.provisional, cell.keys) == (0.75, False, (first.key, second.key))
    assert len(all_work_of(SWEEP, results)) == 2 + 6
    whole = table_of(SWEEP, results | {t.key: Result({SEEN.name: 0.75}) for t in work})
    assert whole.whole


@pytest.mark.parametrize("changes", [{"method": "lda", "params": {}}, {"params": {"max_iter": 20}}])
def test_what_is_quick_by_itself_is_not_looked_at_before(changes: dict[str, Any]) -> None:
    tuned = axis("lda", "metric") if "method" in changes else AXES[0]
    sweep = replace(SWEEP, request=replace(BASE, **changes), axes=(tuned,))
    assert len(all_work_of(sweep, {})) == len(trials_of(sweep).in_turn())
