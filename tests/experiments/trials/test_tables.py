"""Tables behind pages: filled in fairly, while somebody looks, once for all, also after a restart."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from sqlalchemy import URL

from experiments.requests.request import RunRequest
from experiments.store import RunStore
from experiments.trials import MeasureRequest, Result, Trial, evaluate
from experiments.trials.carriers import CarrierError, Processes
from experiments.trials.result_cache import ResultCache
from experiments.trials.tables import Tables
from tests.experiments.trials.carriers import Gate, Here
from tests.waiting import until

IRIS = RunRequest("iris", "pca")


def trials(count: int, method: str = "pca") -> list[Trial]:
    return [
        Trial(replace(IRIS, method=method, seed=seed), (MeasureRequest("accuracy"),)) for seed in range(count)
    ]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    opened = RunStore(URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")))
    yield opened
    opened.close()


@pytest.fixture
def made() -> Iterator[list[Tables]]:
    found: list[Tables] = []
    yield found
    for tables in found:
        tables.close()


def filled(tables: Tables, owner: str, work: list[Trial]) -> dict[str, Result]:
    until(lambda: len(tables.ask(owner, "a table", work)) == len(work), "the table is never full")
    return tables.ask(owner, "a table", work)


def test_a_table_is_filled_in_and_the_numbers_are_those_of_the_trials(made: list[Tables]) -> None:
    made.append(Tables(Here, ResultCache))
    work = trials(3)
    found = filled(made[0], "me", work)
    assert {key: result.scores for key, result in found.items()} == {
        trial.key: evaluate(trial).scores for trial in work
    }


def test_a_second_visitor_a_restart_and_another_server_find_what_there_is(
    made: list[Tables], store: RunStore
) -> None:
    work, who = trials(4), [Here(), Here()]
    made += [Tables(lambda one=one: one, lambda: ResultCache(store.trials, store.server)) for one in who]
    first = filled(made[0], "me", work)
    assert made[0].ask("somebody else", "a table", work) == first
    made[0].close()
    # A patient one has all of it with the first answer.
    assert made[1].ask("me", "a table", work, patience=60) == first
    assert who[1].opened == 0


def test_the_least_served_comes_next_and_each_table_in_its_order(made: list[Tables]) -> None:
    gate = Gate()
    made.append(Tables(lambda: gate, ResultCache))
    mine, theirs = trials(8), trials(3, "lda")
    made[0].ask("me", "a table", mine)
    until(lambda: len(gate.waiting) == 1)
    made[0].ask("them", "a table", theirs)
    for count in range(2, 7):
        gate.let_through(seconds=1.0)
        until(lambda count=count: len(gate.begun) == count, "nothing more is begun")
        made[0].ask("me", "a table", mine)
        made[0].ask("them", "a table", theirs)
    order = [trial.request.method for trial in gate.begun]
    assert order[:6].count("lda") == 3
    assert [trial.request.seed for trial in gate.begun if trial.request.method == "pca"] == [0, 1, 2]
    gate.open_wide()


def test_nothing_is_begun_for_those_who_have_left_or_ask_for_something_else(made: list[Tables]) -> None:
    gate = Gate()
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=0.2))
    made[0].ask("me", "a table", trials(4))
    until(lambda: len(gate.begun) == 1)
    sleep(0.3)
    gate.let_through()
    until(lambda: not gate.waiting)
    made[0].ask("me", "a table", trials(1, "lda"))
    until(lambda: len(gate.begun) == 2)
    assert gate.begun[1].request.method == "lda"
    gate.open_wide()


def test_one_may_look_at_several_tables_and_look_only(made: list[Tables]) -> None:
    who = Here()
    made.append(Tables(lambda: who, ResultCache))
    mine, other = trials(2), trials(1, "lda")
    assert made[0].ask("me", "look", other, begins=False, patience=60) == {}
    made[0].ask("me", "one", mine)
    until(lambda: len(made[0].ask("me", "one", mine)) == 2)
    assert made[0].ask("me", "look", other, begins=False) == {}
    assert sorted(who.done) == sorted(trial.key for trial in mine)


def test_when_nobody_can_work_it_says_why(made: list[Tables]) -> None:
    class Nobody(Here):
        def open(self):
            raise CarrierError("Nobody answers there.")

    made.append(Tables(Nobody, ResultCache))
    (trial,) = trials(1)
    found = filled(made[0], "me", [trial])
    assert found[trial.key].problem("accuracy") == "Nobody answers there."


def test_what_came_of_an_upload_goes_with_it(made: list[Tables], store: RunStore) -> None:
    made.append(Tables(Here, lambda: ResultCache(store.trials, store.server)))
    work = trials(2)
    filled(made[0], "me", work)
    made[0].drop("iris")
    assert not made[0].ask("me", "a table", [])
    rows = store.trials
    assert set(rows.known([trial.key for trial in work])) == {trial.key for trial in work}, "it was no upload"


_ENDED_BY_A_SIGNAL = """
import os
from dataclasses import replace
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Trial
from experiments.trials.carriers import Processes
from experiments.trials.result_cache import ResultCache
from experiments.trials.tables import Tables
trial = Trial(RunRequest("iris", "pca"), (MeasureRequest("accuracy"),))
tables = Tables(lambda: Processes(1), ResultCache)
while not tables.ask("me", "a table", [trial], patience=1):
    pass
tables.close()
os._exit(0)
"""


def test_a_server_that_has_closed_its_tables_leaves_nothing_to_the_system() -> None:
    line = [sys.executable, "-c", _ENDED_BY_A_SIGNAL]
    ended = subprocess.run(line, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_nothing_is_computed_in_this_process_and_no_process_is_left(made: list[Tables]) -> None:
    made.append(Tables(lambda: Processes(1), ResultCache))
    found = filled(made[0], "me", trials(2))
    assert all(result.where for result in found.values())
    made[0].close()
    assert made[0]._thread is not None
    assert not made[0]._thread.is_alive()
