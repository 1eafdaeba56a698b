"""Methods tuned against each other: alike, nested, and tested."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from experiments.requests.request import RunRequest
from experiments.trials import Result
from experiments.tuning import SweepTable, table_of, trials_of
from experiments.tuning.contest import contest, fair_sweeps, nested, usual_axes
from experiments.tuning.sweep import HONEST, SEEN, Sweep

REQUEST = RunRequest("iris", "nmf", split={"labelled_per_class": 4})


def filled(sweep: Sweep, chosen_by: Any, counts: Any) -> SweepTable:
    results = {}
    for at, trials in enumerate(trials_of(sweep).trials.values()):
        for split, trial in enumerate(trials):
            scores = {HONEST.name: chosen_by(at, split), SEEN.name: counts(at, split)}
            results[trial.key] = Result(scores)
    return table_of(sweep, results)


def test_every_method_has_as_many_trials_on_the_same_splits() -> None:
    sweeps = fair_sweeps(REQUEST, ["n2s2l", "cons", "lda"], 6, splits=4)
    sizes = {id: len(trials_of(sweep).trials) for id, sweep in sweeps.items()}
    assert set(sizes.values()) <= {1, 6}
    assert sizes["n2s2l"] == 6
    assert {sweep.seeds for sweep in sweeps.values()} == {(0, 1, 2, 3)}
    assert [item.param for item in usual_axes("n2s2l")][:2] == ["alpha", "beta"]


def test_each_split_chooses_for_itself_and_only_by_its_own_labels() -> None:
    sweep = fair_sweeps(REQUEST, ["n2s2l"], 5, splits=3)["n2s2l"]
    # On split s point s looks best to the labelled rows; what counts is another matter.
    table = filled(sweep, lambda at, split: float(at == split), lambda at, split: 0.1 * at + 0.01 * split)
    tuned = nested(table)
    points = list(trials_of(sweep).trials)
    assert list(tuned.points) == points[:3]
    assert list(tuned.scores) == pytest.approx([0.0, 0.11, 0.22])


def test_the_best_after_tuning_is_told_with_how_sure_that_is() -> None:
    sweeps = fair_sweeps(REQUEST, ["n2s2l", "cons"], 4, splits=5)
    tables = {
        id: filled(
            sweep, lambda at, split: at, lambda at, split, up=id == "n2s2l": 0.6 + 0.2 * up + 0.01 * split
        )
        for id, sweep in sweeps.items()
    }
    found = contest(tables)
    assert found.leader == "n2s2l"
    assert found.differences["cons"].mean == pytest.approx(0.2)
    assert "20.0 points ahead" in " ".join(found.sentences)


def test_a_method_that_cannot_choose_by_its_labels_says_why() -> None:
    sweeps = fair_sweeps(REQUEST, ["n2s2l", "lda"], 4, splits=3)
    table = filled(sweeps["n2s2l"], lambda at, split: at, lambda at, split: 0.5)
    why = Result({SEEN.name: 0.9}, {HONEST.name: "One label of each class is too few."})
    refused = table_of(sweeps["lda"], {t.key: why for t in trials_of(sweeps["lda"]).in_turn()})
    found = contest({"n2s2l": table, "lda": refused})
    assert found.leader == "n2s2l"
    assert (
        found.sentences[-1]
        == "LDA could choose nothing by its own labels. One label of each class is too few."
    )


def test_methods_that_were_not_tuned_alike_are_not_compared() -> None:
    sweeps = fair_sweeps(REQUEST, ["n2s2l", "cons"], 4, splits=2)
    tables = {id: filled(sweep, lambda at, split: at, lambda at, split: at) for id, sweep in sweeps.items()}
    more = replace(sweeps["cons"], budget=6)
    with pytest.raises(ValueError, match="budgets differ"):
        contest(tables | {"cons": filled(more, lambda at, split: at, lambda at, split: at)})
    other = replace(sweeps["cons"], splits=3)
    with pytest.raises(ValueError, match="same data"):
        contest(tables | {"cons": filled(other, lambda at, split: at, lambda at, split: at)})
