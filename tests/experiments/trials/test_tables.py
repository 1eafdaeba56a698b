"""Tables behind pages: filled in fairly, while somebody looks, once for all, also after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from sqlalchemy import URL

from experiments.requests.request import RunRequest
from experiments.store import RunStore
from experiments.trials import Chain, MeasureRequest, Result, Trial, evaluate
from experiments.trials.carriers import CarrierError, Processes
from experiments.trials.carry import carry
from experiments.trials.plan import FixedPlan
from experiments.trials.result_cache import ResultCache
from experiments.trials.tables import Tables
from tests.experiments.trials.carriers import Gate, Here
from tests.ready_python import ReadyPython
from tests.waiting import PATIENCE, until

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


def test_what_is_under_way_for_those_who_have_left_is_taken_back(made: list[Tables]) -> None:
    gate = Gate()
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=0.2))
    made[0].ask("me", "a table", trials(4))
    until(lambda: len(gate.begun) == 1)
    until(lambda: gate.waiting[0].cancelled(), "the work goes on for nobody")
    made[0].ask("me", "a table", trials(1, "lda"))
    until(lambda: len(gate.begun) == 2)
    assert gate.begun[1].request.method == "lda"
    gate.open_wide()


def test_a_page_that_is_left_lets_go_of_its_work_sooner_unless_it_comes_back(made: list[Tables]) -> None:
    gate, work = Gate(), trials(1)
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=2 * PATIENCE))
    made[0].ask("me", "a table", work)
    until(lambda: len(gate.begun) == 1)
    made[0].let_go("me", "another table")
    made[0].let_go("them", "a table")
    made[0].let_go("me", "a table")
    made[0].ask("me", "a table", work)
    visitor = made[0]._visitors["me"]
    assert visitor.tables["a table"].seen_at > monotonic() - PATIENCE, "it has been asked for again"
    made[0].let_go("me", "a table")
    until(lambda: gate.waiting[0].cancelled(), "the work goes on for nobody")
    gate.open_wide()


def test_work_that_somebody_else_looks_at_too_goes_on(made: list[Tables]) -> None:
    gate, patient = Gate(), trials(1)
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=60))
    made[0].ask("me", "a table", patient)
    until(lambda: len(gate.begun) == 1)
    made[0].ask("them", "a table", patient)
    made[0].ask("me", "a table", trials(1, "lda"))
    gate.let_through()
    assert filled(made[0], "them", patient)
    assert not any(future.cancelled() for future in gate.waiting)
    gate.open_wide()


def test_one_visitor_leaves_room_for_the_others(made: list[Tables]) -> None:
    gate = Gate(width=4, by_owner=2)
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=60))
    made[0].ask("me", "a table", trials(9))
    until(lambda: len(gate.begun) == 2)
    made[0].ask("them", "a table", trials(9, "lda"))
    until(lambda: len(gate.begun) == 4)
    assert [owner for owner, _ in gate.whose] == ["me", "me", "them", "them"]
    gate.open_wide()


def test_a_table_left_to_go_on_comes_last_is_told_how_far_and_can_be_stopped(made: list[Tables]) -> None:
    gate, heard = Gate(), list[tuple[int, int, str]]()
    made.append(Tables(lambda: gate, ResultCache, forgotten_after=0.3))
    made[0].ask("them", "a table", trials(1))
    until(lambda: len(gate.begun) == 1)
    made[0].leave("me", "left", FixedPlan(tuple(trials(2, "nmf"))), lambda *news: heard.append(news))
    made[0].leave("me", "other", FixedPlan(tuple(trials(50, "lnmf"))), lambda *news: None)
    made[0].ask("them", "a table", trials(2))
    gate.let_through()
    until(lambda: len(gate.begun) == 2)
    gate.let_through()
    # Long after everybody is gone.
    until(lambda: len(gate.begun) == 3)
    gate.let_through()
    until(lambda: len(gate.begun) == 4)
    gate.let_through()
    until(lambda: heard[-1:] == [(2, 2, "done")], "it is not told that the table is complete")
    assert [trial.request.method for trial in gate.begun[:4]] == ["pca", "pca", "nmf", "nmf"]
    assert gate.whose[:4] == [("them", False)] * 2 + [("me", True)] * 2
    until(lambda: len(gate.begun) == 5)
    made[0].stop("me", "other")
    until(lambda: gate.waiting[-1].cancelled(), "a stopped table goes on")
    gate.open_wide()


def test_a_plan_that_fails_is_stopped_and_holds_up_nobody(made: list[Tables]) -> None:
    class Broken(FixedPlan):
        def all_work(self, results):
            raise ZeroDivisionError

    heard = list[tuple[int, int, str]]()
    made.append(Tables(Here, ResultCache))
    made[0].leave("me", "left", Broken(tuple(trials(2))), lambda *news: heard.append(news))
    filled(made[0], "them", trials(2))
    until(lambda: heard == [(0, 2, "stopped")])


def test_a_table_over_an_upload_that_is_removed_is_not_taken_up_again(made: list[Tables]) -> None:
    gate = Gate()
    made.append(Tables(lambda: gate, ResultCache))
    made[0].leave("me", "left", FixedPlan(tuple(trials(2))), lambda *news: None)
    until(lambda: len(gate.waiting) == 1)
    made[0].drop("iris")
    until(lambda: gate.waiting[0].cancelled(), "the work goes on over data that are gone")
    gate.open_wide()
    filled(made[0], "me", trials(1, "lda"))
    assert [trial.request.method for trial in gate.begun] == ["pca", "lda"]


def test_a_chain_is_one_piece_of_work(made: list[Tables]) -> None:
    made.append(Tables(Here, ResultCache))
    chain = Chain(tuple(trials(2)))
    until(lambda: len(made[0].ask("me", "a table", [chain])) == 2)
    assert set(made[0].ask("me", "a table", [chain])) == set(chain.keys)


def test_page_and_command_compute_nothing_twice(made: list[Tables], store: RunStore, tmp_path: Path) -> None:
    url, work = URL.create("sqlite", database=str(tmp_path / "runs.sqlite3")), trials(30)
    of_the_page, of_the_command = Here(), Here()
    made.append(Tables(lambda: of_the_page, lambda: ResultCache(store.trials, store.server)))
    with closing(RunStore(url)) as other:
        made[0].ask("me", "a table", work)
        # A command begins at the other end, so that they meet in the middle.
        arrivals = carry(work[::-1], of_the_command, ResultCache(other.trials, other.server))
        results = {}
        for key, result in arrivals:
            results[key] = result
            made[0].ask("me", "a table", work)
        on_the_page = filled(made[0], "me", work)
    assert {key: result.scores for key, result in on_the_page.items()} == {
        key: result.scores for key, result in results.items()
    }
    done = of_the_page.done + of_the_command.done
    assert len(done) == len(set(done)) == 30
    assert of_the_command.done


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
    assert set(rows.lookup([trial.key for trial in work])) == {trial.key for trial in work}, (
        "it was no upload"
    )


_ENDED_BY_A_SIGNAL = """
import os
from experiments.engine.service import Service
from experiments.requests.request import RunRequest
from experiments.trials import MeasureRequest, Trial
from experiments.trials.carriers.visitors import for_visitors
from experiments.trials.result_cache import ResultCache
from experiments.trials.tables import Tables
from experiments.worker_program import PROGRAM
trial = Trial(RunRequest("iris", "pca"), (MeasureRequest("accuracy"),))
service = Service(1, program=PROGRAM)
tables = Tables(lambda: for_visitors(service), ResultCache)
while not tables.ask("me", "a table", [trial], patience=1):
    pass
tables.close()
service.close()
os._exit(0)
"""


def test_a_server_that_has_closed_its_tables_leaves_nothing_to_the_system(
    repository: Path, ready_python: ReadyPython
) -> None:
    ended = ready_python.run(["-c", _ENDED_BY_A_SIGNAL], cwd=repository)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_nothing_is_computed_in_this_process_and_no_process_is_left(made: list[Tables]) -> None:
    made.append(Tables(lambda: Processes(1), ResultCache))
    found = filled(made[0], "me", trials(2))
    assert all(result.where for result in found.values())
    made[0].close()
    assert made[0]._thread is not None
    assert not made[0]._thread.is_alive()
