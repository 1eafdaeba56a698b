"""What is wrong in print is shown by small experiments; pairs are drawn anew for each split."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest

import datasets
from experiments.requests.request import RunRequest
from experiments.requests.splits import split
from experiments.studies import Candidate, Published, StudyCell, names, small_experiments, study
from experiments.studies.claim import Claim, shown_by
from experiments.studies.dpca_pairs import with_pairs
from experiments.studies.exports import as_markdown
from experiments.studies.outcome import ABOVE, BELOW, StudyOutcome
from experiments.studies.paper import PAPERS
from experiments.studies.records import shipped
from experiments.studies.settings import UNSEEN
from experiments.trials import MeasureRequest, Trial, evaluate
from tests.experiments.studies.invented import IRIS, invented, outcome

EXPERIMENTS = [
    experiment
    for name, experiment in inspect.getmembers(small_experiments, inspect.isfunction)
    if experiment.__module__ == small_experiments.__name__ and not name.startswith("_")
]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.__name__)
def test_a_small_experiment_shows_what_it_is_for(experiment: small_experiments.Experiment) -> None:
    holds, figures = experiment()
    assert holds is True
    assert figures.endswith(".")
    assert Claim("It is so.", shown_by(experiment)).finding({}).standing == "holds"
    assert Claim("It is not.", shown_by(lambda: (False, "1."))).finding({}).standing == "does not hold here"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_its_misprints_shown(paper: str) -> None:
    items = [study(name).item for name in names() if study(name).paper == paper]
    assert items.count("Misprints") == 1


def test_pairs_are_drawn_from_the_training_rows_of_each_split() -> None:
    request = RunRequest("iris", "dpca", split={"labelled_per_class": 2, "held_out_fraction": 0.5})
    y = np.asarray(datasets.load("iris").y)
    few, many = with_pairs(5, request), with_pairs(9, request)
    assert len(few.pairs) == 5
    assert set(few.pairs) < set(many.pairs)
    assert with_pairs(5, request.of_split(1)).pairs != few.pairs
    train = split(y, **request.split, seed=0).train
    for low, high, side in many.pairs:
        assert {low, high} <= set(train.tolist())
        assert side == ("must" if y[low] == y[high] else "cannot")
    candidate = Candidate(request, UNSEEN, drawn=lambda given: with_pairs(5, given))
    made = replace(invented(), cells=lambda: [StudyCell("r", "c", (candidate,))])
    keys = [trial.key for trial in made.plan.table(2).trials["r", "c", ""]]
    assert keys == [Trial(candidate.of_split(at), (UNSEEN,)).key for at in (0, 1)]
    assert keys[0] != Trial(request, (UNSEEN,)).key


def test_the_rise_of_an_objective_is_zero_where_no_step_raises_it() -> None:
    rise = MeasureRequest("rise")
    params = {"n_components": 5, "beta": 10.0, "max_iter": 20}
    for rule, rises in (("split", False), ("printed", True)):
        request = RunRequest(
            "planted_views", "sulf", params | {"rule": rule}, split={"labelled_per_class": 10}
        )
        assert (evaluate(Trial(request, (rise,))).scores["rise"] > 0.01) == rises
    assert "rise" in evaluate(Trial(RunRequest("iris", "nearest_neighbour"), (rise,))).problems


def test_a_reason_stands_beside_a_number_that_is_not_as_printed_and_beside_no_other() -> None:
    for name in (name for name in names() if study(name).paper):
        described = study(name)
        told = StudyOutcome(described, shipped(described))
        for place in described.reasons:
            assert told.outcomes[place].verdict in (ABOVE, BELOW), f"{name}: {place} needs no reason"
        below = [one for one in told.outcomes.values() if one.verdict == BELOW]
        assert all(one.reason for one in below), f"{name}: say what was measured to move what is below print"
    made = replace(invented(real=IRIS), reasons={("real", "share"): "the crop"})
    wrong = [replace(cell, published=Published(1.0)) for cell in made.plan.cells if cell.published]
    far = replace(made, cells=lambda: wrong)
    assert outcome(far).outcomes["real", "share"].reason == "the crop"
    assert "* real, share: above, the crop" in as_markdown(outcome(far))
