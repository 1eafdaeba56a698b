"""Sweeps left to go on by themselves: to the table that a command comes to, and on after a restart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Result
from experiments.trials.result_cache import ResultCache
from experiments.trials.unattended import Unattended
from experiments.tuning import Sweep, all_work_of, axis, carry_sweep, expected, table_of
from experiments.tuning.plan import KIND, SweepPlan
from experiments.tuning.report import as_csv
from tests.experiments.conftest import Serve, only
from tests.experiments.trials.carriers import Gate, Here, Some
from tests.waiting import until

AXES = (axis("n2s2l", "alpha", 0.1, 1000, count=4), axis("n2s2l", "beta", 1e-2, 100, count=2))
BASE = RunRequest("iris", "n2s2l", {"n_components": 3, "max_iter": 10, "solver": "accelerated"})
GRID = Sweep(BASE, AXES, (MeasureRequest("accuracy"),), splits=1)
GUIDED = replace(GRID, strategy="guided", budget=11, splits=2)
REFINED = replace(GRID, continuation="refined")
SKETCHED, PROVISIONAL = (replace(GRID, continuation=way) for way in ("sketched", "provisional"))
# Its whole space is tried before its budget is used up.
SMALL = replace(GUIDED, axes=(axis("n2s2l", "smooth_neighbors", 1, 3),), splits=1)
READERS = {KIND: SweepPlan.from_json}


def leave(left: Unattended, sweep: Sweep) -> str:
    left.leave("me", "A sweep", "tune", "data=iris", SweepPlan(sweep))
    return only(left).id


def comes_to(left: Unattended, sweep: Sweep) -> str:
    """Return the table of a sweep that has been left, as far as it has come; nothing is begun for that."""
    results, before = dict[str, Result](), -1
    while len(results) > before:
        before = len(results)
        results = left._tables.ask("them", "a look", all_work_of(sweep, results), begins=False, patience=60)
    return without_seconds(as_csv(table_of(sweep, results)))


def without_seconds(csv: str) -> str:
    head, *rows = [line.split(",") for line in csv.splitlines()]
    at = head.index("seconds")
    return "\n".join(",".join(row[:at] + row[at + 1 :]) for row in [head, *rows])


@pytest.mark.parametrize("sweep", [GUIDED, SMALL, SKETCHED, PROVISIONAL, REFINED])
def test_a_sweep_that_is_left_comes_to_the_table_of_a_command(serve: Serve, sweep: Sweep) -> None:
    here = Here()
    left = serve(here, READERS)
    # Its visitor still looks at it.
    left._tables.ask("me", "tune", SweepPlan(sweep).all_work({}))
    leave(left, sweep)
    until(lambda: only(left).status == "done")
    assert len(here.done) == len(set(here.done)) == only(left).done == only(left).whole
    results = dict(carry_sweep(sweep, Here(), ResultCache()))
    assert comes_to(left, sweep) == without_seconds(as_csv(table_of(sweep, results)))


@pytest.mark.parametrize("sweep", [GUIDED, REFINED])
def test_after_a_restart_a_sweep_goes_on_and_does_no_finished_fit_again(serve: Serve, sweep: Sweep) -> None:
    some, here = Some(3), Here()
    id = leave(serve(some, READERS), sweep)
    until(lambda: some.stuck)
    second = serve(here, READERS)
    assert only(second).status == "interrupted"
    known = second._tables._result_cache().lookup(some.done)
    second.go_on("me", id)
    until(lambda: only(second).status == "done")
    assert known
    assert not known.keys() & set(here.done)
    assert len(known) + len(here.done) == only(second).done == only(second).whole


def test_a_sweep_is_stopped_between_its_rounds_and_gone_on_with(serve: Serve) -> None:
    some = Some(18)
    left = serve(some, READERS)
    id = leave(left, GUIDED)
    until(lambda: some.stuck and only(left).done == 18)
    left.stop("me", id)
    until(lambda: all(future.cancelled() for future in some.stuck), "a stopped sweep goes on")
    row = only(left)
    assert (row.status, row.done, row.whole) == ("stopped", 18, expected(GUIDED))
    left.go_on("me", id)
    assert only(left).status == "going"


def test_nothing_more_is_begun_for_a_sweep_whose_minutes_are_over(serve: Serve) -> None:
    gate = Gate()
    left = serve(gate, READERS)

    def pass_by(seconds: float) -> None:
        for table in left._tables._tables():
            assert table.left is not None
            table.left.begun_at -= seconds

    left.leave("me", "A sweep", "tune", "data=iris", SweepPlan(GRID, minutes=60))
    until(lambda: len(gate.begun) == 1)
    pass_by(50 * 60)
    gate.let_through()
    until(lambda: len(gate.begun) == 2, "its minutes are not over")
    pass_by(11 * 60)
    gate.let_through()
    until(lambda: only(left).status == "stopped")
    assert (only(left).done, len(gate.begun)) == (2, 2)
    # Gone on with, it has as long again.
    left.go_on("me", only(left).id)
    until(lambda: len(gate.begun) == 3)
    pass_by(50 * 60)
    gate.open_wide()
    until(lambda: only(left).status == "done")


def test_too_many_fits_are_refused(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    left = serve(Here(), READERS)
    monkeypatch.setattr("experiments.trials.unattended.MOST_TRIALS", 30)
    for sweep, fits in ((replace(GUIDED, budget=16), 32), (REFINED, 33)):
        with pytest.raises(ValueError, match=f"takes {fits} trials"):
            leave(left, sweep)
    assert left.listed("me") == []
