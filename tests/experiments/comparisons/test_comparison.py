"""Comparisons: the right runs, each once, in turn, and none for those who have left."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

import datasets
from experiments import RunRequest
from experiments.comparisons.comparison import Comparisons, cells
from experiments.engine.handle import Handle
from experiments.requests.library import method_spec
from tests.waiting import until

BASE = RunRequest("iris", "pca", split={"labelled_per_class": 2, "held_out_per_class": 10}, seed=7)


class Runs:
    """Stands in for the service: runs that end when told to."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.started: list[Handle] = []
        self.at_once = at_once

    def __call__(self, request: RunRequest) -> Handle:
        if request.method == "refused":
            raise ValueError("not like this")
        handle = Handle(f"run {len(self.started)}", request, Path())
        self.started.append(handle)
        if self.at_once:
            self.end(handle)
        return handle

    @staticmethod
    def end(handle: Handle, status: str = "done", message: str = "") -> None:
        handle.scores, handle.message = {"accuracy_euclidean": 0.5}, message
        handle.status = status


def some(axis, values, splits: int = 2, names: tuple[str, ...] = ("pca", "lda")):
    return cells(datasets.load("iris"), BASE, [method_spec(name) for name in names], axis, values, splits)


def test_by_method_there_is_a_run_a_split() -> None:
    found = some("method", ())
    assert [(cell.method, cell.value, cell.split, cell.request.seed) for cell in found] == [
        ("pca", None, 0, 7), ("lda", None, 0, 7), ("pca", None, 1, 8), ("lda", None, 1, 8),
    ]  # fmt: skip
    assert len({cell.key for cell in found}) == 4


def test_along_labels_only_the_labels_change() -> None:
    found = some("labels", (1, 3), splits=1, names=("pca",))
    assert [cell.request.split for cell in found] == [
        {"labelled_per_class": 1, "held_out_per_class": 10},
        {"labelled_per_class": 3, "held_out_per_class": 10},
    ]


def test_along_dimension_methods_without_parts_stay_the_same() -> None:
    found = some("dimension", (2, 3), splits=1, names=("pca", "n2s2l", "hgf"))
    by_method = {name: [cell for cell in found if cell.method == name] for name in ("pca", "n2s2l", "hgf")}
    assert [cell.request.params["n_components"] for cell in by_method["pca"]] == [2, 3]
    assert [cell.request.params["n_discriminative"] for cell in by_method["n2s2l"]] == [1, 2]
    assert len({cell.key for cell in by_method["hgf"]}) == 1


def test_what_was_said_by_hand_does_not_count_in_other_splits() -> None:
    base = RunRequest("iris", "pca", labels=((0, "setosa"),), pairs=((0, 1, "must"),))
    found = cells(datasets.load("iris"), base, [method_spec("pca")], "method", (), 1)
    assert found[0].request.labels == ()
    assert found[0].request.pairs == ()


def test_all_runs_are_carried_out_a_few_at_a_time_and_only_once() -> None:
    runs = Runs()
    comparisons, wanted = Comparisons(runs, at_once=2, look_every=0.005), some("method", (), splits=3)
    assert comparisons.ask("me", wanted) == {}
    until(lambda: len(runs.started) == 2)
    time.sleep(0.05)
    assert len(runs.started) == 2
    while len(comparisons.ask("me", wanted)) < 6:
        for handle in runs.started:
            if not handle.ended:
                runs.end(handle)
        time.sleep(0.005)
    found = comparisons.ask("me", wanted)
    assert {outcome.scores["accuracy_euclidean"] for outcome in found.values()} == {0.5}
    assert len(runs.started) == 6
    comparisons.ask("somebody else", wanted)
    time.sleep(0.05)
    assert len(runs.started) == 6


def test_visitors_take_turns() -> None:
    runs = Runs()
    comparisons = Comparisons(runs, at_once=1, look_every=0.005)
    mine, theirs = some("method", (), splits=3, names=("pca",)), some("method", (), 3, ("lda",))
    comparisons.ask("me", mine)
    until(lambda: len(runs.started) == 1)
    comparisons.ask("them", theirs)
    for count in range(2, 6):
        runs.end(runs.started[-1])
        until(lambda count=count: len(runs.started) == count)
    assert [handle.request.method for handle in runs.started[1:5]].count("lda") == 2


def test_nothing_is_started_for_those_who_have_left() -> None:
    runs = Runs()
    comparisons = Comparisons(runs, at_once=1, look_every=0.005, forgotten_after=0.1)
    comparisons.ask("me", some("method", (), splits=3))
    until(lambda: len(runs.started) == 1)
    time.sleep(0.15)
    runs.end(runs.started[0])
    time.sleep(0.1)
    assert len(runs.started) == 1


def test_asking_for_something_else_drops_what_was_asked_before() -> None:
    runs = Runs()
    comparisons = Comparisons(runs, at_once=1, look_every=0.005)
    comparisons.ask("me", some("method", (), splits=3, names=("pca",)))
    until(lambda: len(runs.started) == 1)
    comparisons.ask("me", some("method", (), splits=1, names=("lda",)))
    runs.end(runs.started[0])
    until(lambda: len(runs.started) == 2)
    assert runs.started[1].request.method == "lda"


@pytest.mark.parametrize(
    ("status", "message", "said"),
    [("failed", "too few rows", "too few rows"), ("diverged", "", "This run has diverged.")],
)
def test_runs_that_fail_leave_a_message(status: str, message: str, said: str) -> None:
    runs = Runs()
    comparisons, wanted = Comparisons(runs, look_every=0.005), some("method", (), 1, ("pca",))
    comparisons.ask("me", wanted)
    until(lambda: len(runs.started) == 1)
    runs.end(runs.started[0], status, message)
    until(lambda: len(comparisons.ask("me", wanted)) == 1)
    outcome = comparisons.ask("me", wanted)[wanted[0].key]
    assert outcome.message == said
    assert not outcome.scores


def test_runs_that_cannot_be_started_leave_a_message() -> None:
    def refuse(request: RunRequest) -> Handle:
        raise ValueError("not like this")

    comparisons, wanted = Comparisons(refuse, look_every=0.005), some("method", (), 1, ("pca",))
    comparisons.ask("me", wanted)
    until(lambda: len(comparisons.ask("me", wanted)) == 1)
    assert comparisons.ask("me", wanted)[wanted[0].key].message == "not like this"
    assert any(thread.name == "comparisons" for thread in threading.enumerate())


def test_a_run_that_was_stopped_because_nobody_looked_is_run_again() -> None:
    runs = Runs()
    comparisons, wanted = Comparisons(runs, look_every=0.005), some("method", (), 1, ("pca",))
    comparisons.ask("me", wanted)
    until(lambda: len(runs.started) == 1)
    runs.end(runs.started[0], "stopped")
    until(lambda: len(runs.started) == 2)
    assert comparisons.ask("me", wanted) == {}
